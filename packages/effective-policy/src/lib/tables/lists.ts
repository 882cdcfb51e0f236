import { PairMap } from './pair-map.ts';

/**
 * Interned lists of numbers that grow at their end: a list is a shorter list with one more item, so lists with the same beginning share it. Each is a
 * number, and 0 is the empty list.
 */
export class Lists<Id extends number, Item extends number> {
  readonly empty = 0 as Id;
  readonly #shorter: Id[] = [this.empty];
  /** The last item of each list but the empty one. */
  readonly #last: Item[] = [];
  readonly #longer = new PairMap<Id>();
  /** The lists with one more item, as a chain: the newest one of each list, and the one before it. */
  readonly #newest: Id[] = [this.empty];
  readonly #earlier: Id[] = [this.empty];

  get size(): number {
    return this.#shorter.length;
  }

  push(list: Id, item: Item): Id {
    const knownList = this.known(list, item);
    if (knownList !== undefined) return knownList;
    const longer = this.size as Id;
    this.#shorter.push(list);
    this.#last.push(item);
    this.#newest.push(this.empty);
    this.#earlier.push(this.#newest[list] ?? this.empty);
    this.#newest[list] = longer;
    return this.#longer.set(list, item, longer);
  }

  /** Returns a list with one more item if it was created before. */
  known(list: Id, item: Item): Id | undefined {
    return this.#longer.get(list, item);
  }

  /** Returns a list without its last item; the empty list if it is empty. */
  shorter(list: Id): Id {
    return this.#shorter[list] ?? this.empty;
  }

  last(list: Id): Item {
    return this.#last[list - 1] as Item;
  }

  items(list: Id): readonly Item[] {
    const items: Item[] = [];
    for (let prefix = list; prefix !== this.empty; prefix = this.shorter(prefix)) items.push(this.last(prefix));
    return items.reverse();
  }

  /** Visits a list and all lists that begin with it, until a visitor returns `true`. Returns whether one did. */
  someFrom(list: Id, visitor: (list: Id) => boolean): boolean {
    const pending = [list];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (visitor(next)) return true;
      let child = this.#newest[next];
      for (; child !== undefined && child !== this.empty; child = this.#earlier[child]) pending.push(child);
    }
    return false;
  }
}
