import { getOrInsert } from '../support/get-or-insert.ts';
import { Named } from '../targets/named.ts';

/** Resources by kind, in the order of their locators. */
export class ByKind<Kind, Item extends { readonly locator: string }> {
  readonly #lists = new Map<Kind, Named<Item>>();

  add(kind: Kind, item: Item): void {
    getOrInsert(this.#lists, kind, () => new Named<Item>()).set(item.locator, item);
  }

  remove(kind: Kind, item: Item): void {
    this.#lists.get(kind)?.delete(item.locator);
  }

  /**
   * Returns the resources of some kinds.
   *
   * @param kinds The kinds. Default: all.
   */
  *of(kinds: Iterable<Kind> = this.#lists.keys()): Iterable<Item> {
    const lists = [...new Set(kinds)].map((kind) => this.#lists.get(kind)?.inOrder ?? []);
    const used = lists.filter((list) => list.length > 0);
    // The prefixes of locators end in a colon, so that the resources of two kinds do not mix.
    used.sort(([a], [b]) => ((a as Item).locator < (b as Item).locator ? -1 : 1));
    for (const list of used) yield* list;
  }
}
