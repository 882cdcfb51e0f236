import { atomic, type Combined, listOrigins, trace } from '@policy-machinery/merge';
import type { Choice, Layer, Policy, PolicyKind } from '@policy-machinery/policy-kind';
import type { Issue, JsonObject } from '@policy-machinery/resource';
import { type ChoiceRules, choiceOf } from './choice.ts';
import type { PlacedLayer, TracedSpec } from './placed-layer.ts';
import { type RuleBetween, ruleBy } from './rule.ts';
import { type Unset, withoutUnset } from './unset.ts';

/** A layer, or several that have been merged. */
export interface Part<Spec> {
  readonly spec: TracedSpec<Spec>;
  /** Who stands for it when it meets another: the layer that was merged last. */
  readonly standing: PlacedLayer<Spec>;
  /** It applies only where this holds. */
  readonly when: Layer<Spec>['when'];
  /** What its condition is asked of. Default: what it is merged with. */
  readonly about?: TracedSpec<Spec> | undefined;
  /** The fields of others' defaults that it unsets. */
  readonly unset: readonly Unset<Spec>[];
}

/** One merge of two specs. */
export interface MergeStep<Spec> extends Choice {
  readonly established: TracedSpec<Spec>;
  readonly challenger: TracedSpec<Spec>;
  readonly result: TracedSpec<Spec>;
  /** Says why one layer prevailed over another in this merge. */
  readonly ruleBetween: RuleBetween;
}

/** What of a policy kind says how layers are merged. */
export type MergeRules = ChoiceRules & Pick<PolicyKind<unknown>, 'emptyChallenger' | 'isEmpty' | 'order'>;

/** What happens while layers are merged. */
export interface MergeLog<Spec> {
  readonly issues: Issue[];
  /** `undefined` if they are not recorded. */
  readonly steps: MergeStep<Spec>[] | undefined;
  /** Policies whose strategy has failed, usually none: the strategy is no longer used. */
  readonly failed: Policy<Spec>[];
  /** What the conditions on the result are asked of; `undefined` where there are none. */
  readonly results: ReadonlyMap<PlacedLayer<Spec>, TracedSpec<Spec>> | undefined;
}

const none: readonly never[] = [];

/**
 * A layer by itself. What its strategy lets it remove it removes, whether or not there is something to remove (M-20). Each is read
 * once: it is merged in many contexts, which then share what says who set their fields.
 */
export function partOf<Spec>(placed: PlacedLayer<Spec>): Part<Spec> {
  const known = parts.get(placed as PlacedLayer<unknown>) as Part<Spec> | undefined;
  if (known !== undefined) return known;
  const part = newPart(placed);
  parts.set(placed as PlacedLayer<unknown>, part as Part<unknown>);
  return part;
}

const parts = new WeakMap<PlacedLayer<unknown>, Part<unknown>>();

function newPart<Spec>(placed: PlacedLayer<Spec>): Part<Spec> {
  const { spec, strategy, when, unset } = placed;
  const said = trace(spec as JsonObject, placed);
  const unsets = unset === undefined || unset.length === 0 ? none : [{ names: unset, by: placed }];
  return { spec: strategy.settle?.(said) ?? said, standing: placed, when, unset: unsets };
}

/** A layer by itself, with what its condition is asked of in this context. */
export function partIn<Spec>(placed: PlacedLayer<Spec>, { results }: MergeLog<Spec>): Part<Spec> {
  const about = results?.get(placed);
  return about === undefined ? partOf(placed) : { ...partOf(placed), about };
}

/** What lies below a part that is the first one to apply: no spec, only what others unset that do not apply themselves. */
export type Nothing<Spec> = Pick<Part<Spec>, 'unset'>;

/** What lies below, and what a part above it unsets that does not apply itself: its policy unsets it all the same. */
export function withUnsetOf<Spec, Beneath extends Nothing<Spec>>(beneath: Beneath, { unset }: Part<Spec>): Beneath {
  return unset.length === 0 ? beneath : { ...beneath, unset: [...beneath.unset, ...unset] };
}

/** A part whose condition has been asked already. */
export function unconditional<Spec>(part: Part<Spec>): Part<Spec> {
  return part.when === undefined ? part : { ...part, when: undefined };
}

/** What a part amounts to with nothing below it; `undefined` if it applies only to something. */
export function standAlone<Spec>(
  part: Part<Spec>,
  nothing: Nothing<Spec>,
  log: MergeLog<Spec>,
): Part<Spec> | undefined {
  if (!meets(part, undefined, log)) return undefined;
  const { spec, standing } = part;
  const { strategy, stanza, dialectName } = standing;
  const alone = strategy.alone?.(spec);
  const said = alone === undefined ? spec : specFrom(alone, standing, log);
  const left = stanza === 'defaults' ? withoutUnset(said, nothing.unset, standing) : said;
  if (left !== said) {
    const sides = { established: said, challenger: empty, result: left };
    log.steps?.push({ ...sides, strategy, stanza, dialectName, ruleBetween: () => 'more-specific' });
  }
  const unset = nothing.unset.length === 0 ? part.unset : [...nothing.unset, ...part.unset];
  return { spec: left, standing, when: undefined, unset };
}

