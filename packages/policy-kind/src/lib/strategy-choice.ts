import type { MergeStrategy, Stanza } from '@policy-machinery/merge';
import { type JsonValue, PolicyMachineryError } from '@policy-machinery/resource';

/** The strategies of a policy kind, and how its policies select one. */
export interface StrategyOptions {
  /** The strategies that policies can select, by the names that they use. Default `{ atomic }`. */
  readonly strategies?: Readonly<Record<string, MergeStrategy>>;
  /** The strategy of policies that select none. Default: the first of GEP-713's ladder that is supported (C-08). */
  readonly defaultStrategy?: string;
  /**
   * The field that selects a strategy. Default `strategy`. With `false` policies cannot select one, and the field, if any,
   * belongs to the spec proper.
   */
  readonly strategyField?: string | false;
}

/** GEP-713's order of strategies for policies that select none (C-08). */
const ladder: readonly (readonly [MergeStrategy['granularity'], Stanza])[] = [
  ['None', 'defaults'],
  ['Atomic', 'defaults'],
  ['Patch', 'defaults'],
  ['Atomic', 'overrides'],
  ['Patch', 'overrides'],
  ['Custom', 'defaults'],
  ['Custom', 'overrides'],
];

/** A strategy and the stanza that it is used for. */
export interface Choice {
  readonly strategy: MergeStrategy;
  readonly stanza: Stanza;
}

/**
 * Chooses the strategy of a policy.
 *
 * @param strategies What the kind supports.
 * @param selected What the policy says; `undefined` if nothing.
 * @param stanzas The stanzas in question: one for a `defaults` or `overrides` block, both for a bare spec.
 * @param otherwise The name of the kind's own default, if it has one.
 * @returns The choice, or what is wrong with the selection: it is never silently replaced (P-09).
 */
export function chooseStrategy(
  strategies: Readonly<Record<string, MergeStrategy>>,
  selected: JsonValue | undefined,
  stanzas: readonly Stanza[],
  otherwise: string | undefined,
): Choice | string {
  const supported = (strategy: MergeStrategy): Choice | undefined => {
    const stanza = stanzas.find((candidate) => strategy[candidate] !== undefined);
    return stanza === undefined ? undefined : { strategy, stanza };
  };
  const name = selected ?? otherwise;
  if (name === undefined) {
    for (const [granularity, stanza] of ladder) {
      if (!stanzas.includes(stanza)) continue;
      const strategy = Object.values(strategies).find(
        (it) => it.granularity === granularity && it[stanza] !== undefined,
      );
      if (strategy !== undefined) return { strategy, stanza };
    }
    return `${stanzas.join(' and ')} are not supported`;
  }
  const strategy = typeof name === 'string' && Object.hasOwn(strategies, name) ? strategies[name] : undefined;
  const choice = strategy && supported(strategy);
  if (choice !== undefined) return choice;
  const names = Object.keys(strategies).filter((key) => supported(strategies[key] as MergeStrategy));
  const offer = names.length === 0 ? 'none is' : names.map((key) => `"${key}"`).join(', ');
  return `the strategy ${JSON.stringify(name)} is not supported for ${stanzas.join(' or ')}; supported: ${offer}`;
}

/** Refuses a set of strategies that GEP-713 forbids (C-07), or that cannot work. */
export function checkStrategies({ strategies = {}, defaultStrategy }: StrategyOptions): void {
  const all = Object.values(strategies);
  if (all.length > 1 && all.some(({ granularity }) => granularity === 'None')) {
    throw new PolicyMachineryError(
      'invalid-policy-kind',
      'The strategy None cannot be combined with others in one policy kind (GEP-713); leave it out, or leave the others out',
    );
  }
  if (defaultStrategy !== undefined && !Object.hasOwn(strategies, defaultStrategy)) {
    throw new PolicyMachineryError(
      'invalid-policy-kind',
      `The default strategy "${defaultStrategy}" is none of the kind's strategies: ${Object.keys(strategies).join(', ')}`,
    );
  }
}
