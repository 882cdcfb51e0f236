// fields/: how fields are read. Takes any values and returns their meaning: lists, references, hostnames, names of kinds, and
// the fields that cannot be read (shapes). Nothing here throws.

import type { GroupKind } from '@policy-machinery/resource';
import { experimentalGroup, gatewayGroup } from './group.ts';

/** The kind of Gateways, the default of references to parents. */
export const gatewayKind: GroupKind = { group: gatewayGroup, kind: 'Gateway' };

export const gatewayClassKind: GroupKind = { group: gatewayGroup, kind: 'GatewayClass' };

/** The kind of Services, the default of references to backends. */
export const serviceKind: GroupKind = { group: '', kind: 'Service' };

export const namespaceKind: GroupKind = { group: '', kind: 'Namespace' };

/** The kind of HTTPRoutes, the only routes that can delegate to one another. */
export const httpRouteKind: GroupKind = { group: gatewayGroup, kind: 'HTTPRoute' };

/** The kind that kgateway's references to routes by label have. */
export const labelKind = { group: 'delegation.kgateway.dev', kind: 'label' };

/** The kinds with listeners as sections. */
const listenerOwners: readonly GroupKind[] = [
  gatewayKind,
  { group: gatewayGroup, kind: 'ListenerSet' },
  { group: experimentalGroup, kind: 'XListenerSet' },
];

/** Returns whether resources of a kind have listeners, which decide about the routes below them. */
export function ownsListeners(kind: GroupKind): boolean {
  return isAmong(listenerOwners, kind);
}

/**
 * Returns whether a kind may be above routes: kinds with listeners, and those that a user names. A Service cannot: it usually is a backend
 * of the same route, and cannot be both above and below it. In a mesh, its frontend is above.
 */
export function mayBeParent(kind: GroupKind, parents: readonly GroupKind[]): boolean {
  return isAmong(listenerOwners, kind) || isAmong(parents, kind);
}

/**
 * Returns whether a kind may be below routes: all kinds that cannot be above them, so that no route can lead back to itself, whatever a
 * tenant writes.
 */
export function mayBeBackend(kind: GroupKind, parents: readonly GroupKind[]): boolean {
  const isAbove = kind.group === gatewayGroup || isSameKind(kind, namespaceKind) || mayBeParent(kind, parents);
  return !isAbove;
}

/** Returns whether a kind is Service, the default kind of backends. */
export function isService(kind: GroupKind): boolean {
  return isSameKind(kind, serviceKind);
}

/**
 * Returns whether a parent of a route is a Service.
 *
 * @param parent The group and kind of the parent.
 * @param coreGroupSpellings Other names of the core group.
 */
export function isServiceParent({ group, kind }: GroupKind, coreGroupSpellings: readonly string[] = []): boolean {
  return isService({ group: coreGroupSpellings.includes(group) ? '' : group, kind });
}

function isAmong(kinds: readonly GroupKind[], kind: GroupKind): boolean {
  for (const one of kinds) if (isSameKind(one, kind)) return true;
  return false;
}

/** Returns whether two kinds are the same. Kinds that differ in case are different. */
export function isSameKind(a: GroupKind, b: GroupKind): boolean {
  return a.group === b.group && a.kind === b.kind;
}
