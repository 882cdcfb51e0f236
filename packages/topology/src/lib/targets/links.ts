import { isSameList } from '../support/is-same-list.ts';
import { none } from '../support/nothing.ts';
import { insertInto, isIn, removeFrom, withItem } from './sorted.ts';
import type { Target } from './target.ts';

/**
 * Lists of links. Usually a target has only links that its own references make: then the list of these, which never changes, is
 * the list of its links too, and does not take additional memory.
 */
/** Up to this length, lists are copied without spare capacity: there are many of them, and they seldom grow. */
const fewLinks = 8;

/** Returns whether there is a link, from the shorter of the two lists. */
export function isLinked(above: Target, below: Target): boolean {
  const down = above.linksTo;
  const up = below.linksFrom;
  return down.length < up.length ? isIn(down, below) : isIn(up, above);
}

export function link(above: Target, below: Target): void {
  if (below.section !== undefined && below.linksFrom.length === 0) below.object.linkedSections += 1;
  above.linksTo = withOne(above.linksTo, below, above.below);
  below.linksFrom = withOne(below.linksFrom, above, below.above);
}

/** Removes a link. */
export function unlink(above: Target, below: Target): void {
  above.linksTo = withoutOne(above.linksTo, below, above.below);
  below.linksFrom = withoutOne(below.linksFrom, above, below.above);
  if (below.section !== undefined && below.linksFrom.length === 0) below.object.linkedSections -= 1;
}

/** Uses a target's lists of ends as its lists of links, if these are equal. */
export function shareEnds(target: Target): void {
  if (isSameList(target.linksFrom, target.above)) target.linksFrom = target.above;
  if (isSameList(target.linksTo, target.below)) target.linksTo = target.below;
}

/** Gives a target its own lists of links, before its ends change. */
export function unshareEnds(target: Target): void {
  if (target.linksFrom === target.above && target.above.length > 0) target.linksFrom = [...target.above];
  if (target.linksTo === target.below && target.below.length > 0) target.linksTo = [...target.below];
}

function withOne(links: readonly Target[], target: Target, ends: readonly Target[]): readonly Target[] {
  if (links.length === 0) return ends.length === 1 && ends[0] === target ? ends : [target];
  const isOfEnds = links.length < ends.length; // Usually shareEnds replaces the list once all ends are linked.
  if (links === ends || (links.length < fewLinks && !isOfEnds)) return withItem(links, target);
  insertInto(links as Target[], target);
  return links;
}

function withoutOne(links: readonly Target[], target: Target, ends: readonly Target[]): readonly Target[] {
  if (links === ends) return links.filter((it) => it !== target);
  removeFrom(links as Target[], target);
  return links.length === 0 ? none : links;
}
