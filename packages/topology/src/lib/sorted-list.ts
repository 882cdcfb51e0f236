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
    if (this.#gone.size * 4 > this.#sorted.length + this.#added.length) this.#drop();
  }

  /** Lets go of what is gone, lest it pile up where nobody goes through them. */
  #drop(): void {
    const isThere = (item: Item): boolean => !this.#gone.has(item);
    this.#sorted = this.#sorted.filter(isThere);
    this.#added = this.#added.filter(isThere);
    this.#gone.clear();
  }

  /** All of them. O(n) after a change, else O(1). */
  get items(): readonly Item[] {
    if (this.#added.length + this.#gone.size > 0) this.#settle();
    return this.#sorted;
  }

  #settle(): void {
    this.#drop();
    this.#sorted = [...this.#sorted, ...this.#added].sort((a, b) => (a.locator < b.locator ? -1 : 1));
    this.#added = [];
  }
}
