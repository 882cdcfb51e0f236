/**
 * Does something with each item, some at a time.
 *
 * @param items The items.
 * @param limit How many at a time.
 * @param work What to do.
 * @returns The results, in the order of the items. Rejects with the first failure; what runs then is not waited for.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results.set(index, await work(item));
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return items.flatMap((_, index) => (results.has(index) ? [results.get(index) as Result] : []));
}
