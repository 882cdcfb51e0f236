// fields/: how fields are read. Takes values that may be anything and returns what they mean: lists, references, hostnames, names of kinds, and
// the fields that cannot be read (shapes). Nothing here throws.

import type { GroupKind } from '@policy-machinery/resource';
import { experimentalGroup, gatewayGroup } from './group.ts';

/** The kind of Gateways: what references to parents mean if they do not say otherwise. */
export const gatewayKind: GroupKind = { group: gatewayGroup, kind: 'Gateway' };

/** The kind of GatewayClasses. */
export const gatewayClassKind: GroupKind = { group: gatewayGroup, kind: 'GatewayClass' };

/** The kind of Services: what references to backends mean if they do not say otherwise. */
export const serviceKind: GroupKind = { group: '', kind: 'Service' };

const namespaceKind: GroupKind = { group: '', kind: 'Namespace' };

/** The kind of HTTPRoutes, which alone may delegate to one another. */
export const httpRouteKind: GroupKind = { group: gatewayGroup, kind: 'HTTPRoute' };

/** The kinds whose sections are listeners. */
const listenerOwners: readonly GroupKind[] = [
  gatewayKind,
  { group: gatewayGroup, kind: 'ListenerSet' },
  { group: experimentalGroup, kind: 'XListenerSet' },
];

/** Whether resources of a kind have listeners, which decide about the routes beneath them. */
export function ownsListeners(kind: GroupKind): boolean {
  return isAmong(listenerOwners, kind);
}

/**
 * Whether routes may hang beneath a kind: those with listeners, and those that a user names. A Service does not count: it is
 * mostly a backend of the same route, and cannot stand both above and beneath it. In a mesh its frontend stands above.
 */
export function mayBeParent(kind: GroupKind, parents: readonly GroupKind[]): boolean {
  return isAmong(listenerOwners, kind) || isAmong(parents, kind);
}

/**
 * Whether routes may lead to a kind: to all that have no place above routes. So no route can lead back to itself, whatever a
 * tenant writes, which would be a loop for everyone.
 */
export function mayBeBackend(kind: GroupKind, parents: readonly GroupKind[]): boolean {
  const isAbove = kind.group === gatewayGroup || isSameKind(kind, namespaceKind) || mayBeParent(kind, parents);
  return !isAbove;
}

/** Whether a kind is Service, the backend that needs no name. */
export function isService(kind: GroupKind): boolean {
  return isSameKind(kind, serviceKind);
}

function isAmong(kinds: readonly GroupKind[], kind: GroupKind): boolean {
  for (const one of kinds) if (isSameKind(one, kind)) return true;
  return false;
}

/** In their own spelling: a kind in another case is another kind. */
export function isSameKind(a: GroupKind, b: GroupKind): boolean {
  return a.group === b.group && a.kind === b.kind;
}
