/** Things in the order of their locators, sorted when somebody goes through them: much cheaper than with each that comes. */
export class SortedList<Item extends { readonly locator: string }> {
  #sorted: readonly Item[] = [];
  #added: Item[] = [];
  readonly #gone = new Set<Item>();

  add(item: Item): void {
    if (!this.#gone.delete(item)) this.#added.push(item);
  }

  remove(item: Item): void {
    this.#gone.add(item);
  }

  /** All of them. O(n) after a change, else O(1). */
  get items(): readonly Item[] {
    if (this.#added.length + this.#gone.size > 0) {
      const all = [...this.#sorted, ...this.#added].filter((item) => !this.#gone.has(item));
      this.#sorted = all.sort((a, b) => (a.locator < b.locator ? -1 : 1));
      this.#added = [];
      this.#gone.clear();
    }
    return this.#sorted;
  }
}
