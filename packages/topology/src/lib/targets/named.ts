/** Items by name. They are sorted on iteration, which costs much less than to keep them sorted. */
export class Named<Item> {
  readonly #byName = new Map<string, Item>();
  #inOrder: readonly Item[] | undefined = undefined;

  get size(): number {
    return this.#byName.size;
  }

  get(name: string): Item | undefined {
    return this.#byName.get(name);
  }

  set(name: string, item: Item): void {
    this.#byName.set(name, item);
    this.#inOrder = undefined;
  }

  delete(name: string): void {
    this.#byName.delete(name);
    this.#inOrder = undefined;
  }

  /** Returns the items in no order. */
  values(): Iterable<Item> {
    return this.#byName.values();
  }

  /** The items in the order of their names. O(n log n) after a change, otherwise O(1). */
  get inOrder(): readonly Item[] {
    this.#inOrder ??= [...this.#byName].sort(([some], [other]) => (some < other ? -1 : 1)).map(([, item]) => item);
    return this.#inOrder;
  }
}
