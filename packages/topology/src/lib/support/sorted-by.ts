/** Returns items in the order of texts that are made of each once, compared by code units. */
export function sortedBy<Item>(items: Iterable<Item>, textOf: (item: Item) => string): readonly Item[] {
  const keyed = Array.from(items, (item) => ({ item, text: textOf(item) }));
  return keyed.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text))).map(({ item }) => item);
}
