import type { Position } from '../model/path.ts';
import type { TargetNode } from '../model/target-node.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { none } from '../support/nothing.ts';
import { positionsAfter, positionsOf } from './position.ts';
import { PositionMap } from './position-map.ts';

/** All positions of some targets, and the steps between them. */
export interface PositionGraph {
  readonly positions: readonly Position[];
  /** Returns the positions right below a position, within these targets. */
  readonly successors: (position: Position) => readonly Position[];
}

/** Returns one object for each position, so that positions can be keys. */
export function positionGraph(targets: Iterable<TargetNode>): PositionGraph {
  const positions = new PositionMap<Position>();
  const listed = Array.from(targets, positionsOf).flat();
  for (const position of listed) positions.set(position, position);
  return {
    positions: listed,
    successors: (position) => Array.from(positionsAfter(position), (next) => positions.get(next) ?? none).flat(),
  };
}

/** Returns the same graph with its steps kept, valid while links do not change. */
export function remembered({ positions, successors }: PositionGraph): PositionGraph {
  const steps = new Map<Position, readonly Position[]>();
  return {
    positions,
    successors: (position) => getOrInsert(steps, position, successors),
  };
}
