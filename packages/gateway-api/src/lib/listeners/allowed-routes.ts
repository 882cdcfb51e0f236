import {
  formatGroupKind,
  type GroupKind,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@policy-machinery/resource';
import type { Refusal as Refused } from '@policy-machinery/topology';
import { gatewayGroup } from '../fields/group.ts';
import { itemsOf } from '../fields/items.ts';
import { decideByNamespace, describe, type LabelsOf, type Unnamed } from './allowed-namespaces.ts';
import { protocolOf, servesKind } from './listener-protocol.ts';

/** A route that is to attach to a listener. */
export interface RouteCandidate {
  readonly groupKind: GroupKind;
  readonly namespace: string;
  /** Which one does not name its namespace, of the owner of the listener and the route (the guest). Default: none. */
  readonly unnamed?: Unnamed;
}

/** Whether a listener allows a route, and if not, why. */
export type RouteAdmission =
  | { readonly allowed: true }
  | ({
      readonly allowed: false;
      /** Gateway API's reason, for the route's condition `Accepted`. */
      readonly reason: 'NotAllowedByListeners';
      /** JSON Pointer to the field that decided, from the root of the listener. */
      readonly pointer: '/protocol' | `/allowedRoutes${string}`;
      /** The reason for people, however long the values are. */
      readonly message: string;
    } & Pick<Refused, 'lacks'>);

const allowed: RouteAdmission = { allowed: true };

type RouteRefusal = Extract<RouteAdmission, { readonly allowed: false }>;

/**
 * Returns whether a listener allows a route: its protocol serves the kind, `allowedRoutes.kinds` includes it (default: all kinds of the
 * protocol), and `allowedRoutes.namespaces` includes its namespace (default: the listener's own). Hostnames are checked by
 * {@link hostnamesOnListener}.
 *
 * @param own The namespace of the Gateway or ListenerSet that the listener belongs to: each has its own for `Same`.
 * @param listener The listener as its owner has it; its fields may be anything. A listener that cannot be read allows no routes.
 * @param labelsOf Returns the labels of Namespaces.
 * @returns The decision, with the first reason against the route. Never throws.
 */
export function allowsRoute(
  own: string,
  listener: JsonObject,
  route: RouteCandidate,
  labelsOf: LabelsOf,
): RouteAdmission {
  const allowedRoutes = listener.allowedRoutes ?? {};
  if (!isJsonObject(allowedRoutes)) return refuse('/allowedRoutes', 'allowedRoutes is not an object');
  return (
    refusedByProtocol(listener, route.groupKind) ??
    refusedByKinds(allowedRoutes.kinds, route.groupKind) ??
    refusedByNamespaces(allowedRoutes.namespaces, own, route, labelsOf) ??
    allowed
  );
}

function refuse(pointer: RouteRefusal['pointer'], message: string): RouteRefusal {
  return { allowed: false, reason: 'NotAllowedByListeners', pointer, message };
}

function refusedByProtocol(listener: JsonObject, groupKind: GroupKind): RouteRefusal | undefined {
  const protocol = protocolOf(listener);
  if (protocol === undefined) {
    return refuse('/protocol', `the listener's protocol (${describe(listener.protocol)}) or its TLS mode is not known`);
  }
  if (servesKind(protocol, groupKind)) return undefined;
  return refuse('/protocol', `a ${describe(listener.protocol)} listener cannot serve ${formatGroupKind(groupKind)}`);
}

function refusedByKinds(kinds: JsonValue | undefined, groupKind: GroupKind): RouteRefusal | undefined {
  if (kinds === undefined || kinds === null || (Array.isArray(kinds) && kinds.length === 0)) return undefined;
  const named = itemsOf(kinds).some(
    ({ group, kind }) => (group ?? gatewayGroup) === groupKind.group && kind === groupKind.kind,
  );
  if (named) return undefined;
  return refuse('/allowedRoutes/kinds', `the listener does not allow ${formatGroupKind(groupKind)}`);
}

const faultOfNamespaces = decideByNamespace({ byDefault: 'Same', owner: 'the listener', guests: 'routes' });

function refusedByNamespaces(
  namespaces: JsonValue | undefined,
  own: string,
  { namespace, unnamed }: RouteCandidate,
  labelsOf: LabelsOf,
): RouteRefusal | undefined {
  const fault = faultOfNamespaces(namespaces, own, namespace, labelsOf, unnamed);
  if (fault === undefined) return undefined;
  const { pointer, message, lacks } = fault;
  const refusal = refuse(`/allowedRoutes/namespaces${pointer}`, message);
  return lacks === undefined ? refusal : { ...refusal, lacks };
}
