import { sameLevelOrder } from '@policy-machinery/conflict';
import { type MergeStrategy, type Stanza, type Traced, trace } from '@policy-machinery/merge';
import type { Reduction } from '@policy-machinery/policy-kind';
import type { Issue, JsonObject } from '@policy-machinery/resource';
import type { PlacedLayer } from './layout.ts';

/** A spec on its way to the effective one, with the layers that set its fields. */
export type TracedSpec<Spec> = Traced<PlacedLayer<Spec>>;

/** One merge of two specs. */
export interface MergeStep<Spec> {
  readonly established: TracedSpec<Spec>;
  readonly challenger: TracedSpec<Spec>;
  readonly result: TracedSpec<Spec>;
  readonly strategy: MergeStrategy;
  readonly stanza: Stanza;
}

/** The one spec that a context's layers came to. */
export interface Reduced<Spec> {
  readonly spec: TracedSpec<Spec>;
  /** Layers whose strategy failed; they were left out. */
  readonly issues: readonly Issue[];
}

/** Reduces the layers of a context, first to be merged first, to one spec. Reports each merge to `onStep`. */
type Reducer = <Spec>(
  layers: readonly [PlacedLayer<Spec>, ...PlacedLayer<Spec>[]],
  onStep?: (step: MergeStep<Spec>) => void,
) => Reduced<Spec>;

/** Each layer's strategy applies to all that lies beneath it (K-11, X-04). */
const bottomUp: Reducer = ([first, ...others], onStep) => {
  const issues: Issue[] = [];
  let spec = traceLayer(first);
  for (const placed of others) {
    const { strategy } = placed.dictatedBy;
    spec = merge(traceLayer(placed), spec, strategy, placed.layer.stanza, placed, issues, onStep);
  }
  return { spec, issues };
};

/** GEP-713's stack process to the letter: the result of each merge takes the strategy of its second policy (M-10). */
const gepStack: Reducer = (layers, onStep) => {
  const issues: Issue[] = [];
  const [least, ...others] = [...layers].reverse() as [(typeof layers)[0], ...(typeof layers)[0][]];
  let spec = traceLayer(least);
  let dictator = least;
  for (const placed of others) {
    const { strategy, stanza } = dictator.layer;
    spec = merge(spec, traceLayer(placed), strategy, stanza, dictator, issues, onStep);
    dictator = placed;
  }
  return { spec, issues };
};

export const reducers: Readonly<Record<Reduction, Reducer>> = { 'bottom-up': bottomUp, 'gep-stack': gepStack };

/**
 * None: nothing is merged, one policy stays (M-02, C-06). A policy on a section goes before one on the whole object,
 * which is no conflict with it (C-12, X-08); else the oldest stays, on whatever level.
 */
export const reduceNone: Reducer = (layers, onStep) => {
  const bySection = (a: (typeof layers)[0], b: (typeof layers)[0]): number =>
    Number(b.level.target.section !== undefined) - Number(a.level.target.section !== undefined);
  const byAge = (a: (typeof layers)[0], b: (typeof layers)[0]): number =>
    sameLevelOrder.compare(a.layer.policy, b.layer.policy);

  const objects = new Map<unknown, (typeof layers)[0][]>();
  for (const placed of layers) {
    const { object } = placed.level.target;
    objects.set(object, [...(objects.get(object) ?? []), placed]);
  }
  const champions = [...objects.values()].map((rivals) => rivals.sort((a, b) => bySection(a, b) || byAge(a, b))[0]);
  const [winner] = (champions as (typeof layers)[0][]).sort(byAge) as [(typeof layers)[0]];

  const spec = traceLayer(winner);
  for (const placed of layers) {
    if (placed === winner) continue;
    const { strategy, stanza } = winner.layer;
    onStep?.({ established: spec, challenger: traceLayer(placed), result: spec, strategy, stanza });
  }
  return { spec, issues: [] };
};

function traceLayer<Spec>(placed: PlacedLayer<Spec>): TracedSpec<Spec> {
  return trace(placed.layer.spec as JsonObject, placed);
}

/** A strategy that fails costs only the layer that asked for it. */
function merge<Spec>(
  established: TracedSpec<Spec>,
  challenger: TracedSpec<Spec>,
  strategy: MergeStrategy,
  stanza: Stanza,
  dictator: PlacedLayer<Spec>,
  issues: Issue[],
  onStep: ((step: MergeStep<Spec>) => void) | undefined,
): TracedSpec<Spec> {
  try {
    const combine = strategy[stanza];
    if (combine === undefined) throw new TypeError(`the strategy does not support ${stanza}`);
    const result = combine(established, challenger);
    onStep?.({ established, challenger, result, strategy, stanza });
    return result;
  } catch (error) {
    issues.push({
      code: 'strategy-failed',
      severity: 'error',
      message: `its merge strategy failed, so it was left out: ${error instanceof Error ? error.message : String(error)}`,
      resource: dictator.layer.policy.locator,
      pointer: dictator.layer.pointer,
    });
    return challenger;
  }
}
