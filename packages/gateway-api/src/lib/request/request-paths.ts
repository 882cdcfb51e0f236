import {
  type Path,
  type Position,
  positionsAfter,
  type TargetNode,
  type Topology,
  targetsMet,
} from '@policy-machinery/topology';
import { httpRouteKind, isSameKind } from '../hierarchy.ts';

/** Where a request goes through. */
export interface RequestPlace {
  readonly listener: TargetNode;
  readonly route: TargetNode;
  readonly rule: TargetNode | undefined;
}

/** The paths from where they begin through listener, route and rule to the backends, made one by one. */
export function* requestPaths(topology: Topology, { listener, route, rule }: RequestPlace): Iterator<Path> {
  for (const above of topology.pathsTo(listener)) {
    if (rule === undefined) yield [...above, route];
    else yield* pathsDown({ node: rule, entered: false }, [...above, route, rule]);
  }
}

/** The paths from a rule to its backends, where requests end, be it a Service or one of its ports; and into the rules of children. */
function* pathsDown(rule: Position, path: Path): Iterable<Path> {
  const steps: { readonly position: Position; readonly path: Path }[] = [{ position: rule, path }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { position, path: before } = step;
    const goesOn = position === rule || isSameKind(position.node.ref, httpRouteKind);
    const onward = goesOn ? [...positionsAfter(position)] : [];
    if (onward.length === 0) yield before;
    for (const next of onward.reverse()) steps.push({ position: next, path: [...before, ...targetsMet(next)] });
  }
}
