import type { LinkOrigins } from './links.ts';
import { loopError } from './loop-error.ts';
import type { Position } from './position.ts';
import { positionGraph } from './position-graph.ts';
import type { TargetNode } from './target-node.ts';

/**
 * Orders all positions so that each comes after every position that leads to it (Kahn's algorithm, iterative).
 *
 * @param origins The references that made the links, to be named where they make a loop.
 * @throws {PolicyMachineryError} `loop`, with one issue for each loop that shares no target with the others.
 */
export function orderPositions(targets: Iterable<TargetNode>, origins: LinkOrigins): readonly Position[] {
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
  if (order.length < all.length) {
    const left = new Set(all.filter((position) => (incoming.get(position) ?? 0) > 0));
    throw loopError([...left], (position) => after(position).filter((next) => left.has(next)), origins);
  }
  return order;
}
