/**
 * Works something out that depends on the same of others, without recursion: what it depends on may be deep.
 *
 * @param start What it is worked out for.
 * @param isKnown Whether it has been worked out already.
 * @param needs What it depends on. There must be no circle.
 * @param finish Works it out, when all that it needs is known.
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
