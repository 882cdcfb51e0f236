import { type GroupKind, groupKindKey, isJsonObject, type JsonObject, stringIn } from '@policy-machinery/resource';
import { gatewayGroup } from './group.ts';
import { intersectHostnames } from './hostname.ts';

/** What Gateway API says of listeners of one protocol. */
export interface ListenerProtocol {
  /** The kinds of routes that such a listener can serve, all of Gateway API's group; `any` for a vendor's protocol. */
  readonly routeKinds: readonly string[] | 'any';
  /** Whether requests have a host, so that the listener's `hostname` counts. */
  readonly hasHostname: boolean;
}

const http: ListenerProtocol = { routeKinds: ['HTTPRoute', 'GRPCRoute'], hasHostname: true };

/** Gateway API's own protocols. TLS is two of them: what the listener decrypts is plain TCP to its routes. */
const protocols = new Map<string, ListenerProtocol>([
  ['HTTP', http],
  ['HTTPS', http],
  ['TLS Passthrough', { routeKinds: ['TLSRoute'], hasHostname: true }],
  ['TLS Terminate', { routeKinds: ['TLSRoute', 'TCPRoute'], hasHostname: true }],
  ['TCP', { routeKinds: ['TCPRoute'], hasHostname: false }],
  ['UDP', { routeKinds: ['UDPRoute'], hasHostname: false }],
]);

/** A protocol with a prefix, such as `example.com/quic`, is a vendor's, and nothing is known of it. */
const vendorProtocol: ListenerProtocol = { routeKinds: 'any', hasHostname: true };

/** The kinds of routes that have `spec.hostnames`. */
const kindsWithHostnames = new Set(
  ['HTTPRoute', 'GRPCRoute', 'TLSRoute'].map((kind) => groupKindKey({ group: gatewayGroup, kind })),
);

/**
 * The protocol of a listener.
 *
 * @param listener The listener as the Gateway has it; its fields may be anything.
 * @returns What is known of its protocol, whose letter case does not count; `undefined` where there is no such
 * protocol.
 */
export function protocolOf(listener: JsonObject): ListenerProtocol | undefined {
  const protocol = stringIn(listener.protocol)?.toUpperCase() ?? '';
  if (protocol.includes('/')) return vendorProtocol;
  return protocols.get(protocol === 'TLS' ? `TLS ${tlsModeOf(listener)}` : protocol);
}

/**
 * Tells whether listeners of a protocol can serve a kind of route.
 *
 * @param protocol The protocol.
 * @param kind The kind of the route.
 * @returns Whether they can.
 */
export function servesKind({ routeKinds }: ListenerProtocol, { group, kind }: GroupKind): boolean {
  return routeKinds === 'any' || (group === gatewayGroup && routeKinds.includes(kind));
}

/**
 * The hostnames under which a listener serves a route: {@link intersectHostnames}, but that the hostnames of kinds and
 * protocols that have none do not count (TCP and UDP).
 *
 * @param listener The listener as the Gateway has it; its fields may be anything.
 * @param route The kind of the route, and its `spec.hostnames`, which may be anything.
 * @returns The hostnames; `['*']` where none counts, and none where the route does not attach.
 */
export function hostnamesOnListener(
  listener: JsonObject,
  route: { readonly groupKind: GroupKind; readonly hostnames: unknown },
): readonly string[] {
  return intersectHostnames(
    protocolOf(listener)?.hasHostname ? listener.hostname : undefined,
    kindsWithHostnames.has(groupKindKey(route.groupKind)) ? route.hostnames : undefined,
  );
}

function tlsModeOf({ tls }: JsonObject): string | undefined {
  return isJsonObject(tls) ? stringIn(tls.mode ?? 'Terminate') : 'Terminate';
}
