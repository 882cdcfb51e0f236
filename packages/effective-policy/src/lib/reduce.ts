import { atomic } from '@policy-machinery/merge';
import type { Choice, Reduction } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import type { PlacedLayer } from './layout.ts';
import { isOwnLayer } from './own-value.ts';
import {
  choiceOf,
  type MergeLog,
  type MergeRules,
  type MergeStep,
  meets,
  mergeParts,
  type Part,
  partOf,
  standAlone,
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

/** Chooses the strategy by which a part is merged with what lies beneath it. */
type Choose<Spec> = (part: Part<Spec>, beneath: Part<Spec>) => Choice;

/**
 * From the most specific layer upwards, each one's strategy applies to all that lies beneath it (K-11, X-04). Where the kind
 * says so, the layers of one object are merged among themselves first (G-04).
 */
function bottomUp<Spec>(parts: readonly Part<Spec>[], rules: MergeRules, log: MergeLog<Spec>): Part<Spec> | undefined {
  const { withinObject } = rules;
  if (withinObject !== undefined) return groupByGroup(consecutive(parts, objectOf), rules, log, () => withinObject);
  const singles = parts.map((part) => [part]);
  return groupByGroup(singles, rules, log);
}

/** First the parts of one group among themselves, as they choose; then each group with all before it. */
function groupByGroup<Spec>(
  groups: readonly (readonly Part<Spec>[])[],
  rules: MergeRules,
  log: MergeLog<Spec>,
  choose: Choose<Spec> = (part, beneath) => choiceOf(part, beneath, rules, log),
): Part<Spec> | undefined {
  const within = (group: readonly Part<Spec>[], start: (first: Part<Spec>) => Part<Spec> | undefined) =>
    group.reduce<Part<Spec> | undefined>((inner, part) => {
      return inner === undefined ? start(part) : mergeParts(part, inner, choose(part, inner), rules, log);
    }, undefined);

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
    beneath = merged === undefined ? below : mergeParts(merged, below, choiceOf(merged, below, rules, log), rules, log);
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
    return beneath === undefined ? last : mergeParts(last, beneath, choiceOf(last, beneath, rules, log), rules, log);
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

/** The most specific level and the next one only (E-02); all others give way to what these come to. */
function closestParent<Spec>(
  parts: readonly Part<Spec>[],
  rules: MergeRules,
  log: MergeLog<Spec>,
): Part<Spec> | undefined {
  const isOwn = ({ standing }: Part<Spec>): boolean => isOwnLayer(standing);
  const [own, policies] = [parts.filter(isOwn), parts.filter((part) => !isOwn(part))];
  const levels = consecutive(policies, ({ standing }) => standing.level);
  const near = levels.slice(0, 2);
  const isBeneath = parts[0] !== undefined && isOwn(parts[0]);
  const merged = groupByGroup(isBeneath ? [own, ...near] : [...near, own], rules, log);
  if (merged === undefined) return undefined;
  for (const { spec } of levels.slice(2).flat()) {
    const sides = { established: spec, challenger: merged.spec, result: merged.spec };
    log.steps.push({ ...sides, strategy: atomic, stanza: 'defaults', ruleBetween: ruleBy(rules.order) });
  }
  return merged;
}

/** What a target says itself is no part of the object's policies. */
function objectOf<Spec>({ standing }: Part<Spec>): unknown {
  return isOwnLayer(standing) ? standing : standing.level.target.object;
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

/** Splits a list wherever the key changes. */
function consecutive<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): readonly Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && keyOf(group[0]) === keyOf(item)) group.push(item);
    else groups.push([item]);
  }
  return groups;
}
