import type { TargetNode } from '@policy-machinery/topology';

/** Some targets. */
export type TargetSet = ReadonlySet<TargetNode>;

/** Makes sets of targets by adding to others; where two ways add the same to the same, the set is the same. */
export class TargetSets {
  readonly empty: TargetSet = new Set();
  readonly #larger = new Map<TargetSet, Map<TargetNode, TargetSet>>();

  /** The set with one more target. */
  with(set: TargetSet, target: TargetNode): TargetSet {
    if (set.has(target)) return set;
    const known = this.#larger.get(set) ?? new Map<TargetNode, TargetSet>();
    this.#larger.set(set, known);
    const larger = known.get(target) ?? new Set([...set, target]);
    known.set(target, larger);
    return larger;
  }

  /** What is in one of two sets; usually one of them has it all. O(smaller of both). */
  union(a: TargetSet, b: TargetSet): TargetSet {
    if (a === b) return a;
    const [small, large] = a.size < b.size ? [a, b] : [b, a];
    let all = large;
    for (const target of small) all = this.with(all, target);
    return all;
  }
}

const single = new WeakMap<TargetNode, TargetSet>();

/** The set of one target: the same one for all, for there are many. */
export function onlyOne(target: TargetNode): TargetSet {
  const set = single.get(target) ?? new Set([target]);
  single.set(target, set);
  return set;
}

const ordered = new WeakMap<TargetSet, readonly TargetNode[]>();

/** The targets of a set in the order of their locators: the same list for all who ask, for many scopes share few sets. */
export function inOrder(set: TargetSet): readonly TargetNode[] {
  const known = ordered.get(set);
  if (known !== undefined) return known;
  const targets = [...set].sort((a, b) => (a.locator < b.locator ? -1 : 1));
  ordered.set(set, targets);
  return targets;
}
