/** Returns items and all that follow from them, each once. O(items + steps). */
export function closureOf<Item>(starts: Iterable<Item>, next: (item: Item) => Iterable<Item>): Set<Item> {
  const reached = new Set(starts);
  for (const item of reached) for (const following of next(item)) reached.add(following); // The loop visits added items, too.
  return reached;
}
