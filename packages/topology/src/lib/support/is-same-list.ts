/** Returns whether two lists have equal items in each place. */
export function isSameList<Item>(
  one: readonly Item[],
  other: readonly Item[],
  isSame: (a: Item, b: Item) => boolean = Object.is,
): boolean {
  return one.length === other.length && one.every((item, place) => isSame(item, other[place] as Item));
}
