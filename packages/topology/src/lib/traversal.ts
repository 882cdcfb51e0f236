import {
  canBeEntered,
  entryAt,
  type Position,
  positionsAfter,
  positionsBefore,
  positionsOf,
  targetsMet,
} from './position.ts';
import { PositionSet } from './position-set.ts';
import { byLocator, type TargetNode } from './target-node.ts';

/** One step down: sections, and targets of links. */
export function childrenOf(node: TargetNode): readonly TargetNode[] {
  return [...node.sections, ...node.linksTo];
}

/** One step up: the object of a section, and where links come from. */
export function parentsOf(node: TargetNode): readonly TargetNode[] {
  return node.section === undefined ? node.linksFrom : [node.object, ...node.linksFrom];
}

/** Every target on a path from this one downwards. O(targets and links beneath). */
export function descendantsOf(node: TargetNode): readonly TargetNode[] {
  return reach([standingAt(node)], positionsAfter, node);
}

/** Every target on a path from above down to this one. O(targets and links above). */
export function ancestorsOf(node: TargetNode): readonly TargetNode[] {
  return reach(arrivalsAt(node), positionsBefore, node);
}

/** The position of a path that has come to a target, from which it can go furthest. */
export function standingAt(node: TargetNode): Position {
  return { node, entered: node.section === undefined || canBeEntered(node) };
}

/** The positions at which a path has come upon a target, be it only on the way into one of its sections. */
export function arrivalsAt(node: TargetNode): readonly Position[] {
  return [...positionsOf(node), ...node.sections.filter((section) => section.linksFrom.length > 0).map(entryAt)];
}

function reach(
  starts: readonly Position[],
  next: (position: Position) => Iterable<Position>,
  self: TargetNode,
): readonly TargetNode[] {
  const reached = new Set<TargetNode>();
  for (const position of spread(starts, next)) for (const target of targetsMet(position)) reached.add(target);
  reached.delete(self);
  return [...reached].sort(byLocator);
}

/** Every position that can be come to from others, each once, without those. */
export function* spread(
  starts: readonly Position[],
  next: (position: Position) => Iterable<Position>,
): Iterable<Position> {
  const seen = new PositionSet();
  const queue = [...starts];
  for (const start of starts) seen.add(start);
  for (let position = queue.pop(); position !== undefined; position = queue.pop()) {
    for (const following of next(position)) {
      if (!seen.add(following)) continue;
      queue.push(following);
      yield following;
    }
  }
}
