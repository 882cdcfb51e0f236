import { createHash } from 'node:crypto';

/**
 * Returns some items of a list, in their order: the same for the same seed. An item is chosen by its own key, so that the others in a sample
 * stay where some items come or go.
 */
export function sampled<Item>(
  items: readonly Item[],
  { count, seed, keyOf }: { readonly count: number; readonly seed: number; readonly keyOf: (item: Item) => string },
): readonly Item[] {
  const seen = new Map<string, number>();
  const ranked = items.map((item, index) => {
    const key = keyOf(item);
    const earlier = seen.get(key) ?? 0;
    seen.set(key, earlier + 1);
    const rank = createHash('sha256').update(`${seed} ${earlier} ${key}`).digest('hex');
    return { item, index, rank };
  });
  const chosen = ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, count);
  return chosen.sort((a, b) => a.index - b.index).map(({ item }) => item);
}
