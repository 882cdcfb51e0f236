/*
 * fold/ takes the levels of one context and returns one spec with the origin of each field. A layer is one stanza of a policy; an operand of
 * a merge is a layer, or the result of several layers.
 */
import type { Fold } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import { none } from '../support/nothing.ts';
import { groupEnd } from './choice.ts';
import type { ContextLayer, TracedSpec } from './context-layer.ts';
import { isOwnLayer } from './context-layer.ts';
import {
  empty,
  type MergeLog,
  type MergeRules,
  type MergeStep,
  meets,
  mergeOperands,
  type Nothing,
  type Operand,
  operandIn,
  standAlone,
  strategyBetween,
  unconditional,
  withUnsetOf,
} from './operand.ts';

/** The result of merging the layers of a context. */
export interface Folded<Spec> {
  readonly spec: TracedSpec<Spec>;
  /** Layers with a failed strategy or condition; each names the replacement. */
  readonly issues: readonly Issue[];
}

export type Layers<Spec> = readonly [ContextLayer<Spec>, ...ContextLayer<Spec>[]];

/**
 * Folds the layers of a context into one spec.
 *
 * @param steps Receives the merges, which hold every intermediate spec. Default: the merges are not recorded.
 */
export type FoldLayers = <Spec>(layers: Layers<Spec>, rules: MergeRules, steps?: MergeStep<Spec>[]) => Folded<Spec>;

/** Merges layers, each with the result of those before it. */
type Merge<Spec> = (
  layers: readonly ContextLayer<Spec>[],
  rules: MergeRules,
  log: MergeLog<Spec>,
) => Operand<Spec> | undefined;

/**
 * Merges from the most specific layer upwards: the strategy of each layer applies to the result of all layers below. If the kind
 * says so, the layers of one object or of one level are merged among themselves first.
 */
function bottomUp<Spec>(
  layers: readonly ContextLayer<Spec>[],
  rules: MergeRules,
  log: MergeLog<Spec>,
): Operand<Spec> | undefined {
  const merge = (operand: Operand<Spec>, below: Operand<Spec>): Operand<Spec> =>
    mergeOperands(operand, below, strategyBetween(operand, below, rules, log), rules, log);

  let below: Operand<Spec> | Nothing<Spec> = { unset: [] };
  for (let start = 0, end = 0; start < layers.length; start = end) {
    end = groupEnd(layers, start, rules);
    if (!isOperand(below) || end === start + 1) {
      for (let index = start; index < end; index += 1) {
        const operand = operandIn(layers[index] as ContextLayer<Spec>, log);
        if (isOperand(below)) below = merge(operand, below);
        else below = standAlone(operand, below, log) ?? withUnsetOf(below, operand);
      }
      continue;
    }
    const lower: Operand<Spec> = below;
    const group = layers.slice(start, end).map((layer) => operandIn(layer, log));
    const ready = group.filter((operand) => meets(operand, lower, log));
    const idle = group.filter((operand) => !ready.includes(operand));
    const applicable = idle.reduce((it, operand) => withUnsetOf(it, operand), lower);
    const [first, ...later] = ready.map(unconditional);
    const merged = first && later.reduce<Operand<Spec>>((inner, operand) => merge(operand, inner), first);
    below = merged === undefined ? applicable : merge(merged, applicable);
  }
  return isOperand(below) ? below : undefined;
}

function isOperand<Spec>(below: Operand<Spec> | Nothing<Spec>): below is Operand<Spec> {
  return 'spec' in below;
}

/**
 * Merges by the stack process of GEP-713 to the letter: the result of each merge takes the strategy of the second policy. The process
 * does not define conditions: each is evaluated on the next more specific layer that applies.
 */
function gepStack<Spec>(
  layers: readonly ContextLayer<Spec>[],
  rules: MergeRules,
  log: MergeLog<Spec>,
): Operand<Spec> | undefined {
  const above = layers.at(-1);
  if (layers.length > 1 && above !== undefined && isOwnLayer(above)) {
    const below = gepStack(layers.slice(0, -1), rules, log); // An own value above all policies is not a policy.
    const last = operandIn(above, log);
    if (below === undefined) return last;
    return mergeOperands(last, below, strategyBetween(last, below, rules, log), rules, log);
  }
  const stack: Operand<Spec>[] = [];
  let nothing: Nothing<Spec> = { unset: [] };
  for (const operand of layers.map((layer) => operandIn(layer, log))) {
    const below = stack.at(-1);
    if (below === undefined) {
      const first = standAlone(operand, nothing, log);
      if (first === undefined) nothing = withUnsetOf(nothing, operand);
      else stack.push(first);
    } else if (meets(operand, below, log)) stack.push(unconditional(operand));
    else stack.splice(-1, 1, withUnsetOf(below, operand));
  }
  return stack.reduceRight<Operand<Spec> | undefined>((established, operand) => {
    if (established === undefined) return operand;
    const { strategy, dialectName, because } = established.lastLayer.strategyFrom;
    const choice = { strategy, stanza: established.lastLayer.stanza, dialectName, because };
    const merged = mergeOperands(established, operand, choice, rules, log);
    return { ...merged, lastLayer: operand.lastLayer };
  }, undefined);
}

export const folds: Readonly<Record<Fold, FoldLayers>> = {
  'bottom-up': foldBy(bottomUp),
  'gep-stack': foldBy(gepStack),
  'closest-parent': foldBy(bottomUp), // The order of layers leaves two levels.
};

function foldBy(merge: <Spec>(...parameters: Parameters<Merge<Spec>>) => ReturnType<Merge<Spec>>): FoldLayers {
  return <Spec>(layers: Layers<Spec>, rules: MergeRules, steps?: MergeStep<Spec>[]): Folded<Spec> => {
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
 * Returns the specs that conditions on the result are evaluated on: the result of all layers, except for the layer with the condition and
 * the overrides above that layer. The most specific conditions are decided first, because the others depend on them. Usually there are none.
 */
function resultsFor<Spec>(
  layers: Layers<Spec>,
  rules: MergeRules,
  merge: (...parameters: Parameters<Merge<Spec>>) => ReturnType<Merge<Spec>>,
): ReadonlyMap<ContextLayer<Spec>, TracedSpec<Spec>> | undefined {
  let results: Map<ContextLayer<Spec>, TracedSpec<Spec>> | undefined;
  for (const [place, layer] of layers.entries()) {
    if (layer.whenOn !== 'result') continue;
    results ??= new Map();
    const others = layers.filter((other, index) => index < place || (index > place && other.stanza === 'defaults'));
    const merged = merge(others, rules, { issues: [], steps: undefined, failed: [], results });
    results.set(layer, merged?.spec ?? empty);
  }
  return results;
}
