import { DirectedGraph } from 'graphology';
import type { Topology } from '../model/topology.ts';
import { type EdgeAttributes, elementsOf, type NodeAttributes } from './elements.ts';

/**
 * Returns targets, policies, links, containment and attachments as a graphology graph, for its ecosystem of algorithms.
 *
 * @returns A new graph, which you can change, keyed by locator. Edges point downwards, and from a policy to its target. O(targets + links).
 * @example
 * ```ts
 * const graph = graphOf(topology);
 * graph.outNeighbors('gateway.gateway.networking.k8s.io:prod/edge');
 * ```
 */
export function graphOf(topology: Topology): DirectedGraph<NodeAttributes, EdgeAttributes> {
  const graph = new DirectedGraph<NodeAttributes, EdgeAttributes>();
  const { nodes, edges } = elementsOf(topology);
  for (const [locator, attributes] of nodes) graph.addNode(locator, attributes);
  for (const { from, to, type } of edges) graph.addEdgeWithKey(JSON.stringify([from, to]), from, to, { type });
  return graph;
}
