import { atomic, type Combined, listOrigins, trace } from '@policy-machinery/merge';
import type { Layer, Policy, PolicyKind, StrategyChoice } from '@policy-machinery/policy-kind';
import type { Issue, JsonObject } from '@policy-machinery/resource';
import { none } from '../support/nothing.ts';
import { type ChoiceRules, choiceOf } from './choice.ts';
import type { ContextLayer, TracedSpec } from './context-layer.ts';
import { type RuleBetween, ruleBy } from './rule.ts';
import { type Unset, withoutUnset } from './unset.ts';

/** A layer, or several that have been merged. */
export interface Operand<Spec> {
  readonly spec: TracedSpec<Spec>;
  /** The layer that represents the operand in a merge: the last one that was merged. */
  readonly lastLayer: ContextLayer<Spec>;
  /** The operand applies only under this condition. */
  readonly when: Layer<Spec>['when'];
  /** The spec that the condition is evaluated on. Default: the spec that the operand is merged with. */
  readonly about?: TracedSpec<Spec> | undefined;
  /** The fields of other policies' defaults that the operand unsets. */
  readonly unset: readonly Unset<Spec>[];
}

/** One merge of two specs. */
export interface MergeStep<Spec> extends StrategyChoice {
  readonly established: TracedSpec<Spec>;
  readonly challenger: TracedSpec<Spec>;
  readonly result: TracedSpec<Spec>;
  /** Whether the condition of the established side does not hold, so that nothing was merged. */
  readonly isUnmet?: boolean;
  /** Returns the rule that let one layer prevail over another in this merge. */
  readonly ruleBetween: RuleBetween;
}

export type MergeRules = ChoiceRules &
  Pick<PolicyKind<unknown>, 'emptyChallenger' | 'isEmpty' | 'order' | 'conflictReason'>;

/** The records of merging layers. */
export interface MergeLog<Spec> {
  readonly issues: Issue[];
  /** The merges; `undefined` if they are not recorded. */
  readonly steps: MergeStep<Spec>[] | undefined;
  /** The policies with a strategy that has failed, and is no longer used. Usually none. */
  readonly failed: Policy<Spec>[];
  /** The specs that conditions on the result are evaluated on; `undefined` without such conditions. */
  readonly results: ReadonlyMap<ContextLayer<Spec>, TracedSpec<Spec>> | undefined;
}

/**
 * Returns a layer as an operand. If its strategy supports removals, the operand removes fields, whether or not these exist below.
 * Operands are kept: a layer is merged in many contexts, which share the origins of its fields.
 */
export function operandOf<Spec>(placed: ContextLayer<Spec>): Operand<Spec> {
  const knownOperand = operands.get(placed as ContextLayer<unknown>) as Operand<Spec> | undefined;
  if (knownOperand !== undefined) return knownOperand;
  const operand = newOperand(placed);
  operands.set(placed as ContextLayer<unknown>, operand as Operand<unknown>);
  return operand;
}

const operands = new WeakMap<ContextLayer<unknown>, Operand<unknown>>();

function newOperand<Spec>(placed: ContextLayer<Spec>): Operand<Spec> {
  const { spec, strategy, when, unset } = placed;
  const traced = trace(spec as JsonObject, placed);
  const unsets = unset === undefined || unset.length === 0 ? none : [{ names: unset, by: placed }];
  return { spec: strategy.withRemovals?.(traced) ?? traced, lastLayer: placed, when, unset: unsets };
}

/** Returns a layer as an operand, with the spec that its condition is evaluated on in this context. */
export function operandIn<Spec>(placed: ContextLayer<Spec>, { results }: MergeLog<Spec>): Operand<Spec> {
  const about = results?.get(placed);
  return about === undefined ? operandOf(placed) : { ...operandOf(placed), about };
}

/** The result below the first operand that applies: no spec, only the fields unset by policies that do not apply. */
export type Nothing<Spec> = Pick<Operand<Spec>, 'unset'>;

/** Returns a result with the fields that an operand unsets. A policy unsets fields even if it does not apply. */
export function withUnsetOf<Spec, Below extends Nothing<Spec>>(below: Below, { unset }: Operand<Spec>): Below {
  return unset.length === 0 ? below : { ...below, unset: [...below.unset, ...unset] };
}

/** Returns an operand without its condition, once that was evaluated. */
export function unconditional<Spec>(operand: Operand<Spec>): Operand<Spec> {
  return operand.when === undefined ? operand : { ...operand, when: undefined };
}

/** Returns the result of an operand with nothing below; `undefined` if its condition does not hold. */
export function standAlone<Spec>(
  operand: Operand<Spec>,
  nothing: Nothing<Spec>,
  log: MergeLog<Spec>,
): Operand<Spec> | undefined {
  if (!meets(operand, undefined, log)) return undefined;
  const { spec, lastLayer } = operand;
  const { strategy, stanza, dialectName } = lastLayer;
  const alone = strategy.alone?.(spec);
  const traced = alone === undefined ? spec : specFrom(alone, lastLayer, log);
  const remainder = stanza === 'defaults' ? withoutUnset(traced, nothing.unset, lastLayer) : traced;
  if (remainder !== traced) {
    const sides = { established: traced, challenger: empty, result: remainder };
    log.steps?.push({ ...sides, strategy, stanza, dialectName, ruleBetween: () => 'more-specific' });
  }
  const unset = nothing.unset.length === 0 ? operand.unset : [...nothing.unset, ...operand.unset];
  return { spec: remainder, lastLayer, when: undefined, unset };
}

