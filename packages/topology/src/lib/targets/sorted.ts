import { SectionTarget, type Target, type WholeTarget } from './target.ts';

/** Whether the place of a target comes before that of another: in the order of locators, without writing them down. */
export function isBefore(a: Target, b: Target): boolean {
  if (a.object !== b.object) {
    const one = a.object.locator;
    const other = b.object.locator;
    if (one !== other) return one < other; // What names in Kubernetes consist of comes after the `#` of sections.
  }
  return (a.section?.name ?? '') < (b.section?.name ?? '');
}

/** Where a target stands in a list in this order, or where it would. O(log n), and next to nothing at the end of it. */
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

/** Whether a target is in a list in this order. O(log n). */
export function isIn(targets: readonly Target[], target: Target): boolean {
  return targets[placeIn(targets, target)] === target;
}

/** Whether a resource or a section of it is in a list in this order. O(log n). */
export function hasPartOf(targets: readonly Target[], object: WholeTarget): boolean {
  return targets[placeIn(targets, object)]?.object === object;
}

/** The sections of a resource that are in a list in this order. O(log n + what it returns). */
export function sectionsIn(targets: readonly Target[], object: WholeTarget): readonly SectionTarget[] {
  const found: SectionTarget[] = [];
  for (let place = placeIn(targets, object); targets[place]?.object === object; place += 1) {
    const target = targets[place];
    if (target instanceof SectionTarget) found.push(target);
  }
  return found;
}

/** A list in this order with one target more. O(n). */
export function withItem(targets: readonly Target[], target: Target): readonly Target[] {
  const place = placeIn(targets, target);
  return place === targets.length ? [...targets, target] : targets.toSpliced(place, 0, target);
}

/** Puts a target in its place in a list in this order. O(n), and next to nothing at the end of it. */
export function insertInto(targets: Target[], target: Target): void {
  const place = placeIn(targets, target);
  if (place === targets.length) targets.push(target);
  else targets.splice(place, 0, target);
}

/** Takes a target out of a list in this order. O(n). */
export function removeFrom(targets: Target[], target: Target): void {
  const place = placeIn(targets, target);
  if (targets[place] === target) targets.splice(place, 1);
}

/** What a list holds in this order, each once: the given list if it is so already. */
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
