import { checkControllerName } from '@policy-machinery/resource/inner';
import type { TargetKind } from '@policy-machinery/topology';
import { withWhileDeleting } from '@policy-machinery/topology/inner';
import { attachmentOf, type GatewayApiOptions } from './attachment/options.ts';
import { Gateway, gatewayKindWith } from './kinds/gateway.ts';
import { GatewayClass } from './kinds/gateway-class.ts';
import { ListenerSet, listenerSetKind, XListenerSet } from './kinds/listener-set.ts';
import { Namespace, provedNamespace } from './kinds/namespace.ts';
import { GRPCRoute, HTTPRoute, routeKind, TCPRoute, TLSRoute, UDPRoute } from './kinds/route.ts';
import { Service } from './kinds/service.ts';
import { ServiceFrontend } from './kinds/service-frontend.ts';
import { withStatuses } from './status/kind-statuses.ts';

const listenerSets = [ListenerSet, XListenerSet];
const routes = [HTTPRoute, GRPCRoute, TCPRoute, TLSRoute, UDPRoute];

/**
 * Returns all target kinds of this package, for `createTopology`.
 *
 * @param options How resources are linked. With options other than the default, the kinds of ListenerSets and routes are different values
 * from those that this package exports; policies may target either, because kinds are identified by group and name.
 * @returns GatewayClass, Gateway, the two kinds of ListenerSets, the five kinds of routes, Service and Namespace; with
 * `mesh` also ServiceFrontend.
 * @throws {PolicyMachineryError} `invalid-controller-name` if a status cannot hold the name.
 * @example
 * ```ts
 * const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
 * ```
 */
export function gatewayApi(options: GatewayApiOptions = {}): readonly TargetKind[] {
  const { defaultGateways = false, parents = [], delegation = false, mesh = false } = options;
  const { needsParent = true, controllerName, provedNamespaces = false, dataPlane } = options;
  if (controllerName !== undefined) checkControllerName(controllerName);
  const statusCounts = attachmentOf(options) === 'status';
  const isLinkedByDefault = statusCounts && !defaultGateways && parents.length === 0 && !delegation && !mesh;
  const isDefault = isLinkedByDefault && needsParent && dataPlane === undefined && controllerName === undefined;
  const linked = isDefault
    ? [...listenerSets, ...routes]
    : [
        ...listenerSets.map(({ group, kind }) => listenerSetKind(group, kind, options)),
        ...routes.map(({ kind }) => routeKind(kind, options)),
      ];
  const namespaces = provedNamespaces ? provedNamespace() : Namespace;
  const gateways = dataPlane === undefined && statusCounts ? Gateway : gatewayKindWith(options);
  const kinds = [GatewayClass, gateways, ...linked, Service, namespaces, ...(mesh ? [ServiceFrontend] : [])];
  const { whileDeleting = 'counts', statuses = false } = options;
  const all = statuses ? withStatuses(kinds) : kinds;
  return whileDeleting === 'counts' ? all : all.map((kind) => withWhileDeleting(kind, whileDeleting));
}
