import type { Position } from '../model/path.ts';
import { byLocator, type TargetNode } from '../model/target-node.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import {
  canBeEntered,
  entryAt,
  isRootPosition,
  positionsAfter,
  positionsBefore,
  positionsOf,
  targetsPassed,
} from './position.ts';
import { PositionMap } from './position-map.ts';
import { PositionSet } from './position-set.ts';

/** One step down: sections, and targets of links. */
export function childrenOf(node: TargetNode): readonly TargetNode[] {
  return [...node.sections, ...node.linksTo];
}

/** One step up: the object of a section, and where links come from. */
export function parentsOf(node: TargetNode): readonly TargetNode[] {
  return node.section === undefined ? node.linksFrom : [node.object, ...node.linksFrom];
}

/** Every target on a path from this one downwards. O(targets and links below; above, too, of sections). */
export function descendantsOf(node: TargetNode): readonly TargetNode[] {
  return others(node, spread([positionOf(node)], positionsAfter));
}

/** Every target on a path from above down to this one. O(targets and links above). */
export function ancestorsOf(node: TargetNode): readonly TargetNode[] {
  const arrivals = arrivalsAt(node);
  const before = [...spread(arrivals, positionsBefore)];
  const reached = reachedAmong([...arrivals, ...before]);
  const here = arrivals.filter((position) => position.node === node); // An object stands before its section that was entered.
  return others(
    node,
    [...here, ...before].filter((position) => reached.has(position)),
  );
}

/** The position of a path that has come to a target, from which it can go furthest. */
export function positionOf(node: TargetNode): Position {
  const entry = entryAt(node);
  if (node.section === undefined) return entry;
  return canBeEntered(node) && reachedAmong([entry, ...spread([entry], positionsBefore)]).has(entry)
    ? entry
    : { node, entered: false };
}

/**
 * Those of some positions to which paths lead from where they begin. Where a link enters a section, none may: what it comes from may be
 * entered only by a section itself, and then goes on otherwise. O(links between the positions), however many lead elsewhere.
 *
 * @param positions The positions, and all before them.
 */
function reachedAmong(positions: readonly Position[]): PositionSet {
  const onward = new PositionMap<Position[]>();
  for (const position of positions) {
    for (const before of positionsBefore(position)) getOrInsert(onward, before, (): Position[] => []).push(position);
  }
  const reached = new PositionSet();
  const queue = positions.filter((position) => isRootPosition(position) && reached.add(position));
  for (let position = queue.pop(); position !== undefined; position = queue.pop()) {
    for (const next of onward.get(position) ?? []) if (reached.add(next)) queue.push(next);
  }
  return reached;
}

/** The positions at which a path has reached a target, be it only on the way into one of its sections. */
export function arrivalsAt(node: TargetNode): readonly Position[] {
  return [...positionsOf(node), ...node.sections.filter((section) => section.linksFrom.length > 0).map(entryAt)];
}

/** What paths meet at some positions, but for one target. */
function others(self: TargetNode, positions: Iterable<Position>): readonly TargetNode[] {
  const met = new Set<TargetNode>();
  for (const position of positions) for (const target of targetsPassed(position)) met.add(target);
  met.delete(self);
  return [...met].sort(byLocator);
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
