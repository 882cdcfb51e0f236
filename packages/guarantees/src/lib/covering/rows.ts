import { type GatewayListener, gatewayListeners, intersectHostnames } from '@policy-machinery/gateway-api';
import { requestPathsOf } from '@policy-machinery/gateway-api/inner';
import { specOf } from '@policy-machinery/resource';
import type { Path, TargetNode, Topology } from '@policy-machinery/topology';

/** Requests that one rule of a route takes from one listener. */
export interface RuleAtListener {
  readonly gateway: TargetNode;
  readonly listener: TargetNode;
  readonly route: TargetNode;
  /** `undefined` for a route without rules. */
  readonly rule: TargetNode | undefined;
  /** The hostnames of the requests; `*` for any. */
  readonly hostnames: readonly string[];
  /** The paths of the requests, one for each path to the listener and each backend. */
  readonly paths: readonly Path[];
}

/** Returns the places that requests reach from outside, Gateway by Gateway. A listener that loses a conflict takes none. */
export function* placesIn(topology: Topology): Generator<RuleAtListener, void, void> {
  const pathsOf = requestPathsOf(topology);
  for (const gateway of topology.targetsOf([{ group: 'gateway.networking.k8s.io', kind: 'Gateway' }])) {
    for (const listener of gatewayListeners(gateway)) {
      if (listener.lostBy === undefined) yield* placesAt(gateway, listener, pathsOf);
    }
  }
}

function* placesAt(
  gateway: TargetNode,
  { node, hostname, placeOf }: GatewayListener,
  pathsOf: ReturnType<typeof requestPathsOf>,
): Generator<RuleAtListener, void, void> {
  for (const { node: route, listener, via } of placeOf.values()) {
    const hostnames = intersectHostnames(hostname, specOf(route.resource).hostnames);
    if (hostnames.length === 0) continue;
    const rules = route.sections.length === 0 ? [undefined] : route.sections;
    for (const rule of rules) {
      const paths = [...pathsOf({ listener, via, route, ...(rule === undefined ? {} : { rule }) })];
      if (paths.length > 0) yield { gateway, listener: node, route, rule, hostnames, paths };
    }
  }
}
