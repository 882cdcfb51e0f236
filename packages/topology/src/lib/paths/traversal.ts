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
import { PositionMap, PositionSet } from './position-map.ts';

/** Returns the targets one step below: sections, and targets of links. */
export function childrenOf(node: TargetNode): readonly TargetNode[] {
  return [...node.sections, ...node.linksTo];
}

/** Returns the targets one step above: the object of a section, and the targets that link to this one. */
export function parentsOf(node: TargetNode): readonly TargetNode[] {
  return node.section === undefined ? node.linksFrom : [node.object, ...node.linksFrom];
}

/** Returns all targets on paths down from a target. O(targets and links below; for sections, also above). */
export function descendantsOf(node: TargetNode): readonly TargetNode[] {
  return others(node, spread([positionOf(node)], positionsAfter));
}

/** Returns all targets on paths down to a target. O(targets and links above). */
export function ancestorsOf(node: TargetNode): readonly TargetNode[] {
  const arrivals = arrivalsAt(node);
  const previous = [...spread(arrivals, positionsBefore)];
  const reached = reachedAmong([...arrivals, ...previous]);
  const ofNode = arrivals.filter((position) => position.node === node); // An object comes right before its entered section.
  return others(
    node,
    [...ofNode, ...previous].filter((position) => reached.has(position)),
  );
}

/** Returns the position of a target with the furthest paths. */
export function positionOf(node: TargetNode): Position {
  const entry = entryAt(node);
  if (node.section === undefined) return entry;
  return canBeEntered(node) && reachedAmong([entry, ...spread([entry], positionsBefore)]).has(entry)
    ? entry
    : { node, entered: false };
}

/**
 * Returns the positions that paths lead to from a root. A link into a section may be without a path: its source may itself be entered only by
 * another section, and paths continue differently from there. O(links between the positions).
 *
 * @param positions The positions, and all above them.
 */
function reachedAmong(positions: readonly Position[]): PositionSet {
  const onward = new PositionMap<Position[]>();
  for (const position of positions) {
    for (const previous of positionsBefore(position))
      getOrInsert(onward, previous, (): Position[] => []).push(position);
  }
  const reached = new PositionSet();
  const queue = positions.filter((position) => isRootPosition(position) && reached.add(position));
  for (let position = queue.pop(); position !== undefined; position = queue.pop()) {
    for (const next of onward.get(position) ?? []) if (reached.add(next)) queue.push(next);
  }
  return reached;
}

/** Returns the positions where paths reach a target, including positions of sections that paths pass it by. */
export function arrivalsAt(node: TargetNode): readonly Position[] {
  return [...positionsOf(node), ...node.sections.filter(canBeEntered).map(entryAt)];
}

/** Returns the targets that paths reach at some positions, except for one. */
function others(self: TargetNode, positions: Iterable<Position>): readonly TargetNode[] {
  const met = new Set<TargetNode>();
  for (const position of positions) for (const target of targetsPassed(position)) met.add(target);
  met.delete(self);
  return [...met].sort(byLocator);
}

/** Returns all positions that follow from some positions, each once, without these. */
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
