/** The policies that stay on a level, and the policies that do not. */
export interface Admission<Item> {
  readonly admitted: readonly Item[];
  /** The policies in conflict, each with the first policy that it conflicts with. */
  readonly rejected: readonly { readonly item: Item; readonly by: Item }[];
}

/**
 * Admits policies one after the other, if they conflict with none of the policies admitted before. A rejected policy does not
 * exclude others.
 *
 * @param items The policies, established first.
 * @param conflicts Returns whether a new policy conflicts with an admitted one.
 * @returns Which policies stay and which do not. O(admitted × items).
 */
export function admit<Item>(
  items: readonly Item[],
  conflicts: (admitted: Item, newcomer: Item) => boolean,
): Admission<Item> {
  const admitted: Item[] = [];
  const rejected: { item: Item; by: Item }[] = [];
  for (const item of items) {
    const by = admitted.find((other) => conflicts(other, item));
    if (by === undefined) admitted.push(item);
    else rejected.push({ item, by });
  }
  return { admitted, rejected };
}