/** What there is where nothing applies. */
export const empty: TracedSpec<never> = { value: {}, origins: { fields: new Map() } };

/** The strategy by which a part is merged with what lies below it. A strategy that has failed is not used again. */
export function strategyBetween<Spec>(
  { standing }: Part<Spec>,
  beneath: Part<Spec>,
  rules: MergeRules,
  { failed }: MergeLog<Spec>,
): Choice {
  const layer = failed.includes(standing.dictatedBy.policy) ? standing : standing.dictatedBy;
  return choiceOf(standing, beneath.standing, rules, layer);
}

/** Merges a part with what lies below it. */
export function mergeParts<Spec>(
  established: Part<Spec>,
  challenger: Part<Spec>,
  choice: Choice,
  rules: MergeRules,
  log: MergeLog<Spec>,
): Part<Spec> {
  if (!meets(established, challenger, log)) return withUnsetOf(challenger, established);
  const left =
    choice.stanza === 'defaults'
      ? withoutUnset(established.spec, challenger.unset, established.standing)
      : established.spec;
  const { result, by } = combine(left, established.standing, challenger.spec, choice, rules, log);
  const { strategy, stanza, dialectName } = by;
  log.steps?.push({
    established: established.spec,
    challenger: challenger.spec,
    result,
    strategy,
    stanza,
    dialectName,
    ruleBetween: ruleBy(rules.order),
  });
  const { unset } = withUnsetOf(challenger, established);
  return { spec: result, standing: established.standing, when: undefined, unset };
}

/** Whether a part's condition holds on what is below it, or on the result. If not, the part has lost all that it says. */
export function meets<Spec>(part: Part<Spec>, beneath: Part<Spec> | undefined, log: MergeLog<Spec>): boolean {
  if (part.when === undefined) return true;
  const spec: TracedSpec<Spec> = part.about ?? beneath?.spec ?? empty;
  if (applies(part, spec.value, log)) return true;
  const { strategy, stanza, dialectName } = part.standing;
  const sides = { established: part.spec, challenger: spec, result: spec };
  log.steps?.push({ ...sides, strategy, stanza, dialectName, ruleBetween: () => 'condition-not-met' });
  return false;
}

/** Whether a part applies to what lies below it; where its condition fails, as its kind says. */
function applies<Spec>({ when, standing }: Part<Spec>, beneath: JsonObject, { issues }: MergeLog<Spec>): boolean {
  if (when === undefined) return true;
  const answer = when(beneath);
  if ('holds' in answer) return answer.holds;
  if (answer.missing) return false;
  const { policy, pointer, whenFails = 'applies' } = standing;
  const message = `its condition failed, so it ${consequences[whenFails]}: ${answer.error}`;
  issues.push({ code: 'condition-failed', severity: 'error', message, resource: policy.locator, pointer });
  return whenFails === 'applies';
}

const consequences = { applies: 'applies', 'is-left-out': 'is left out' };

/**
 * Combines two specs by a strategy. Where that fails, Atomic takes its place: making the strategy of an override fail
 * does not get rid of the override.
 */
function combine<Spec>(
  established: TracedSpec<Spec>,
  layer: PlacedLayer<Spec>,
  challenger: TracedSpec<Spec>,
  choice: Choice,
  { emptyChallenger, isEmpty }: MergeRules,
  log: MergeLog<Spec>,
): { readonly result: TracedSpec<Spec>; readonly by: Choice } {
  const { strategy, stanza } = choice;
  const isYielding = emptyChallenger === 'yields' && stanza === 'defaults';
  const countsAsEmpty = strategy.granularity === 'Atomic' ? isEmpty : undefined;
  if (isYielding && saysNothing(challenger, countsAsEmpty)) return { result: established, by: choice };
  try {
    if (strategy[stanza] === undefined) throw new TypeError(`the strategy does not support ${stanza}`);
    return { result: specFrom(strategy[stanza](established, challenger), layer, log), by: choice };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const message = `the strategy that merges it failed, so Atomic ${stanza} took its place: ${cause}`;
    const { policy, pointer } = layer;
    log.issues.push({ code: 'strategy-failed', severity: 'error', message, resource: policy.locator, pointer });
    log.failed.push(layer.dictatedBy.policy);
    return { result: atomic[stanza](established, challenger), by: { strategy: atomic, stanza } };
  }
}

/** What a strategy came to, after its problems have been reported. */
function specFrom<Spec>(
  combined: Combined<PlacedLayer<Spec>>,
  { policy, pointer }: PlacedLayer<Spec>,
  { issues }: MergeLog<Spec>,
): TracedSpec<Spec> {
  const { value, origins, problems } = combined;
  if (problems === undefined) return combined;
  for (const message of problems) {
    issues.push({ code: 'merge-problem', severity: 'error', message, resource: policy.locator, pointer });
  }
  return { value, origins };
}

/** Whether a spec neither has fields nor removes any. */
function saysNothing<Spec>({ value, origins }: TracedSpec<Spec>, countsAsEmpty = (_: JsonObject) => false): boolean {
  return (
    (Object.keys(value).length === 0 || countsAsEmpty(value)) && listOrigins(origins).every(({ removed }) => !removed)
  );
}
