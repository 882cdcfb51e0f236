import type { MergeStrategy, Stanza } from '@policy-machinery/merge';
import { type JsonValue, PolicyMachineryError } from '@policy-machinery/resource';
import type { FieldSchemas } from './spec-shape.ts';

/** A strategy and the stanza that it is used for. */
// biome-ignore lint/suspicious/noExplicitAny: as for MergeStrategy.
export interface StrategyChoice<in Spec = any> {
  readonly strategy: MergeStrategy<Spec>;
  readonly stanza: Stanza;
  /** The name in the dialect, for messages that also have GEP-713's name: the name in a policy or an annotation. */
  readonly dialectName?: string | undefined;
  /** Why this strategy applies, in the system's words, for messages: `mergeType is not set`. Default: GEP-713's words are enough. */
  readonly because?: string | undefined;
}

/** Merge strategies by name. */
// biome-ignore lint/suspicious/noExplicitAny: as for MergeStrategy.
export type Strategies<Spec = any> = Readonly<Record<string, MergeStrategy<Spec>>>;

/** The specs that all of some strategies merge. */
export type SpecOf<Named extends Strategies> = Named extends Strategies<infer Spec> ? Spec : never;

/** The strategies of a policy kind, and how its policies select one. */
export interface StrategyOptions<Named extends Strategies = Strategies> {
  /** The strategies that policies can select, by name. Default `{ atomic }`. */
  readonly strategies?: Named | undefined;
  /**
   * The strategy of policies that select none: the name of one of the strategies, or a strategy that cannot be selected.
   * Default, also for stanzas that it does not support: the first supported strategy of GEP-713's ladder.
   */
  readonly defaultStrategy?: NoInfer<keyof Named & string> | MergeStrategy | undefined;
  /**
   * The field that selects a strategy. Default `strategy`. With `false`, policies cannot select one, and the field, if any,
   * belongs to the spec proper.
   */
  readonly strategyField?: string | false | undefined;
  /** The name of the strategy in messages if policies cannot select one, such as `field by field`. Default: GEP-713's name. */
  readonly called?: string | undefined;
  /**
   * Why the strategy applies, in the system's words, for messages: a clause such as `mergeType is not set`, or a function that returns it, given
   * the field that selects strategies and the name in it. Default: GEP-713's words are enough.
   */
  readonly because?: string | ((field: string, selected: string | undefined) => string) | undefined;
}

/**
 * Returns the selection of a strategy in words: `because` of systems with users that know the field.
 *
 * @param field The field: `mergeType`.
 * @param selected The name in it.
 */
export function selection(field: string, selected: string | undefined): string {
  return `${field} is ${selected === undefined ? 'not set' : shortened(selected)}`;
}

/** Others write the names of strategies, and messages are short. */
function shortened(name: string): string {
  return name.length > 60 ? `${name.slice(0, 59)}…` : name;
}

/** GEP-713's order of strategies for policies that select none. */
const ladder: readonly (readonly [MergeStrategy['granularity'], Stanza])[] = [
  ['None', 'defaults'],
  ['Atomic', 'defaults'],
  ['Patch', 'defaults'],
  ['Atomic', 'overrides'],
  ['Patch', 'overrides'],
  ['Custom', 'defaults'],
  ['Custom', 'overrides'],
];

/** The result of a policy's selection. */
export interface Selection {
  /**
   * The selected strategy. If there is a fault, the strategy that applies without a selection: the policy is refused, but the
   * rest of it can still be validated. `undefined` if the kind does not support the stanza at all.
   */
  readonly choice: StrategyChoice | undefined;
  /** The fault of the selection, which is never silently replaced. */
  readonly fault: string | undefined;
}

/**
 * Chooses the strategy of a policy.
 *
 * @param options The strategies of the kind, and its own default.
 * @param selected The selection of the policy; `undefined` or `null` if there is none.
 * @param stanzas The stanzas in question: one for a `defaults` or `overrides` stanza, both for a bare spec.
 * @param field The field that selects a strategy, for messages. Default: the options'.
 * @returns The choice, or the fault of the selection.
 */
export function chooseStrategy(
  options: StrategyOptions,
  selected: JsonValue | undefined,
  stanzas: readonly Stanza[],
  field = String(options.strategyField ?? 'strategy'),
): Selection {
  const { choice, fault } = choose(options, selected, stanzas);
  const { because } = options;
  if (choice === undefined || because === undefined) return { choice, fault };
  const name = typeof selected === 'string' ? selected : undefined;
  return { choice: { ...choice, because: typeof because === 'string' ? because : because(field, name) }, fault };
}

/**
 * Returns a function that chooses as {@link chooseStrategy} does, but only once for all policies of a kind with the same selection. A selection with
 * a fault is not remembered: anybody can write one.
 */
