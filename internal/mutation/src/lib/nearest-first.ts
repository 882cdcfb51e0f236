/** Returns paths in an order: those that share most folders with a file come first. */
export function nearestFirst<Item>(
  file: string,
  items: readonly Item[],
  pathOf: (item: Item) => string,
): readonly Item[] {
  const folders = file.split('/');
  const shared = (item: Item): number => {
    const other = pathOf(item).split('/');
    const first = folders.findIndex((folder, index) => folder !== other[index]);
    return first === -1 ? folders.length : first;
  };
  return [...items].sort((a, b) => shared(b) - shared(a));
}
