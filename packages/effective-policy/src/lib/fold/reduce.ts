/*
 * fold/ takes the levels of one context and gives one spec, in which each field knows the layer that set it. A layer is one stanza of a policy;
 * a part is a layer, or several that have been merged already, on the way to that spec.
 */
import type { Reduction } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import { groupEnd } from './choice.ts';
import {
  empty,
  type MergeLog,
  type MergeRules,
  type MergeStep,
  meets,
  mergeParts,
  type Nothing,
  type Part,
  partIn,
  standAlone,
  strategyBetween,
  unconditional,
  withUnsetOf,
} from './part.ts';
import type { PlacedLayer, TracedSpec } from './placed-layer.ts';
import { isOwnLayer } from './placed-layer.ts';

/** The one spec that a context's layers came to. */
export interface Reduced<Spec> {
  readonly spec: TracedSpec<Spec>;
  /** Layers whose strategy or condition failed; each says what was done instead. */
  readonly issues: readonly Issue[];
}

const none: readonly never[] = [];

/** The layers of a context, the first one to be merged first. */
export type Layers<Spec> = readonly [PlacedLayer<Spec>, ...PlacedLayer<Spec>[]];

/**
 * Reduces the layers of a context to one spec.
 *
 * @param steps Is given the merges that lead to it. They keep every spec on the way. Default: they are not taken down.
 */
export type Reducer = <Spec>(layers: Layers<Spec>, rules: MergeRules, steps?: MergeStep<Spec>[]) => Reduced<Spec>;

/** Merges layers, each with all before it. */
type Merge<Spec> = (
  layers: readonly PlacedLayer<Spec>[],
  rules: MergeRules,
  log: MergeLog<Spec>,
) => Part<Spec> | undefined;

/**
 * From the most specific layer upwards, each one's strategy applies to all that lies below it (K-11, X-04). Where the kind
 * says so, the layers of one object (G-04) or of one level are merged among themselves first.
 */
function bottomUp<Spec>(
  layers: readonly PlacedLayer<Spec>[],
  rules: MergeRules,
  log: MergeLog<Spec>,
): Part<Spec> | undefined {
  const merge = (part: Part<Spec>, beneath: Part<Spec>): Part<Spec> =>
    mergeParts(part, beneath, strategyBetween(part, beneath, rules, log), rules, log);

  let beneath: Part<Spec> | Nothing<Spec> = { unset: [] };
  for (let start = 0, end = 0; start < layers.length; start = end) {
    end = groupEnd(layers, start, rules);
    if (!isPart(beneath) || end === start + 1) {
      for (let at = start; at < end; at += 1) {
        const part = partIn(layers[at] as PlacedLayer<Spec>, log);
        if (isPart(beneath)) beneath = merge(part, beneath);
        else beneath = standAlone(part, beneath, log) ?? withUnsetOf(beneath, part);
      }
      continue;
    }
    const there: Part<Spec> = beneath;
    const group = layers.slice(start, end).map((layer) => partIn(layer, log));
    const ready = group.filter((part) => meets(part, there, log));
    const idle = group.filter((part) => !ready.includes(part));
    const below = idle.reduce((it, part) => withUnsetOf(it, part), there);
    const [first, ...later] = ready.map(unconditional);
    const merged = first && later.reduce<Part<Spec>>((inner, part) => merge(part, inner), first);
    beneath = merged === undefined ? below : merge(merged, below);
  }
  return isPart(beneath) ? beneath : undefined;
}

function isPart<Spec>(beneath: Part<Spec> | Nothing<Spec>): beneath is Part<Spec> {
  return 'spec' in beneath;
}

/**
 * GEP-713's stack process to the letter: the result of each merge takes the strategy of its second policy (M-10). It knows no
 * conditions; each is asked of the next more specific layer that applies.
 */
function gepStack<Spec>(
  layers: readonly PlacedLayer<Spec>[],
  rules: MergeRules,
  log: MergeLog<Spec>,
): Part<Spec> | undefined {
  const above = layers.at(-1);
  if (layers.length > 1 && above !== undefined && isOwnLayer(above)) {
    const beneath = gepStack(layers.slice(0, -1), rules, log); // What the target says above all policies is no policy.
    const last = partIn(above, log);
    if (beneath === undefined) return last;
    return mergeParts(last, beneath, strategyBetween(last, beneath, rules, log), rules, log);
  }
  const stack: Part<Spec>[] = [];
  let nothing: Nothing<Spec> = { unset: [] };
  for (const part of layers.map((layer) => partIn(layer, log))) {
    const below = stack.at(-1);
    if (below === undefined) {
      const first = standAlone(part, nothing, log);
      if (first === undefined) nothing = withUnsetOf(nothing, part);
      else stack.push(first);
    } else if (meets(part, below, log)) stack.push(unconditional(part));
    else stack.splice(-1, 1, withUnsetOf(below, part));
  }
  return stack.reduceRight<Part<Spec> | undefined>((established, part) => {
    if (established === undefined) return part;
    const { strategy, dialectName } = established.standing.dictatedBy;
    const choice = { strategy, stanza: established.standing.stanza, dialectName };
    const merged = mergeParts(established, part, choice, rules, log);
    return { ...merged, standing: part.standing };
  }, undefined);
}

export const reducers: Readonly<Record<Reduction, Reducer>> = {
  'bottom-up': reducerBy(bottomUp),
  'gep-stack': reducerBy(gepStack),
  'closest-parent': reducerBy(bottomUp), // Of the levels that the layout leaves.
};

function reducerBy(merge: <Spec>(...parameters: Parameters<Merge<Spec>>) => ReturnType<Merge<Spec>>): Reducer {
  return <Spec>(layers: Layers<Spec>, rules: MergeRules, steps?: MergeStep<Spec>[]): Reduced<Spec> => {
    const results = resultsFor(layers, rules, merge);
    const log: MergeLog<Spec> = { issues: [], steps, failed: [], results };
    const merged = merge(layers, rules, log);
    return {
      spec: merged?.spec ?? empty,
      issues: log.issues.length === 0 ? none : log.issues,
    };
  };
}

/**
 * What each condition on the result is asked of: what all layers come to without its own and without the overrides that are established over
 * it, defaults from above included. The most specific ones are decided first, since others see what comes of them. Usually there are none.
 */
function resultsFor<Spec>(
  layers: Layers<Spec>,
  rules: MergeRules,
  merge: (...parameters: Parameters<Merge<Spec>>) => ReturnType<Merge<Spec>>,
): ReadonlyMap<PlacedLayer<Spec>, TracedSpec<Spec>> | undefined {
  let results: Map<PlacedLayer<Spec>, TracedSpec<Spec>> | undefined;
  for (const [place, layer] of layers.entries()) {
    if (layer.whenOn !== 'result') continue;
    results ??= new Map();
    const others = layers.filter((other, at) => at < place || (at > place && other.stanza === 'defaults'));
    const merged = merge(others, rules, { issues: [], steps: undefined, failed: [], results });
    results.set(layer, merged?.spec ?? empty);
  }
  return results;
}
