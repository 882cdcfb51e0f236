/** How soon a write is sent: 0 before all others, 3 after them. */
export type WritePriority = 0 | 1 | 2 | 3;

/** An item of a queue. */
export interface QueuedItem {
  /** The kind of its object. */
  readonly kind: string;
  readonly priority: WritePriority;
}

/** Items in the order of their priority. Among kinds with items of the same priority, each has its turn; within a kind, the first comes first. */
export class FairQueue<Item extends QueuedItem> {
  readonly #levels: readonly Map<string, Set<Item>>[] = [new Map(), new Map(), new Map(), new Map()];

  /** Adds an item. */
  add(item: Item): void {
    const level = this.#levels[item.priority];
    const items = level?.get(item.kind) ?? new Set();
    level?.set(item.kind, items.add(item));
  }

  /** Removes an item, with the priority that it was added with. */
  delete(item: Item): void {
    const level = this.#levels[item.priority];
    const items = level?.get(item.kind);
    items?.delete(item);
    if (items?.size === 0) level?.delete(item.kind);
  }

  /**
   * Takes the next item. O(kinds), and the items before it that may not be taken.
   *
   * @param isOpen Returns whether items of a kind may be taken.
   * @param isFree Returns whether an item may be taken.
   * @returns The item; `undefined` if none may be taken.
   */
  take(isOpen: (kind: string) => boolean, isFree: (item: Item) => boolean): Item | undefined {
    for (const level of this.#levels) {
      for (const [kind, items] of level) {
        if (!isOpen(kind)) continue;
        for (const item of items) {
          if (!isFree(item)) continue;
          items.delete(item);
          level.delete(kind);
          if (items.size > 0) level.set(kind, items); // Behind all other kinds.
          return item;
        }
      }
    }
    return undefined;
  }
}
