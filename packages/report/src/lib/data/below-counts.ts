import type { BelowRow, NodeId } from './report-data.ts';

/** The contexts of a target that are merged alike: their group, and the targets that their paths pass. */
export interface Passing {
  readonly group: number;
  readonly passed: readonly NodeId[];
}

/** The contexts below a target. */
interface Count {
  readonly groups: Map<number, number>;
  /** How many of the contexts belong to other objects. */
  others: number;
}

/**
 * How many contexts of each group are below each target. The contexts of a target are counted at all targets that their paths pass, so that the cost
 * of a change depends on the change alone.
 */
export class BelowCounts {
  readonly #passing = new Map<NodeId, readonly Passing[]>();
  readonly #counts = new Map<NodeId, Count>();
  readonly #touched = new Set<NodeId>();
  readonly #objectOf: (id: NodeId) => NodeId;

  /** @param objectOf Returns the object of a target. */
  constructor(objectOf: (id: NodeId) => NodeId) {
    this.#objectOf = objectOf;
  }

  /** Counts the contexts of a target, in place of those that it had. */
  set(id: NodeId, passing: readonly Passing[]): void {
    for (const each of this.#passing.get(id) ?? []) this.#add(id, each, -1);
    if (passing.length === 0) this.#passing.delete(id);
    else this.#passing.set(id, passing);
    for (const each of passing) this.#add(id, each, 1);
  }

  /** Removes a target: its contexts, and the counts below it. */
  remove(id: NodeId): void {
    this.set(id, []);
    this.#counts.delete(id);
  }

  /** Returns the targets with counts that have changed after the last call. */
  takeTouched(): ReadonlySet<NodeId> {
    const touched = new Set(this.#touched);
    this.#touched.clear();
    return touched;
  }

  /** Returns how many contexts are below a target; 0 if all belong to its own object. */
  rowOf(id: NodeId): BelowRow | 0 {
    const { groups, others } = this.#counts.get(id) ?? { groups: new Map(), others: 0 };
    const isOwn = others === 0 && this.#objectOf(id) === id;
    return isOwn || groups.size === 0 ? 0 : Object.fromEntries(groups);
  }

  #add(from: NodeId, { group, passed }: Passing, by: 1 | -1): void {
    const owner = this.#objectOf(from);
    for (const id of passed) {
      const targetCounts =
        this.#counts.get(id) ?? (by === 1 ? { groups: new Map<number, number>(), others: 0 } : undefined);
      if (targetCounts === undefined) continue; // The target is gone.
      this.#counts.set(id, targetCounts);
      const count = (targetCounts.groups.get(group) ?? 0) + by;
      if (count === 0) targetCounts.groups.delete(group);
      else targetCounts.groups.set(group, count);
      if (owner !== id) targetCounts.others += by;
      this.#touched.add(id);
    }
  }
}
