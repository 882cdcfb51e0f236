/**
 * Evaluates a memoised recurrence without recursion: dependencies may be deep.
 *
 * @param start The item to evaluate.
 * @param isKnown Returns whether an item has been evaluated.
 * @param needs Returns the items that an item depends on. There must be no cycle.
 * @param finish Evaluates an item once all items that it depends on are known.
 */
export function evaluate<Item>(
  start: Item,
  isKnown: (item: Item) => boolean,
  needs: (item: Item) => readonly Item[],
  finish: (item: Item, needed: readonly Item[]) => void,
): void {
  if (isKnown(start)) return;
  const steps = [{ item: start, needed: needs(start), at: 0 }];
  for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
    const next = step.needed[step.at];
    step.at += 1;
    if (next === undefined) {
      finish(step.item, step.needed);
      steps.pop();
    } else if (!isKnown(next)) steps.push({ item: next, needed: needs(next), at: 0 });
  }
}
