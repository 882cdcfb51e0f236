/** Whether two lists have the very same items in the same order. */
export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((item, index) => item === b[index]));
}

/** Whether two sets have the very same members. */
export function isSameSet<Item>(a: ReadonlySet<Item>, b: ReadonlySet<Item>): boolean {
  if (a.size !== b.size) return false;
  for (const item of a) if (!b.has(item)) return false;
  return true;
}

/** Whether two lists are equal, item by item. */
export function isEqualList<Item>(
  a: readonly Item[],
  b: readonly Item[],
  isEqual: (a: Item, b: Item) => boolean,
): boolean {
  return a.length === b.length && a.every((item, index) => isEqual(item, b[index] as Item));
}
