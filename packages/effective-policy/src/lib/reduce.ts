import { atomic } from '@policy-machinery/merge';
import type { Reduction } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import { consecutive, groupsOf } from './choice.ts';
import type { PlacedLayer } from './layout.ts';
import { isOwnLayer } from './own-value.ts';
import {
  type MergeLog,
  type MergeRules,
  type MergeStep,
  meets,
  mergeParts,
  type Part,
  partOf,
  standAlone,
  strategyBetween,
  type TracedSpec,
} from './part.ts';
import { ruleBy } from './rule.ts';

/** The one spec that a context's layers came to. */
export interface Reduced<Spec> {
  readonly spec: TracedSpec<Spec>;
  /** Layers whose strategy or condition failed; each says what was done instead. */
  readonly issues: readonly Issue[];
  /** The merges that led to the spec. */
  readonly steps: readonly MergeStep<Spec>[];
}

/** The layers of a context, the first one to be merged first. */
export type Layers<Spec> = readonly [PlacedLayer<Spec>, ...PlacedLayer<Spec>[]];

/** Reduces the layers of a context to one spec. */
export type Reducer = <Spec>(layers: Layers<Spec>, rules: MergeRules) => Reduced<Spec>;

/** Merges parts, each with all before it. */
type Merge<Spec> = (parts: readonly Part<Spec>[], rules: MergeRules, log: MergeLog<Spec>) => Part<Spec> | undefined;

/**
 * From the most specific layer upwards, each one's strategy applies to all that lies beneath it (K-11, X-04). Where the kind
 * says so, the layers of one object (G-04) or of one level are merged among themselves first.
 */
function bottomUp<Spec>(parts: readonly Part<Spec>[], rules: MergeRules, log: MergeLog<Spec>): Part<Spec> | undefined {
  return groupByGroup(
    groupsOf(parts, ({ standing }) => standing, rules),
    rules,
    log,
  );
}

/** First the parts of one group among themselves; then each group with all before it. */
function groupByGroup<Spec>(
  groups: readonly (readonly Part<Spec>[])[],
  rules: MergeRules,
  log: MergeLog<Spec>,
): Part<Spec> | undefined {
  const merge = (part: Part<Spec>, beneath: Part<Spec>): Part<Spec> =>
    mergeParts(part, beneath, strategyBetween(part, beneath, rules, log), rules, log);
  const within = (group: readonly Part<Spec>[], start: (first: Part<Spec>) => Part<Spec> | undefined) =>
    group.reduce<Part<Spec> | undefined>(
      (inner, part) => (inner === undefined ? start(part) : merge(part, inner)),
      undefined,
    );

  let beneath: Part<Spec> | undefined;
  for (const group of groups) {
    if (beneath === undefined) {
      beneath = within(group, (first) => standAlone(first, log));
      continue;
    }
    const ready: Part<Spec>[] = [];
    const unset = [...beneath.unset];
    for (const part of group) {
      if (meets(part, beneath, log)) ready.push({ ...part, when: undefined });
      else unset.push(...part.unset);
    }
    const below: Part<Spec> = { ...beneath, unset };
    const merged = within(ready, (first) => first);
    beneath = merged === undefined ? below : merge(merged, below);
  }
  return beneath;
}

/**
 * GEP-713's stack process to the letter: the result of each merge takes the strategy of its second policy (M-10). It knows no
 * conditions; each is asked of the next more specific layer that applies.
 */
function gepStack<Spec>(parts: readonly Part<Spec>[], rules: MergeRules, log: MergeLog<Spec>): Part<Spec> | undefined {
  const last = parts.at(-1);
  if (parts.length > 1 && last !== undefined && isOwnLayer(last.standing)) {
    const beneath = gepStack(parts.slice(0, -1), rules, log); // What the target says above all policies is no policy.
    if (beneath === undefined) return last;
    return mergeParts(last, beneath, strategyBetween(last, beneath, rules, log), rules, log);
  }
  const stack: Part<Spec>[] = [];
  for (const part of parts) {
    const below = stack.at(-1);
    const applies = below === undefined || meets(part, below, log);
    const ready = below === undefined ? standAlone(part, log) : { ...part, when: undefined };
    if (applies && ready !== undefined) stack.push(ready);
  }
  return stack.reduceRight<Part<Spec> | undefined>((established, part) => {
    if (established === undefined) return part;
    const { strategy, dialectName } = established.standing.dictatedBy;
    const choice = { strategy, stanza: established.standing.stanza, dialectName };
    const merged = mergeParts(established, part, choice, rules, log);
    return { ...merged, standing: part.standing };
  }, undefined);
}

/**
 * The most specific level and its closest parent, the next level on another object (E-02). All others give way to what these
 * come to.
 */
function closestParent<Spec>(
  parts: readonly Part<Spec>[],
  rules: MergeRules,
  log: MergeLog<Spec>,
): Part<Spec> | undefined {
  const isOwn = ({ standing }: Part<Spec>): boolean => isOwnLayer(standing);
  const [own, policies] = [parts.filter(isOwn), parts.filter((part) => !isOwn(part))];
  const [nearest = [], ...farther] = consecutive(policies, ({ standing }) => standing.level);
  const parent = farther.find(
    ([part]) => part?.standing.level.target.object !== nearest[0]?.standing.level.target.object,
  );
  const near = parent === undefined ? [nearest] : [nearest, parent];
  const isBeneath = parts[0] !== undefined && isOwn(parts[0]);
  const merged = groupByGroup(isBeneath ? [own, ...near] : [...near, own], rules, log);
  if (merged === undefined) return undefined;
  for (const { spec } of farther.filter((level) => level !== parent).flat()) {
    const sides = { established: spec, challenger: merged.spec, result: merged.spec };
    log.steps.push({ ...sides, strategy: atomic, stanza: 'defaults', ruleBetween: ruleBy(rules.order) });
  }
  return merged;
}

export const reducers: Readonly<Record<Reduction, Reducer>> = {
  'bottom-up': reducerBy(bottomUp),
  'gep-stack': reducerBy(gepStack),
  'closest-parent': reducerBy(closestParent),
};

function reducerBy(merge: <Spec>(...parameters: Parameters<Merge<Spec>>) => ReturnType<Merge<Spec>>): Reducer {
  return <Spec>(layers: Layers<Spec>, rules: MergeRules): Reduced<Spec> => {
    const log: MergeLog<Spec> = { issues: [], steps: [], failed: new Set() };
    const merged = merge(layers.map(partOf), rules, log);
    const { issues, steps } = log;
    return { spec: merged?.spec ?? { value: {}, origins: { fields: new Map() } }, issues, steps };
  };
}
