import { getOrInsert } from '../support/get-or-insert.ts';

/**
 * Returns the strongly connected components of a graph that contain a cycle (Tarjan's algorithm, iterative). Each step of a cycle is within one
 * component.
 *
 * @param stepsFrom Returns the nodes right after a node.
 * @returns The components, each with its nodes in the order given. O(nodes + steps).
 */
export function cyclicComponents<Node>(
  nodes: readonly Node[],
  stepsFrom: (node: Node) => Iterable<Node>,
): readonly (readonly Node[])[] {
  const places = new Map<Node, Place>();
  const component = new Map<Node, Node>();
  const open: Node[] = [];
  const enter = (node: Node): Visit<Node> => {
    const place = { index: places.size, low: places.size };
    places.set(node, place);
    open.push(node);
    return { node, place, onward: stepsFrom(node)[Symbol.iterator]() };
  };
  for (const root of nodes) {
    if (places.has(root)) continue;
    const visits = [enter(root)];
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const { node, place, onward } = visit;
      const { done, value: next } = onward.next();
      if (!done) {
        const met = places.get(next);
        if (met === undefined) visits.push(enter(next));
        else if (!component.has(next)) place.low = Math.min(place.low, met.index);
        continue;
      }
      visits.pop();
      const caller = visits.at(-1);
      if (caller !== undefined) caller.place.low = Math.min(caller.place.low, place.low);
      if (place.low < place.index) continue;
      for (const member of open.splice(open.lastIndexOf(node))) component.set(member, node);
    }
  }
  const members = new Map<Node, Node[]>();
  for (const node of nodes) {
    getOrInsert(members, component.get(node) as Node, (): Node[] => []).push(node);
  }
  return [...members.values()].filter(
    ([first, ...rest]) => rest.length > 0 || [...stepsFrom(first as Node)].includes(first as Node),
  );
}

interface Place {
  readonly index: number;
  /** The smallest index known to be in the same component. */
  low: number;
}

interface Visit<Node> {
  readonly node: Node;
  readonly place: Place;
  readonly onward: Iterator<Node, void>;
}