/** The spec of a context where nothing applies. */
export const empty: TracedSpec<never> = { value: {}, origins: { fields: new Map() } };

/** Returns the strategy that merges an operand with the result below. A strategy that has failed is not used again. */
export function strategyBetween<Spec>(
  { lastLayer }: Operand<Spec>,
  below: Operand<Spec>,
  rules: MergeRules,
  { failed }: MergeLog<Spec>,
): StrategyChoice {
  const layer = failed.includes(lastLayer.strategyFrom.policy) ? lastLayer : lastLayer.strategyFrom;
  return choiceOf(lastLayer, below.lastLayer, rules, layer);
}

/** Merges an operand with the result below. */
export function mergeOperands<Spec>(
  established: Operand<Spec>,
  challenger: Operand<Spec>,
  choice: StrategyChoice,
  rules: MergeRules,
  log: MergeLog<Spec>,
): Operand<Spec> {
  if (!meets(established, challenger, log)) return withUnsetOf(challenger, established);
  const remainder =
    choice.stanza === 'defaults'
      ? withoutUnset(established.spec, challenger.unset, established.lastLayer)
      : established.spec;
  const { result, by } = combine(remainder, established.lastLayer, challenger.spec, choice, rules, log);
  const { strategy, stanza, dialectName, because } = by;
  log.steps?.push({
    established: established.spec,
    challenger: challenger.spec,
    result,
    strategy,
    stanza,
    dialectName,
    because,
    ruleBetween: ruleBy(rules.order),
  });
  const { unset } = withUnsetOf(challenger, established);
  return { spec: result, lastLayer: established.lastLayer, when: undefined, unset };
}

/** Returns whether an operand's condition holds, and records the loss of the whole operand if not. */
export function meets<Spec>(operand: Operand<Spec>, below: Operand<Spec> | undefined, log: MergeLog<Spec>): boolean {
  if (operand.when === undefined) return true;
  const spec: TracedSpec<Spec> = operand.about ?? below?.spec ?? empty;
  if (applies(operand, spec.value, log)) return true;
  const { strategy, stanza, dialectName } = operand.lastLayer;
  const sides = { established: operand.spec, challenger: spec, result: spec };
  log.steps?.push({ ...sides, strategy, stanza, dialectName, isUnmet: true, ruleBetween: () => 'condition-not-met' });
  return false;
}

/** Returns whether an operand applies to a spec. If the condition fails, its kind decides. */
function applies<Spec>({ when, lastLayer }: Operand<Spec>, below: JsonObject, { issues }: MergeLog<Spec>): boolean {
  if (when === undefined) return true;
  const answer = when(below);
  if ('holds' in answer) return answer.holds;
  if (answer.missing) return false;
  const { policy, pointer, whenFails = 'applies' } = lastLayer;
  const message = `its condition failed, so it ${consequences[whenFails]}: ${answer.error}`;
  issues.push({ code: 'condition-failed', severity: 'error', message, resource: policy.locator, pointer });
  return whenFails === 'applies';
}

const consequences = { applies: 'applies', 'is-left-out': 'is left out' };

/**
 * Combines two specs by a strategy. If the strategy fails, Atomic takes its place: making the strategy of an override fail does not get
 * rid of the override.
 */
function combine<Spec>(
  established: TracedSpec<Spec>,
  layer: ContextLayer<Spec>,
  challenger: TracedSpec<Spec>,
  choice: StrategyChoice,
  { emptyChallenger, isEmpty }: MergeRules,
  log: MergeLog<Spec>,
): { readonly result: TracedSpec<Spec>; readonly by: StrategyChoice } {
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
    log.failed.push(layer.strategyFrom.policy);
    return { result: atomic[stanza](established, challenger), by: { strategy: atomic, stanza } };
  }
}

/** Returns the spec of a strategy's result, and reports its problems. */
function specFrom<Spec>(
  combined: Combined<ContextLayer<Spec>>,
  { policy, pointer }: ContextLayer<Spec>,
  { issues }: MergeLog<Spec>,
): TracedSpec<Spec> {
  const { value, origins, problems } = combined;
  if (problems === undefined) return combined;
  for (const message of problems) {
    issues.push({ code: 'merge-problem', severity: 'error', message, resource: policy.locator, pointer });
  }
  return { value, origins };
}

/** Returns whether a spec neither has fields nor removes any. */
function saysNothing<Spec>({ value, origins }: TracedSpec<Spec>, countsAsEmpty = (_: JsonObject) => false): boolean {
  return (
    (Object.keys(value).length === 0 || countsAsEmpty(value)) && listOrigins(origins).every(({ removed }) => !removed)
  );
}
