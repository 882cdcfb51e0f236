// paths/: takes nodes and their links, returns positions, paths and the targets above and below. A position is a target and the way of arriving at
// it; it is entered if a link arrives there, which matters for sections.

import type { Position } from '../model/path.ts';
import type { TargetNode } from '../model/target-node.ts';
import { none } from '../support/nothing.ts';

/** Returns the position where a link arrives at a target. */
export function entryAt(node: TargetNode): Position {
  return { node, entered: true };
}

/** Returns the positions right below a position: in sections, and along links. O(result). */
export function* positionsAfter(position: Position): Iterable<Position> {
  for (const section of position.node.sections) yield { node: section, entered: false };
  for (const child of linksAfter(position)) yield entryAt(child);
}

/** Returns the targets that a path can go on to by a link from a position. */
export function linksAfter({ node, entered }: Position): readonly TargetNode[] {
  return entered ? linksOnward(node) : node.linksTo;
}

/** Returns the positions right above a position: the reverse of {@link positionsAfter}. O(result). */
export function positionsBefore({ node, entered }: Position): readonly Position[] {
  if (!entered) return [entryAt(node.object)];
  const positions: Position[] = [];
  let sections: Set<TargetNode> | undefined; // Usually there are none.
  for (const parent of node.linksFrom) {
    positions.push(parent.section === undefined ? entryAt(parent) : { node: parent, entered: false });
    if (parent.object.linkedSections === 0) continue; // None of its sections can be entered.
    sections ??= new Set();
    for (const section of parent.section === undefined ? parent.sections : [parent]) sections.add(section);
  }
  for (const section of sections ?? none) {
    if (!canBeEntered(section)) continue;
    if (section.object.linksTo.length === 0 || linksOnward(section).includes(node)) positions.push(entryAt(section));
  }
  return positions;
}

/** Returns the targets that a path reaches by arriving at a position: for an entered section, first its object. */
export function targetsPassed({ node, entered }: Position): readonly TargetNode[] {
  return entered && node.section !== undefined ? [node.object, node] : [node];
}

/**
 * Returns the positions where paths begin: targets without links from above. If only sections of an object are linked, paths begin at its
 * other sections and not at the object, so that a path through one section does not seem to reach the others.
 */
export function* rootPositions(objects: Iterable<TargetNode>): Iterable<Position> {
  for (const node of objects) {
    if (node.section !== undefined || node.linksFrom.length > 0) continue;
    if (node.linkedSections === 0) yield entryAt(node);
    else for (const section of node.sections) if (section.linksFrom.length === 0) yield entryAt(section);
  }
}

/** Returns whether paths begin at a position. O(sections of the object). */
export function isRootPosition({ node, entered }: Position): boolean {
  if (!entered || node.linksFrom.length > 0) return false;
  return node.section === undefined ? node.linkedSections === 0 : canBeEntered(node);
}

/** Returns the positions of a target. Positions of sections that paths pass it by are left out. */
export function positionsOf(node: TargetNode): readonly Position[] {
  if (node.section === undefined) return [entryAt(node)];
  return [entryAt(node), { node, entered: false }];
}

/** Returns whether paths can reach a section without its whole object: by a link, or by beginning there. */
export function canBeEntered(section: TargetNode): boolean {
  return section.linksFrom.length > 0 || (section.object.linksFrom.length === 0 && section.object.linkedSections > 0);
}

/** Returns the targets that a path can go on to after entering a target: for a section, also those linked from its object, each once. */
function linksOnward({ section, object, linksTo }: TargetNode): readonly TargetNode[] {
  if (section === undefined || object.linksTo.length === 0) return linksTo;
  const nodes = new Set([...linksTo, ...object.linksTo]);
  // A link to a whole object covers its sections.
  return [...nodes].filter((it) => it.section === undefined || !nodes.has(it.object));
}
