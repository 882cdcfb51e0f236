/** Things by their names, put in order when someone goes through them: much cheaper than with each that comes. */
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

  /** In no order. */
  values(): Iterable<Item> {
    return this.#byName.values();
  }

  /** In the order of their names. O(n log n) after a change, else O(1). */
  get inOrder(): readonly Item[] {
    this.#inOrder ??= [...this.#byName.keys()].sort().map((name) => this.#byName.get(name) as Item);
    return this.#inOrder;
  }
}
