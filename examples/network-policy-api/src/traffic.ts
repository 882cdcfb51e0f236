import { type LabelSelector, matchesSelector, objectsIn, specOf } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { AdminPeer, AdminPort, NetworkPeer, NetworkPort } from './rule-schema.ts';

/** Traffic from one Pod to another. */
export interface Traffic {
  readonly from: TargetNode;
  readonly to: TargetNode;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  readonly port: number;
}

/** Returns whether a peer of a rule is of an unknown kind: `nodes`, `networks`, or a future one. */
export function isUnknown({ namespaces, pods }: AdminPeer): boolean {
  return (namespaces === undefined) === (pods === undefined);
}

/** Returns whether a peer of an AdminNetworkPolicy matches a Pod. */
export function isAdminPeer({ namespaces, pods }: AdminPeer, pod: TargetNode): boolean {
  if (isOnHostNetwork(pod)) return false;
  if (pods === undefined) return isInNamespaces(namespaces, pod);
  return isInNamespaces(pods.namespaceSelector, pod) && hasLabels(pods.podSelector, pod);
}

/** Returns whether a peer of a NetworkPolicy in a namespace matches a Pod. An `ipBlock` matches addresses outside the cluster. */
export function isNetworkPeer(
  { namespaceSelector, podSelector, ipBlock }: NetworkPeer,
  pod: TargetNode,
  namespace: string | undefined,
): boolean {
  if (ipBlock !== undefined || isOnHostNetwork(pod)) return false;
  const isThere =
    namespaceSelector === undefined ? pod.ref.namespace === namespace : isInNamespaces(namespaceSelector, pod);
  return isThere && (podSelector === undefined || hasLabels(podSelector, pod));
}

/** Returns whether a port of an AdminNetworkPolicy matches that of the traffic. */
export function isAdminPort(port: AdminPort, { to, protocol, port: number }: Traffic): boolean {
  if ('portNumber' in port) return (port.portNumber.protocol ?? 'TCP') === protocol && port.portNumber.port === number;
  if ('namedPort' in port) return isNamed(port.namedPort, to, protocol, number);
  const { protocol: ofRange = 'TCP', start, end } = port.portRange;
  return ofRange === protocol && start <= number && number <= end;
}

/** Returns whether a port of a NetworkPolicy matches that of the traffic. */
export function isNetworkPort({ protocol: itsOwn = 'TCP', port, endPort }: NetworkPort, traffic: Traffic): boolean {
  if (itsOwn !== traffic.protocol) return false;
  if (port === undefined) return true;
  if (typeof port === 'string') return isNamed(port, traffic.to, itsOwn, traffic.port);
  return port <= traffic.port && traffic.port <= (endPort ?? port);
}

function isNamed(name: string, { resource }: TargetNode, protocol: string, number: number): boolean {
  const ports = objectsIn(specOf(resource).containers).flatMap((container) => objectsIn(container.ports));
  return ports.some(
    (port) => port.name === name && port.containerPort === number && (port.protocol ?? 'TCP') === protocol,
  );
}

function isOnHostNetwork({ resource }: TargetNode): boolean {
  return specOf(resource).hostNetwork === true;
}

function isInNamespaces(selector: LabelSelector | undefined, { namespace }: TargetNode): boolean {
  if (namespace === undefined) return false;
  const { name, labels } = namespace.resource.metadata;
  return matchesSelector(selector, { ...labels, 'kubernetes.io/metadata.name': name }); // As the API server labels it.
}

function hasLabels(selector: LabelSelector, { resource }: TargetNode): boolean {
  return matchesSelector(selector, resource.metadata.labels);
}
