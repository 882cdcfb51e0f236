import type { TargetNode } from '@policy-machinery/topology';

/** An immutable set of targets. */
export type TargetSet = ReadonlySet<TargetNode>;

/** Creates sets of targets from others. The same additions to the same set result in the same set. */
export class TargetSets {
  readonly empty: TargetSet = new Set();
  readonly #larger = new Map<TargetSet, Map<TargetNode, TargetSet>>();

  /** Returns a set with one more target. */
  with(set: TargetSet, target: TargetNode): TargetSet {
    if (set.has(target)) return set;
    const known = this.#larger.get(set) ?? new Map<TargetNode, TargetSet>();
    this.#larger.set(set, known);
    const larger = known.get(target) ?? new Set([...set, target]);
    known.set(target, larger);
    return larger;
  }

  /** Returns the union of two sets. Usually one of them contains the other. O(smaller set). */
  union(a: TargetSet, b: TargetSet): TargetSet {
    if (a === b) return a;
    const [small, large] = a.size < b.size ? [a, b] : [b, a];
    let all = large;
    for (const target of small) all = this.with(all, target);
    return all;
  }
}

const single = new WeakMap<TargetNode, TargetSet>();

/** Returns the set of one target; the same set on each call, since many are needed. */
export function onlyOne(target: TargetNode): TargetSet {
  const set = single.get(target) ?? new Set([target]);
  single.set(target, set);
  return set;
}

const ordered = new WeakMap<TargetSet, readonly TargetNode[]>();

/** Returns the targets of a set in the order of their locators; the same list on each call, since many scopes share few sets. */
export function inOrder(set: TargetSet): readonly TargetNode[] {
  const known = ordered.get(set);
  if (known !== undefined) return known;
  const targets = [...set].sort((a, b) => (a.locator < b.locator ? -1 : 1));
  ordered.set(set, targets);
  return targets;
}
