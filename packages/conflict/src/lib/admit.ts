/** Who may stay on a level, and who may not. */
export interface Admission<Item> {
  readonly admitted: readonly Item[];
  /** Those in conflict, each with the first one that it is in conflict with. */
  readonly rejected: readonly { readonly item: Item; readonly by: Item }[];
}

/**
 * Admits policies one after the other: each that is in conflict with none of those admitted before it. One that was
 * rejected costs nobody else their place (C-13).
 *
 * @param items The policies, established first.
 * @param conflicts Whether a newcomer is in conflict with one that was admitted.
 * @returns Who stays and who does not. O(admitted × items).
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
