import type { Position } from '../model/path.ts';
import type { TargetNode } from '../model/target-node.ts';
import { positionGraph } from './position-graph.ts';

/** Returns all positions, each after every position that leads to it (Kahn's algorithm, iterative). O(targets + links). */
export function orderPositions(targets: Iterable<TargetNode>): readonly Position[] {
  const incoming = new Map<Position, number>();
  const { all, after } = positionGraph(targets);
  for (const position of all) for (const next of after(position)) incoming.set(next, (incoming.get(next) ?? 0) + 1);

  const order = all.filter((position) => !incoming.has(position));
  for (let at = 0; at < order.length; at += 1) {
    for (const next of after(order[at] as Position)) {
      const left = (incoming.get(next) ?? 0) - 1;
      incoming.set(next, left);
      if (left === 0) order.push(next);
    }
  }
  return order;
}