export function chooserFor(options: StrategyOptions) {
  const chosen = new Map<string, Selection>();
  return (selected: JsonValue | undefined, stanzas: readonly Stanza[], field?: string): Selection => {
    const key = `${stanzas} ${field} ${JSON.stringify(selected)}`;
    const existingSelection = chosen.get(key);
    if (existingSelection !== undefined) return existingSelection;
    const selection = chooseStrategy(options, selected, stanzas, field);
    if (selection.fault === undefined) chosen.set(key, selection);
    return selection;
  };
}

function choose(options: StrategyOptions, selected: JsonValue | undefined, stanzas: readonly Stanza[]): Selection {
  const { strategies = {}, defaultStrategy } = options;
  const supported = (strategy: MergeStrategy | undefined, dialectName?: string): StrategyChoice | undefined => {
    const stanza = stanzas.find((candidate) => strategy?.[candidate] !== undefined);
    return strategy === undefined || stanza === undefined ? undefined : { strategy, stanza, dialectName };
  };
  const named = (name: unknown): StrategyChoice | undefined => {
    if (typeof name !== 'string' || !Object.hasOwn(strategies, name)) return undefined;
    return supported(strategies[name], name);
  };
  const byDefault = typeof defaultStrategy === 'object' ? supported(defaultStrategy) : named(defaultStrategy);
  const choice = selected === undefined || selected === null ? byDefault : named(selected);
  if (choice !== undefined) return { choice, fault: undefined };
  const otherwise = byDefault ?? renamed(firstOfLadder(strategies, stanzas), options);
  if (otherwise === undefined) {
    return { choice: undefined, fault: `policies of this kind cannot have ${stanzas.join(' or ')}; remove them` };
  }
  if (selected === undefined || selected === null) return { choice: otherwise, fault: undefined };
  const offer = Object.keys(strategies).filter((name) => named(name) !== undefined);
  const names = offer.map((name) => `"${name}"`).join(', ');
  return {
    choice: otherwise,
    fault: `the strategy ${JSON.stringify(selected)} is not supported for ${stanzas.join(' or ')}; supported: ${names}`,
  };
}

/** Returns the field where policies select a strategy for one of some stanzas; none if they cannot. */
export function strategyFields(
  { strategies = {}, strategyField = 'strategy' }: StrategyOptions,
  stanzas: readonly Stanza[],
): FieldSchemas {
  const names = Object.entries(strategies).flatMap(([name, strategy]) =>
    stanzas.some((stanza) => strategy[stanza] !== undefined) ? [name] : [],
  );
  if (strategyField === false || names.length === 0) return {};
  const description = 'How the fields of this policy are merged with the fields of other policies.';
  return { [strategyField]: { type: 'string', enum: names, description } };
}

/** Returns a choice by the name for messages, if policies cannot select the strategy by its own. */
function renamed(
  choice: StrategyChoice | undefined,
  { strategyField, called }: StrategyOptions,
): StrategyChoice | undefined {
  if (choice === undefined || strategyField !== false) return choice;
  const { strategy, stanza } = choice;
  return called === undefined ? { strategy, stanza } : { strategy, stanza, dialectName: called };
}

function firstOfLadder(
  strategies: Readonly<Record<string, MergeStrategy>>,
  stanzas: readonly Stanza[],
): StrategyChoice | undefined {
  for (const [granularity, stanza] of ladder) {
    if (!stanzas.includes(stanza)) continue;
    const next = Object.entries(strategies).find(
      ([, strategy]) => strategy.granularity === granularity && strategy[stanza] !== undefined,
    );
    if (next !== undefined) return { strategy: next[1], stanza, dialectName: next[0] };
  }
  return undefined;
}

/** Refuses strategies that GEP-713 forbids together, or that no policy could use. */
export function checkStrategies(
  { strategies = {}, defaultStrategy }: StrategyOptions,
  stanzas: readonly Stanza[],
): void {
  const allStrategies = [
    ...Object.values(strategies),
    ...(typeof defaultStrategy === 'object' ? [defaultStrategy] : []),
  ];
  const refuse = (message: string): never => {
    throw new PolicyMachineryError('invalid-policy-kind', message);
  };
  refuseNoneBesideOthers(allStrategies);
  if (firstOfLadder(strategies, stanzas) === undefined) {
    refuse(`No strategy supports ${stanzas.join(' or ')}; name at least one that does`);
  }
  if (typeof defaultStrategy === 'string' && !Object.hasOwn(strategies, defaultStrategy)) {
    refuse(
      `The default strategy "${defaultStrategy}" is not one of the kind's strategies: ${Object.keys(strategies).join(', ')}`,
    );
  }
}

/** Refuses None together with other strategies: GEP-713 allows it only as the single strategy of a policy kind. */
export function refuseNoneBesideOthers(strategies: readonly MergeStrategy[]): void {
  const isNone = strategies.map(({ granularity }) => granularity === 'None');
  if (!isNone.includes(true) || !isNone.includes(false)) return;
  const message =
    'The strategy None cannot be combined with others in one policy kind (GEP-713); leave it out, or leave the others out';
  throw new PolicyMachineryError('invalid-policy-kind', message);
}
