/**
 * Calls an asynchronous function with each item, at most some at a time.
 *
 * @param limit The maximum number of calls at a time.
 * @param work The function.
 * @returns The results, in the order of the items. Rejects with the first failure, without waiting for other calls.
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
