/**
 * How many sections the references of one target may lead to, beside those that each of them leads to alone: Gateway API allows a route
 * 32 parents, and a Gateway 64 listeners.
 */
export const maxSections = 2048;

/** How many sections the references of one target may still lead to. */
export class SectionAllowance {
  #left = maxSections;

  /** Whether a reference may lead to so many sections; then they are taken. */
  take(count: number): boolean {
    if (count <= 1) return true;
    if (count > this.#left) return false;
    this.#left -= count;
    return true;
  }
}
