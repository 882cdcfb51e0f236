/** Returns some items of a list, in their order; the same for the same seed. */
export function sampled<Item>(items: readonly Item[], count: number, seed: number): readonly Item[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
  const keys = items.map((item, index) => ({ item, index, key: next() }));
  const chosen = keys.sort((a, b) => a.key - b.key).slice(0, count);
  return chosen.sort((a, b) => a.index - b.index).map(({ item }) => item);
}
