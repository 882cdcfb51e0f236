import { type Path, positionsAfter, type TargetNode, type Topology, targetsMet } from '@policy-machinery/topology';
import { httpRouteKind, isSameKind } from '../hierarchy.ts';

/** Where a request goes through. */
interface RequestPlace {
  readonly listener: TargetNode;
  readonly via: readonly TargetNode[];
  readonly route: TargetNode;
  readonly rule?: TargetNode;
}

/** The paths from where they begin through listener, route and rule to the backends, made one by one. */
export function* requestPaths(topology: Topology, { listener, via, route, rule }: RequestPlace): Iterator<Path> {
  const next = rule === undefined ? [] : [...positionsAfter({ node: rule, entered: false })];
  const backends = next.filter(({ node }) => !isSameKind(node.ref, httpRouteKind));
  const ends = backends.length === 0 ? [[]] : backends.map(targetsMet);
  for (const above of topology.pathsTo(listener)) {
    for (const end of ends) yield [...above, ...via, route, ...(rule === undefined ? [] : [rule]), ...end];
  }
}
