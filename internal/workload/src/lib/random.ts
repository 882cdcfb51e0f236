/** Random numbers that are the same for the same seed, on every machine. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  readonly int: (limit: number) => number;
  /** Whether something of this probability happens. */
  readonly chance: (probability: number) => boolean;
  /** One item, each as likely as the other. Throws `RangeError` for an empty list, as the next two do. */
  readonly pick: <Item>(list: readonly Item[]) => Item;
  /** One item, the first ones far likelier than the last: of 100 items the first comes in every tenth time. */
  readonly pickSkewed: <Item>(list: readonly Item[]) => Item;
  /** One item, as likely as its weight says. */
  readonly pickWeighted: <Item extends { readonly weight: number }>(list: readonly Item[]) => Item;
  /** A copy of the list in another order. */
  readonly shuffle: <Item>(list: readonly Item[]) => Item[];
}

/**
 * Creates a source of random numbers (mulberry32).
 *
 * @param seed An integer; only its lower 32 bits count.
 */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (limit: number): number => Math.floor(fraction() * limit);
  return {
    int,
    chance: (probability) => fraction() < probability,
    pick: (list) => itemAt(list, int(list.length)),
    pickSkewed: (list) => itemAt(list, Math.floor(fraction() ** 2 * list.length)),
    pickWeighted(list) {
      let left = fraction() * list.reduce((sum, { weight }) => sum + weight, 0);
      const found = list.findIndex(({ weight }) => {
        left -= weight;
        return left < 0;
      });
      return itemAt(list, found);
    },
    shuffle(list) {
      const copy = [...list];
      for (let at = copy.length - 1; at > 0; at -= 1) {
        const other = int(at + 1);
        [copy[at], copy[other]] = [itemAt(copy, other), itemAt(copy, at)];
      }
      return copy;
    },
  };
}

function itemAt<Item>(list: readonly Item[], index: number): Item {
  if (index < 0 || index >= list.length) throw new RangeError('There is nothing to pick from');
  return list[index] as Item;
}
