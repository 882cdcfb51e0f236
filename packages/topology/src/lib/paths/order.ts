import type { Position } from '../model/path.ts';
import type { TargetNode } from '../model/target-node.ts';
import { positionGraph } from './position-graph.ts';

/** Returns all positions, each after every position that leads to it. O(targets + links). */
export function orderPositions(targets: Iterable<TargetNode>): readonly Position[] {
  const { positions, successors } = positionGraph(targets);
  return topologicalOrder(positions, successors);
}

/**
 * Returns nodes without cycles, each after every node that leads to it (Kahn's algorithm, iterative). O(nodes + steps).
 *
 * @param successors Returns the nodes right after a node, all among these.
 */
export function topologicalOrder<Node>(
  nodes: readonly Node[],
  successors: (node: Node) => Iterable<Node>,
): readonly Node[] {
  const incoming = new Map<Node, number>();
  for (const node of nodes) for (const next of successors(node)) incoming.set(next, (incoming.get(next) ?? 0) + 1);
  const order = nodes.filter((node) => !incoming.has(node));
  for (const node of order) {
    for (const next of successors(node)) {
      const open = (incoming.get(next) ?? 0) - 1;
      incoming.set(next, open);
      if (open === 0) order.push(next); // The loop visits added nodes, too.
    }
  }
  return order;
}
