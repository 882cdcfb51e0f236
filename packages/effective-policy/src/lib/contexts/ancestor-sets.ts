import type { TargetNode } from '@policy-machinery/topology';
import { none } from '../support/nothing.ts';
import { Lists } from '../tables/lists.ts';

/** A set of the ancestors that paths lead through, and of the topmost target of each path without any, which stands in for them. */
export type AncestorSetId = number & { readonly of: 'ancestors' };

type AncestorId = number & { readonly of: 'ancestor' };

export class AncestorSets {
  /** The sets, as lists of numbers in order. */
  readonly #sets = new Lists<AncestorSetId, AncestorId>();
  readonly #targets: TargetNode[] = [];
  readonly #ids = new Map<TargetNode, AncestorId>();
  readonly #ordered = new Map<AncestorSetId, readonly TargetNode[]>();
  readonly #withoutStandIns = new Map<AncestorSetId, AncestorSetId>();
  readonly #isAncestor: (object: TargetNode) => boolean;

  /** @param isAncestor Returns whether an object is an ancestor, rather than a stand-in. */
  constructor(isAncestor: (object: TargetNode) => boolean) {
    this.#isAncestor = isAncestor;
  }

  get empty(): AncestorSetId {
    return this.#sets.empty;
  }

  of(targets: readonly TargetNode[]): AncestorSetId {
    return this.#setOf(targets.map((target) => this.#idOf(target)));
  }

  /** Returns the union of some sets. O(items). */
  union(sets: Iterable<AncestorSetId>): AncestorSetId {
    const distinct = new Set(sets);
    distinct.delete(this.empty);
    const [first = this.empty] = distinct;
    return distinct.size < 2 ? first : this.#setOf([...distinct].flatMap((set) => this.#sets.items(set)));
  }

  withoutStandIns(set: AncestorSetId): AncestorSetId {
    const knownSet = this.#withoutStandIns.get(set);
    if (knownSet !== undefined) return knownSet;
    const ancestors = this.of(this.#targetsOf(set).filter(({ object }) => this.#isAncestor(object)));
    this.#withoutStandIns.set(set, ancestors);
    return ancestors;
  }

  /** Returns the targets of a set in the order of their locators; the same list on each call, because many scopes share few sets. */
  inOrder(set: AncestorSetId): readonly TargetNode[] {
    if (set === this.empty) return none;
    const knownTargets = this.#ordered.get(set);
    if (knownTargets !== undefined) return knownTargets;
    const targets = inOrder(this.#targetsOf(set));
    this.#ordered.set(set, targets);
    return targets;
  }

  #targetsOf(set: AncestorSetId): readonly TargetNode[] {
    return this.#sets.items(set).flatMap((id) => this.#targets[id] ?? none);
  }

  #idOf(target: TargetNode): AncestorId {
    const knownId = this.#ids.get(target);
    if (knownId !== undefined) return knownId;
    const id = this.#targets.length as AncestorId;
    this.#targets.push(target);
    this.#ids.set(target, id);
    return id;
  }

  #setOf(ids: readonly AncestorId[]): AncestorSetId {
    let set = this.empty;
    for (const id of [...new Set(ids)].sort((a, b) => a - b)) set = this.#sets.push(set, id);
    return set;
  }
}

/** Returns targets in the order of their locators. */
export function inOrder(targets: Iterable<TargetNode>): readonly TargetNode[] {
  const named = Array.from(targets, (target) => [target.locator, target] as const); // A locator is formatted each time it is read.
  return named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, target]) => target);
}
