/** After so many objects in a row, it is the kind that may not be written to, and not some of its objects. */
const several = 3;

/** Tells kinds that may not be written to from single objects that an admission policy or a webhook refuses. */
export class ForbiddenKinds {
  /** The objects of each kind that the authorizer has refused since the last write to the kind, by locator. */
  readonly #refused = new Map<string, Set<string>>();

  /** Takes a refusal by the authorizer. Returns whether several objects were refused, and none was written to meanwhile. */
  add(kind: string, locator: string): boolean {
    const locators = this.#refused.get(kind) ?? new Set<string>();
    this.#refused.set(kind, locators);
    if (locators.size < several) locators.add(locator);
    return locators.size >= several;
  }

  /** Takes a write that was made to an object of a kind. */
  made(kind: string): void {
    this.#refused.delete(kind);
  }
}
