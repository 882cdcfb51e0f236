/** How soon a write is sent: 0 before all others to the same kind, 3 after them. */
export type WritePriority = 0 | 1 | 2 | 3;

export interface QueuedItem {
  readonly kind: string;
  readonly priority: WritePriority;
}

/** Items of several kinds, which take turns. The items of a kind are in the order of their priority, then in the order of arrival. */
export class FairQueue<Item extends QueuedItem> {
  /** The items of each kind by priority; the kind that is next comes first. */
  readonly #kinds = new Map<string, readonly Set<Item>[]>();

  add(item: Item): void {
    const levels = this.#kinds.get(item.kind) ?? [new Set(), new Set(), new Set(), new Set()];
    levels[item.priority]?.add(item);
    this.#kinds.set(item.kind, levels);
  }

  delete(item: Item): void {
    const levels = this.#kinds.get(item.kind);
    levels?.[item.priority]?.delete(item);
    if (levels?.every(({ size }) => size === 0)) this.#kinds.delete(item.kind);
  }

  /**
   * Takes the next item. O(kinds), and the items before it that are not free.
   *
   * @param isOpen Returns whether items of a kind may be taken.
   * @param isFree Returns whether an item may be taken.
   * @returns The item; `undefined` if none may be taken.
   */
  take(isOpen: (kind: string) => boolean, isFree: (item: Item) => boolean): Item | undefined {
    for (const [kind, levels] of this.#kinds) {
      const item = isOpen(kind) ? firstOf(levels, isFree) : undefined;
      if (item === undefined) continue;
      this.#kinds.delete(kind);
      this.#kinds.set(kind, levels); // Behind all other kinds.
      this.delete(item);
      return item;
    }
    return undefined;
  }
}

function firstOf<Item>(levels: readonly Set<Item>[], matches: (item: Item) => boolean): Item | undefined {
  for (const items of levels) for (const item of items) if (matches(item)) return item;
  return undefined;
}
