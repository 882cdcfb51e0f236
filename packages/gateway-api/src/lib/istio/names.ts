// istio/: the target kinds of a mesh of Istio. They replace those of gatewayApi: there, Gateways are below their classes and routes below
// Gateways; here, everything that runs a proxy is below its Namespace and the mesh, and the targets that waypoints serve are below these.

import { type GroupKind, specOf } from '@policy-machinery/resource';
import { itemsOf } from '../fields/items.ts';

/** The kind of the mesh, above all Namespaces. No API server serves this kind. */
export const meshKind = { group: 'mesh.policy-machinery', kind: 'Mesh' } as const satisfies GroupKind;

export const waypointClass = 'istio-waypoint';

/** The label of Pods that run a Gateway. */
export const gatewayNameLabel = 'gateway.networking.k8s.io/gateway-name';

/** The class of Gateways between the clusters of a mesh. These have listeners of the mesh, too, and are not waypoints. */
const eastWestClass = 'istio-east-west';

/** Returns whether a Gateway is a waypoint: by its class, or by a listener of the mesh, which waypoints of other classes have as well. */
export function isWaypoint(gateway: Parameters<typeof specOf>[0]): boolean {
  const { gatewayClassName, listeners } = specOf(gateway);
  if (gatewayClassName === waypointClass || gatewayClassName === eastWestClass)
    return gatewayClassName === waypointClass;
  return itemsOf(listeners).some(({ protocol }) => protocol === 'HBONE');
}
