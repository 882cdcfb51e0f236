import type { TargetNode } from './target-node.ts';

/**
 * A place on a path: a target, and how the path came to it. It matters for sections. A path that came down from the whole
 * object is in one of its sections; one that *entered* the section by a link passes the object's own level on the way,
 * may go on by the links of the object, and must not reach the object's other sections.
 */
export interface Position {
  readonly node: TargetNode;
  readonly entered: boolean;
}

/** The position at which a link arrives at a target. */
export function entryAt(node: TargetNode): Position {
  return { node, entered: true };
}

/** Where a path can go on from a position: down into sections, and along links. O(what it returns). */
export function* positionsAfter({ node, entered }: Position): Iterable<Position> {
  for (const section of node.sections) yield { node: section, entered: false };
  for (const child of node.linksTo) yield entryAt(child);
  if (entered && node.section !== undefined) for (const child of node.object.linksTo) yield entryAt(child);
}

/** Where a path can have come from: the reverse of {@link positionsAfter}. */
export function* positionsBefore({ node, entered }: Position): Iterable<Position> {
  if (!entered) {
    yield entryAt(node.object);
    return;
  }
  for (const parent of node.linksFrom) {
    yield entryAt(parent);
    if (parent.section !== undefined) yield { node: parent, entered: false };
    else for (const section of parent.sections) if (section.linksFrom.length > 0) yield entryAt(section);
  }
}

/** The targets that a path comes upon by arriving at a position: the object before a section that was entered. */
export function targetsMet({ node, entered }: Position): readonly TargetNode[] {
  return entered && node.section !== undefined ? [node.object, node] : [node];
}

/**
 * The positions at which paths begin: targets that no link leads to. An object that is linked only section by section is
 * no beginning, lest a path through one section seem to reach the others; its unlinked sections are.
 */
export function* rootPositions(objects: Iterable<TargetNode>): Iterable<Position> {
  for (const node of objects) {
    if (node.section !== undefined || node.linksFrom.length > 0) continue;
    const unlinked = node.sections.filter((section) => section.linksFrom.length === 0);
    if (unlinked.length === node.sections.length) yield entryAt(node);
    else for (const section of unlinked) yield entryAt(section);
  }
}

/** The positions that a target can be at on some path, besides being passed on the way into one of its sections. */
export function positionsOf(node: TargetNode): readonly Position[] {
  if (node.section === undefined) return [entryAt(node)];
  return [{ node, entered: false }, entryAt(node)];
}
