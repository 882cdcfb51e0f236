import { type Path, type Position, positionsAfter, type TargetNode, type Topology } from '@policy-machinery/topology';
import { targetsPassed } from '@policy-machinery/topology/inner';
import { idleTest } from '../attachment/backend-references.ts';
import { httpRouteKind, isSameKind } from '../fields/hierarchy.ts';

/** The targets that a request passes. */
export interface RequestPlace {
  readonly listener: TargetNode;
  readonly via: readonly TargetNode[];
  readonly route: TargetNode;
  readonly rule?: TargetNode;
}

/**
 * Returns the paths of the requests that a rule takes, from the first target through listener, route and rule to the last target. Paths are
 * generated one by one.
 *
 * @param place The targets that the requests pass; `via` is as in {@link Traced}.
 * @returns The paths, one for each combination of a path to the listener and a backend that receives requests: one of the weight 0 does not. You can
 * iterate over them once.
 */
export function* requestPaths(
  topology: Topology,
  { listener, via, route, rule }: RequestPlace,
): Generator<Path, void, void> {
  for (const above of topology.pathsTo(listener)) {
    const ends = rule === undefined ? [[]] : pathsFrom(rule);
    for (const end of ends) yield [...above, ...via, route, ...end];
  }
}

/**
 * Returns a function like {@link requestPaths}, for the requests of many rules: it looks at each listener and each rule once.
 *
 * @param topology The topology. Make another function after it has changed.
 */
export function requestPathsOf(topology: Topology): (place: RequestPlace) => Iterable<Path> {
  const above = new Map<TargetNode, readonly Path[]>();
  const below = new Map<TargetNode, readonly Path[]>();
  return function* ({ listener, via, route, rule }) {
    for (const start of remembered(above, listener, () => topology.pathsTo(listener))) {
      const ends = rule === undefined ? [[]] : remembered(below, rule, () => pathsFrom(rule));
      for (const end of ends) yield [...start, ...via, route, ...end];
    }
  };
}

function remembered(known: Map<TargetNode, readonly Path[]>, node: TargetNode, find: () => Iterable<Path>) {
  const paths = known.get(node) ?? [...find()];
  known.set(node, paths);
  return paths;
}

/** Returns the paths from a rule to its backends, except backends of the weight 0. */
function pathsFrom(rule: TargetNode): Iterable<Path> {
  const isIdle = idleTest(rule);
  return pathsBelow({ node: rule, entered: false }, (next) => !isIdle(next));
}

/** Returns the paths from a position to targets without further links. Other routes are left out, because their rules are matched separately. */
function* pathsBelow(position: Position, isPassed: (next: TargetNode) => boolean = () => true): Iterable<Path> {
  const onward = [...positionsAfter(position)].filter(
    ({ node }) => !isSameKind(node.ref, httpRouteKind) && isPassed(node),
  );
  const here = targetsPassed(position);
  if (onward.length === 0) yield here;
  for (const next of onward) for (const end of pathsBelow(next)) yield [...here, ...end];
}
