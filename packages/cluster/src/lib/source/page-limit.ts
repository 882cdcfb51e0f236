/** The most objects in a page of a list. */
const mostObjects = 500;

/**
 * The `limit` of the pages of a list: as many objects as an answer has room for. Halved by each page that is too long, and doubled by each page that is
 * far from it. Keep it for further lists of the same kind.
 */
export class PageLimit {
  #objects = mostObjects;

  /** The number of objects in the next page. */
  get objects(): number {
    return this.#objects;
  }

  /** Whether a page was too long before. */
  get isReduced(): boolean {
    return this.#objects < mostObjects;
  }

  /** Halves the limit. Returns `false` if it is one object. */
  reduce(): boolean {
    const isPossible = this.#objects > 1;
    if (isPossible) this.#objects = Math.floor(this.#objects / 2);
    return isPossible;
  }

  /** Doubles the limit if it was reduced, up to half of the first limit, so that it stays reduced. */
  raise(): void {
    if (this.isReduced) this.#objects = Math.min(this.#objects * 2, mostObjects / 2);
  }
}
