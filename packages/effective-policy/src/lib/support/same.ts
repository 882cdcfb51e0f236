/** Returns whether two lists have the same items in the same order. */
export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || isEqualList(a, b, Object.is);
}

/** Returns whether two sets have the same members. */
export function isSameSet<Item>(a: ReadonlySet<Item>, b: ReadonlySet<Item>): boolean {
  if (a.size !== b.size) return false;
  for (const item of a) if (!b.has(item)) return false;
  return true;
}

export function isEqualList<Item>(
  a: readonly Item[],
  b: readonly Item[],
  isEqual: (a: Item, b: Item) => boolean,
): boolean {
  if (a.length !== b.length) return false;
  let index = 0;
  for (const item of a) {
    if (!isEqual(item, b[index] as Item)) return false;
    index += 1;
  }
  return true;
}

/** Returns a list without an item: the list itself, where it does not have the item. */
export function withoutItem<Item>(list: readonly Item[], item: Item): readonly Item[] {
  return list.includes(item) ? list.filter((it) => it !== item) : list;
}
