// listeners/: the routes that a listener serves. Takes a listener and returns the kinds of routes, hostnames and namespaces that it admits, and
// the conflicts among the listeners of a family (a Gateway and its ListenerSets). A carrier is the transport that two listeners need in common to
// share a port.

import { type GroupKind, isJsonObject, type JsonObject, stringIn } from '@policy-machinery/resource';
import { gatewayGroup } from '../fields/group.ts';
import { intersectHostnames, readHostname, readHostnames } from '../fields/hostname.ts';
import { hostnameTest } from '../fields/hostname-index.ts';

export interface ListenerProtocol {
  /** The kinds of routes that such a listener can serve, all of Gateway API's group; `any` for a vendor's protocol. */
  readonly routeKinds: readonly string[] | 'any';
  /** Whether requests have a host, so that the listener's `hostname` counts. */
  readonly hasHostname: boolean;
  /** The transport of requests; `any` for a vendor's protocol. */
  readonly transport: Transport | 'any';
  /** Protocols of one carrier can share a port, if their hostnames differ; of two with one transport, they cannot. */
  readonly carrier: string;
}

/** The transport of a request or connection: HTTP and TLS use TCP. */
export type Transport = 'TCP' | 'UDP';

const [tcp, udp] = [{ transport: 'TCP' }, { transport: 'UDP' }] as const;
const http = { ...tcp, routeKinds: ['HTTPRoute', 'GRPCRoute'], hasHostname: true } as const;
const tls = { ...tcp, hasHostname: true, carrier: 'TLS' } as const;

/** Gateway API's own protocols, but for TLS. */
const protocols = new Map<unknown, ListenerProtocol>([
  ['HTTP', { ...http, carrier: 'HTTP' }],
  ['HTTPS', { ...http, carrier: 'TLS' }],
  ['TCP', { ...tcp, routeKinds: ['TCPRoute'], hasHostname: false, carrier: 'TCP' }],
  ['UDP', { ...udp, routeKinds: ['UDPRoute'], hasHostname: false, carrier: 'UDP' }],
]);

/** TLS is two protocols, by the mode of the listener: a terminated connection is plain TCP for its routes. */
const tlsProtocols = new Map<string | undefined, ListenerProtocol>([
  ['Passthrough', { ...tls, routeKinds: ['TLSRoute'] }],
  ['Terminate', { ...tls, routeKinds: ['TLSRoute', 'TCPRoute'] }],
]);

/** A protocol with a prefix, such as `example.com/quic`, belongs to a vendor and is unknown here. */
const vendorProtocol = { routeKinds: 'any', hasHostname: true, transport: 'any' } as const;

/** The kinds of routes that have `spec.hostnames`. */
const kindsWithHostnames = new Set(['HTTPRoute', 'GRPCRoute', 'TLSRoute']);

/**
 * Returns the protocol of a listener.
 *
 * @param listener The listener in the Gateway; its fields may be anything.
 * @returns The properties of its protocol, regardless of letter case; `undefined` for unknown protocols.
 */
export function protocolOf(listener: JsonObject): ListenerProtocol | undefined {
  const known = protocols.get(listener.protocol); // Usually in upper case.
  if (known !== undefined) return known;
  const protocol = stringIn(listener.protocol)?.toUpperCase() ?? '';
  if (protocol.includes('/')) return { ...vendorProtocol, carrier: protocol };
  return protocol === 'TLS' ? tlsProtocols.get(tlsModeOf(listener)) : protocols.get(protocol);
}

/** Protocols without the prefix of a vendor that some implementations define: HBONE is Istio's, for waypoints. */
const sharedNames: readonly string[] = ['HBONE'];

/**
 * Returns whether implementations decide if they support the protocol of a listener: HBONE, the protocols of vendors, and protocols of Gateway API in
 * another spelling, such as `http`.
 */
export function isProtocolOfImplementation({ protocol }: JsonObject): boolean {
  if (typeof protocol !== 'string' || protocol === 'TLS' || protocols.has(protocol)) return false;
  const name = protocol.toUpperCase();
  return name === 'TLS' || protocols.has(name) || name.includes('/') || sharedNames.includes(name);
}

/** Returns whether a listener is for HTTPS and does not have `tls`, which API servers accept and Gateway API requires. */
export function lacksTls(listener: JsonObject): boolean {
  return protocolOf(listener) === protocols.get('HTTPS') && listener.tls === undefined;
}

/**
 * Returns whether listeners with a protocol can serve a kind of route.
 *
 * @param kind The kind of the route.
 * @returns Whether they can.
 */
export function servesKind({ routeKinds }: Pick<ListenerProtocol, 'routeKinds'>, { group, kind }: GroupKind): boolean {
  return routeKinds === 'any' || (group === gatewayGroup && routeKinds.includes(kind));
}

/** A route, as far as its hostnames go. */
interface HostnamedRoute {
  readonly groupKind: GroupKind;
  readonly hostnames: unknown;
}

/**
 * Returns the hostnames of a route that a listener serves: {@link intersectHostnames}, except that hostnames do not count for kinds and
 * protocols without them (TCP and UDP).
 *
 * @param listener The listener in the Gateway; its fields may be anything.
 * @param route The kind of the route, and its `spec.hostnames`, which may be anything. Without a route: the hostnames of
 * the listener itself.
 * @returns The hostnames; `['*']` where none counts, and none where the route does not attach.
 */
export function hostnamesOnListener(listener: JsonObject, route?: HostnamedRoute): readonly string[] {
  return intersectHostnames(
    protocolOf(listener)?.hasHostname ? listener.hostname : undefined,
    route && countedHostnames(route),
  );
}

/**
 * Returns a test of whether {@link hostnamesOnListener} returns any hostname, for many listeners.
 *
 * @param route The kind of the route, and its `spec.hostnames`, which may be anything.
 * @returns The test of a listener.
 */
export function listenerHostnameTest(route: HostnamedRoute): (listener: JsonObject) => boolean {
  const isMet = hostnameTest(readHostnames(countedHostnames(route)));
  return (listener) => isMet(readHostname((protocolOf(listener)?.hasHostname ? listener.hostname : undefined) ?? ''));
}

/**
 * Returns the hostnames of a route by itself.
 *
 * @param route Its kind, and its `spec.hostnames`, which may be anything.
 * @returns The hostnames; `['*']` where it names none, or is of a kind that has none.
 */
export function hostnamesOfRoute(route: HostnamedRoute): readonly string[] {
  return intersectHostnames(undefined, countedHostnames(route));
}

export function countedHostnames({ groupKind, hostnames }: HostnamedRoute): unknown {
  if (hostnames === undefined) return undefined;
  return groupKind.group === gatewayGroup && kindsWithHostnames.has(groupKind.kind) ? hostnames : undefined;
}

function tlsModeOf({ tls }: JsonObject): string | undefined {
  return isJsonObject(tls) ? stringIn(tls.mode ?? 'Terminate') : 'Terminate';
}
