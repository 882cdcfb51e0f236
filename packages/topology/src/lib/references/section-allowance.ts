/**
 * The maximum number of sections that the references of one target lead to, apart from references that lead to one section: Gateway API allows a
 * route 32 parents, and a Gateway 64 listeners.
 */
export const maxSections = 2048;

/** The number of sections that the references of one target may still lead to. */
export class SectionAllowance {
  #left = maxSections;

  /** Takes the sections of a reference from the allowance. Returns whether they were left. */
  take(count: number): boolean {
    if (count <= 1) return true;
    if (count > this.#left) return false;
    this.#left -= count;
    return true;
  }
}
