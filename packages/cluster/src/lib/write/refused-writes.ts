import { type ObjectWrite, partOf } from './object-write.ts';

/** The number of refused writes above which those to deleted objects are forgotten. */
const limit = 10_000;

/** The writes that the API server will never accept, as long as they are the same. */
export class RefusedWrites {
  readonly #isThere: (locator: string) => boolean;
  /** The refused patch of each part of an object, with the locator of the object. */
  readonly #patches = new Map<string, { readonly locator: string; readonly patch: string }>();

  /** @param isThere Returns whether an object is there. */
  constructor(isThere: (locator: string) => boolean) {
    this.#isThere = isThere;
  }

  /** Remembers a write that was refused. */
  add(write: ObjectWrite): void {
    const { locator, patch } = write;
    this.#patches.set(partOf(write), { locator, patch: JSON.stringify(patch) });
    if (this.#patches.size < limit) return;
    for (const [part, refused] of this.#patches) if (!this.#isThere(refused.locator)) this.#patches.delete(part);
  }

  /** Returns whether a write is one that was refused. Any other write to the same part of the object makes it forgotten. */
  has(write: ObjectWrite): boolean {
    const refused = this.#patches.get(partOf(write));
    if (refused === undefined) return false;
    if (refused.patch === JSON.stringify(write.patch)) return true;
    this.#patches.delete(partOf(write));
    return false;
  }
}
