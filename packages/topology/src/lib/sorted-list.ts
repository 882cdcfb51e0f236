/** Things in the order of their locators, sorted when somebody goes through them: much cheaper than with each that comes. */
export class SortedList<Item extends { readonly locator: string }> {
  #sorted: readonly Item[] = [];
  #added: Item[] = [];
  readonly #gone = new Set<Item>();

  add(item: Item): void {
    if (!this.#gone.delete(item)) this.#added.push(item);
    this.#settleOften();
  }

  remove(item: Item): void {
    this.#gone.add(item);
    this.#settleOften();
  }

  /** Lest what has come and gone pile up where nobody goes through them. */
  #settleOften(): void {
    if (this.#gone.size > 1000 && this.#gone.size > this.#sorted.length) this.#settle();
  }

  /** All of them. O(n) after a change, else O(1). */
  get items(): readonly Item[] {
    if (this.#added.length + this.#gone.size > 0) this.#settle();
    return this.#sorted;
  }

  #settle(): void {
    const all = [...this.#sorted, ...this.#added].filter((item) => !this.#gone.has(item));
    this.#sorted = all.sort((a, b) => (a.locator < b.locator ? -1 : 1));
    this.#added = [];
    this.#gone.clear();
  }
}
