import { SectionTarget, type Target, type WholeTarget } from './target.ts';

/** Returns whether a target comes before another in the order of locators, without formatting these. */
export function isBefore(a: Target, b: Target): boolean {
  if (a.object !== b.object) {
    const locator = a.object.locator;
    const other = b.object.locator;
    if (locator !== other) return locator < other; // All characters of names in Kubernetes come after the `#` of sections.
  }
  return (a.section?.name ?? '') < (b.section?.name ?? '');
}

/** Returns the index of a target in a list in this order, or the index to insert it at. O(log n); O(1) at the end. */
function placeIn(targets: readonly Target[], target: Target): number {
  const last = targets.at(-1);
  if (last === undefined || isBefore(last, target)) return targets.length;
  let low = 0;
  let high = targets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(targets[middle] as Target, target)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns whether a target is in a list in this order. O(log n). */
export function isIn(targets: readonly Target[], target: Target): boolean {
  return targets[placeIn(targets, target)] === target;
}

/** Returns whether a resource or a section of it is in a list in this order. O(log n). */
export function hasPartOf(targets: readonly Target[], object: WholeTarget): boolean {
  return targets[placeIn(targets, object)]?.object === object;
}

/** Returns the sections of a resource in a list in this order. O(log n + result). */
export function sectionsIn(targets: readonly Target[], object: WholeTarget): readonly SectionTarget[] {
  const sections: SectionTarget[] = [];
  for (let place = placeIn(targets, object); targets[place]?.object === object; place += 1) {
    const target = targets[place];
    if (target instanceof SectionTarget) sections.push(target);
  }
  return sections;
}

/** Returns a list in this order with one more target. O(n). */
export function withItem(targets: readonly Target[], target: Target): readonly Target[] {
  const place = placeIn(targets, target);
  return place === targets.length ? [...targets, target] : targets.toSpliced(place, 0, target);
}

/** Inserts a target into a list in this order. O(n); O(1) at the end. */
export function insertInto(targets: Target[], target: Target): void {
  const place = placeIn(targets, target);
  if (place === targets.length) targets.push(target);
  else targets.splice(place, 0, target);
}

/** Removes a target from a list in this order. O(n). */
export function removeFrom(targets: Target[], target: Target): void {
  const place = placeIn(targets, target);
  if (targets[place] === target) targets.splice(place, 1);
}

/** Returns the items of a list in this order, each once: the same list if it is in order. */
export function inOrder(targets: readonly Target[]): readonly Target[] {
  for (let place = 1; place < targets.length; place += 1) {
    if (isBefore(targets[place - 1] as Target, targets[place] as Target)) continue;
    const sorted = targets.toSorted((a, b) => (isBefore(a, b) ? -1 : Number(a !== b)));
    return sorted.every(isFirst) ? sorted : sorted.filter(isFirst);
  }
  return targets;
}

function isFirst(target: Target, place: number, sorted: readonly Target[]): boolean {
  return target !== sorted[place - 1];
}
