// paths/: takes nodes and their links, gives positions, paths and the targets above and below. A position is a target and how a path came
// to it; it is entered where a link arrives, which matters for sections.

import type { Position } from '../model/path.ts';
import type { TargetNode } from '../model/target-node.ts';

/** The position at which a link arrives at a target. */
export function entryAt(node: TargetNode): Position {
  return { node, entered: true };
}

/** Where a path can go on from a position: down into sections, and along links. O(what it returns). */
export function* positionsAfter(position: Position): Iterable<Position> {
  for (const section of position.node.sections) yield { node: section, entered: false };
  for (const child of linksAfter(position)) yield entryAt(child);
}

/** The links by which a path can go on from a position. */
export function linksAfter({ node, entered }: Position): readonly TargetNode[] {
  return entered ? linksOnward(node) : node.linksTo;
}

/** Where a path can have come from: the reverse of {@link positionsAfter}. */
export function* positionsBefore({ node, entered }: Position): Iterable<Position> {
  if (!entered) {
    yield entryAt(node.object);
    return;
  }
  const sections = new Set<TargetNode>();
  for (const parent of node.linksFrom) {
    yield parent.section === undefined ? entryAt(parent) : { node: parent, entered: false };
    if (parent.object.linkedSections === 0) continue; // None of them can be entered.
    for (const section of parent.section === undefined ? parent.sections : [parent]) sections.add(section);
  }
  for (const section of sections) {
    if (!canBeEntered(section)) continue;
    if (section.object.linksTo.length === 0 || linksOnward(section).includes(node)) yield entryAt(section);
  }
}

/** The targets that a path reaches by arriving at a position: the object before a section that was entered. */
export function targetsPassed({ node, entered }: Position): readonly TargetNode[] {
  return entered && node.section !== undefined ? [node.object, node] : [node];
}

/**
 * The positions at which paths begin: targets that no link leads to. An object that is linked only section by section is
 * no beginning, so that a path through one section does not seem to reach the others; its unlinked sections are.
 */
export function* rootPositions(objects: Iterable<TargetNode>): Iterable<Position> {
  for (const node of objects) {
    if (node.section !== undefined || node.linksFrom.length > 0) continue;
    if (!isLinkedBySection(node)) yield entryAt(node);
    else for (const section of node.sections) if (section.linksFrom.length === 0) yield entryAt(section);
  }
}

/** Whether paths begin at a position. O(sections of the object). */
export function isRootPosition({ node, entered }: Position): boolean {
  if (!entered || node.linksFrom.length > 0) return false;
  return node.section === undefined ? !isLinkedBySection(node) : canBeEntered(node);
}

/** The positions that a target can be at on some path, besides being passed on the way into one of its sections. */
export function positionsOf(node: TargetNode): readonly Position[] {
  if (node.section === undefined) return [entryAt(node)];
  return [{ node, entered: false }, entryAt(node)];
}

/** Whether a path can reach a section without coming from the whole object: by a link, or by beginning there. */
export function canBeEntered(section: TargetNode): boolean {
  return section.linksFrom.length > 0 || (section.object.linksFrom.length === 0 && isLinkedBySection(section.object));
}

function isLinkedBySection({ linkedSections }: TargetNode): boolean {
  return linkedSections > 0;
}

/** The links by which a path goes on that has entered a target: of a section also those of its object, each once. */
function linksOnward({ section, object, linksTo }: TargetNode): readonly TargetNode[] {
  if (section === undefined || object.linksTo.length === 0) return linksTo;
  return withoutCovered(new Set([...linksTo, ...object.linksTo]));
}

/** Leaves out the sections of objects that are there as a whole: a link to the whole covers its sections. */
export function withoutCovered<Node extends TargetNode>(nodes: ReadonlySet<Node>): readonly Node[] {
  return [...nodes].filter(({ section, object }) => section === undefined || !nodes.has(object as Node));
}
