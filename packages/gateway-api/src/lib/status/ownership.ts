import { specOf, stringIn } from '@policy-machinery/resource';
import type { NamedTarget, TargetNode, Topology } from '@policy-machinery/topology';
import { gatewayClassKind, gatewayKind, httpRouteKind, isSameKind, ownsListeners } from '../fields/hierarchy.ts';

/**
 * Returns whether a controller manages a parent of routes: a Gateway unless its class names another controller, a ListenerSet if the
 * controller manages its Gateway, a route that delegates if the controller manages one of that route's parents or it has none, and any other
 * parent.
 */
export function isManaged(topology: Topology, parent: TargetNode, controllerName: string): boolean {
  if (isSameKind(parent.ref, gatewayKind)) {
    const gatewayClass = parent.linksFrom.find(({ ref }) => isSameKind(ref, gatewayClassKind));
    const owner = gatewayClass && stringIn(specOf(gatewayClass.resource).controllerName);
    return owner === undefined || owner === controllerName;
  }
  if (isSameKind(parent.ref, httpRouteKind)) {
    const parents = parent.linksFrom.map(({ object }) => object);
    return parents.length === 0 || parents.some((above) => isManaged(topology, above, controllerName));
  }
  if (!ownsListeners(parent.ref)) return true;
  const [toGateway] = topology.referencesOf(parent);
  const gateway = toGateway && named(topology, toGateway.reference.to as NamedTarget, parent);
  return gateway !== undefined && isManaged(topology, gateway, controllerName);
}

/** Returns the object that a reference names, whether or not the object admits the reference. */
export function named(topology: Topology, to: NamedTarget, from: TargetNode): TargetNode | undefined {
  const { namespace = from.ref.namespace } = to;
  const { group, kind, name } = to;
  return topology.get(namespace === undefined ? { group, kind, name } : { group, kind, namespace, name });
}
