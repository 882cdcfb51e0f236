import { atomic, type MergeStrategy, type Stanza, type Traced, trace } from '@policy-machinery/merge';
import type { Layer, Reduction } from '@policy-machinery/policy-kind';
import type { Issue, JsonObject } from '@policy-machinery/resource';
import type { PlacedLayer } from './layout.ts';
import { ruleBetween } from './rule.ts';

/** A spec on its way to the effective one, with the layers that set its fields. */
export type TracedSpec<Spec> = Traced<PlacedLayer<Spec>>;

/** One merge of two specs. */
export interface MergeStep<Spec> {
  readonly established: TracedSpec<Spec>;
  readonly challenger: TracedSpec<Spec>;
  readonly result: TracedSpec<Spec>;
  readonly strategy: MergeStrategy;
  readonly stanza: Stanza;
  /** Says why one layer prevailed over another in this merge. */
  readonly ruleBetween: typeof ruleBetween;
}

/** The one spec that a context's layers came to. */
export interface Reduced<Spec> {
  readonly spec: TracedSpec<Spec>;
  /** The layers that were merged atomically, because their strategy failed. */
  readonly issues: readonly Issue[];
  /** The merges that led to the spec. */
  readonly steps: readonly MergeStep<Spec>[];
}

/** The layers of a context, the first one to be merged first. */
export type Layers<Spec> = readonly [PlacedLayer<Spec>, ...PlacedLayer<Spec>[]];

/** Reduces the layers of a context to one spec. */
export type Reducer = <Spec>(layers: Layers<Spec>) => Reduced<Spec>;

/** Each layer's strategy applies to all that lies beneath it (K-11, X-04). */
const bottomUp: Reducer = <Spec>([first, ...others]: Layers<Spec>) => {
  const issues: Issue[] = [];
  const steps: MergeStep<Spec>[] = [];
  const failed = new Set<Layer<Spec>>();
  let spec = traceLayer(first);
  for (const placed of others) {
    const { strategy } = failed.has(placed.dictatedBy) ? placed.layer : placed.dictatedBy;
    const { step, issue } = merge(traceLayer(placed), spec, placed.layer, strategy);
    if (issue !== undefined) {
      issues.push(issue);
      failed.add(placed.layer);
    }
    steps.push(step);
    spec = step.result;
  }
  return { spec, issues, steps };
};

/** GEP-713's stack process to the letter: the result of each merge takes the strategy of its second policy (M-10). */
const gepStack: Reducer = <Spec>(layers: Layers<Spec>): Reduced<Spec> => {
  const issues: Issue[] = [];
  const steps: MergeStep<Spec>[] = [];
  const [least, ...others] = [...layers].reverse() as unknown as Layers<Spec>;
  let spec = traceLayer(least);
  let dictator = least;
  for (const placed of others) {
    const { step, issue } = merge(spec, traceLayer(placed), dictator.layer, dictator.dictatedBy.strategy);
    if (issue !== undefined) issues.push(issue);
    steps.push(step);
    spec = step.result;
    dictator = placed;
  }
  return { spec, issues, steps };
};

export const reducers: Readonly<Record<Reduction, Reducer>> = { 'bottom-up': bottomUp, 'gep-stack': gepStack };

export function traceLayer<Spec>(placed: PlacedLayer<Spec>): TracedSpec<Spec> {
  return trace(placed.layer.spec as JsonObject, placed);
}

/**
 * Merges by a strategy. Where that fails, Atomic takes its place: nobody who makes the strategy of an override fail gets
 * rid of the override.
 */
function merge<Spec>(
  established: TracedSpec<Spec>,
  challenger: TracedSpec<Spec>,
  { policy, stanza, pointer }: Layer<Spec>,
  strategy: MergeStrategy,
): { step: MergeStep<Spec>; issue?: Issue } {
  const by = (chosen: MergeStrategy): MergeStep<Spec> => {
    const combine = chosen[stanza];
    if (combine === undefined) throw new TypeError(`the strategy does not support ${stanza}`);
    return { established, challenger, result: combine(established, challenger), strategy: chosen, stanza, ruleBetween };
  };
  try {
    return { step: by(strategy) };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const message = `the strategy that merges it failed, so Atomic ${stanza} took its place: ${cause}`;
    return {
      step: by(atomic),
      issue: { code: 'strategy-failed', severity: 'error', message, resource: policy.locator, pointer },
    };
  }
}
