/** Returns whether two lists have equal items in each place. */
export function isSameList<Item>(
  items: readonly Item[],
  other: readonly Item[],
  isSame: (a: Item, b: Item) => boolean = Object.is,
): boolean {
  return items.length === other.length && items.every((item, place) => isSame(item, other[place] as Item));
}
