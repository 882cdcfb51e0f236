/** What is kept in the order of locators. */
interface Located {
  readonly locator: string;
}

/** Where a target stands in a list in the order of locators, or where it would. O(log n). */
function placeIn(targets: readonly Located[], { locator }: Located): number {
  let [low, high] = [0, targets.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((targets[middle] as Located).locator < locator) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a target is in a list in the order of locators. O(log n). */
export function isIn(targets: readonly Located[], target: Located): boolean {
  return targets.length > 0 && targets[placeIn(targets, target)] === target;
}

/** Puts a target in its place in a list in the order of locators. O(n), and next to nothing at the end of it. */
export function insertInto<Item extends Located>(targets: Item[], target: Item): void {
  const last = targets.at(-1);
  if (last === undefined || last.locator < target.locator) targets.push(target);
  else targets.splice(placeIn(targets, target), 0, target);
}

/** Takes a target out of a list in the order of locators. O(n). */
export function removeFrom<Item extends Located>(targets: Item[], target: Item): void {
  const place = placeIn(targets, target);
  if (targets[place] === target) targets.splice(place, 1);
}
