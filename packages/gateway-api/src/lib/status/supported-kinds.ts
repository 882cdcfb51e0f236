import { formatGroupKind, type GroupKind, isJsonObject, type JsonObject, stringIn } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { gatewayGroup } from '../fields/group.ts';
import { isSameKind } from '../fields/hierarchy.ts';
import { itemsOf } from '../fields/items.ts';
import { describe } from '../listeners/allowed-namespaces.ts';
import { protocolOf, servesKind } from '../listeners/listener-protocol.ts';

/** The kinds of routes of a listener. */
export interface SupportedKinds {
  readonly kinds: readonly GroupKind[];
  /** A kind in `allowedRoutes.kinds` that the listener does not support, for a message. */
  readonly invalid: readonly string[];
}

/** The kinds of routes that Gateway API has, in the order of statuses. */
export const routeKinds: readonly GroupKind[] = ['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute', 'UDPRoute'].map(
  (kind) => ({ group: gatewayGroup, kind }),
);

/**
 * Returns the kinds of routes that a listener takes: the kinds of its protocol, as far as `allowedRoutes.kinds` names them and the
 * topology knows them.
 */
export function supportedKinds(topology: Topology, listener: JsonObject): SupportedKinds {
  const protocol = protocolOf(listener);
  if (protocol === undefined) return { kinds: [], invalid: [] }; // Its kinds are unknown.
  const known = [...topology.targetKinds];
  const isSupported = (kind: GroupKind) => servesKind(protocol, kind) && known.some((it) => isSameKind(it, kind));
  const named = namedKinds(listener);
  if (named.length === 0) return { kinds: routeKinds.filter(isSupported), invalid: [] };
  const kinds: GroupKind[] = [];
  const invalid: string[] = [];
  for (const { group, kind } of named) {
    const groupKind = { group: stringIn(group) ?? gatewayGroup, kind: stringIn(kind) ?? '' };
    if (!isSupported(groupKind)) invalid.push(groupKind.kind === '' ? describe(kind) : formatGroupKind(groupKind));
    else if (!kinds.some((it) => isSameKind(it, groupKind))) kinds.push(groupKind);
  }
  return { kinds, invalid };
}

function namedKinds({ allowedRoutes }: JsonObject): readonly JsonObject[] {
  return isJsonObject(allowedRoutes) ? itemsOf(allowedRoutes.kinds) : [];
}
