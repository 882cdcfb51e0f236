/** Every host: the hostname of a listener or route that names none. */
export const anyHostname = '*';

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const hostnamePattern = new RegExp(String.raw`^(?:\*|(?:\*\.)?${label}(?:\.${label})*)$`, 'i');
const maxLength = 253;

/**
 * Returns the hostnames of a route that a listener serves: the intersection of both. Of two wildcards, or a wildcard and a hostname below
 * it, that is the narrower one. Letter case does not count.
 *
 * @param listenerHostname `hostname` of the listener, which may be anything. Default every host.
 * @param routeHostnames `spec.hostnames` of the route, which may be anything. Default every host.
 * @returns The hostnames in lower case, in the order of the route, without duplicates; `['*']` if neither names any. None if the route does
 * not attach (`NoMatchingListenerHostname`). Invalid hostnames have nothing in common with others.
 * @example
 * ```ts
 * intersectHostnames('*.example.com', ['a.example.com', 'example.com', '*.com']); // ['a.example.com', '*.example.com']
 * ```
 */
export function intersectHostnames(listenerHostname: unknown, routeHostnames: unknown): readonly string[] {
  const listener = readHostname(listenerHostname ?? '');
  const shared = readHostnames(routeHostnames).map((hostname) => narrower(listener, hostname));
  return [...new Set(shared.filter((hostname) => hostname !== undefined))];
}

/** Returns a hostname in lower case; `undefined` if it is invalid. */
export type ReadHostname = string | undefined;

/** Returns the normalized hostnames of a route, in the order of the route. */
export function readHostnames(routeHostnames: unknown): readonly ReadHostname[] {
  return listOf(routeHostnames).map(readHostname);
}

/**
 * Returns whether a hostname matches a host.
 *
 * @param hostname A hostname, a wildcard such as `*.example.com` (any number of labels, but at least one), or `*`.
 * @param host The host of a request: the server name of TLS, or the `Host` header without its port.
 * @returns Whether it is. Letter case does not count.
 */
export function hostnameMatches(hostname: string, host: string): boolean {
  return covers(hostname.toLowerCase(), host.replace(/:\d*$/, '').toLowerCase());
}

/**
 * Compares hostnames by specificity: exact ones come before wildcards, then longer ones before shorter ones.
 *
 * @param a A hostname, a wildcard or `*`.
 * @param b Another one.
 * @returns Negative where `a` is more specific, positive where `b` is. 0 for two that match one host only if they are
 * the same.
 */
export function compareHostnameSpecificity(a: string, b: string): number {
  return Number(isWildcard(a)) - Number(isWildcard(b)) || b.length - a.length;
}

/** Returns whether a value is a hostname, a wildcard or `*`. */
export function isHostname(value: unknown): boolean {
  return value !== '' && readHostname(value) !== undefined;
}

/** Returns the normalised hostname of a listener. Default: every host. */
export function readHostname(value: unknown): ReadHostname {
  if (typeof value !== 'string' || value.length > maxLength) return undefined;
  if (value === '' || value === anyHostname) return anyHostname;
  return hostnamePattern.test(value) ? value.toLowerCase() : undefined;
}

const anyHostnames = [anyHostname];

/** Returns hostnames as a list. An empty list, like none, means any host. */
function listOf(hostnames: unknown): readonly unknown[] {
  if (hostnames === undefined || hostnames === null) return anyHostnames;
  if (!Array.isArray(hostnames)) return [hostnames];
  return hostnames.length === 0 ? anyHostnames : hostnames;
}

/** Returns the intersection of two hostnames: the narrower one, if the other covers it. */
export function narrower(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (covers(a, b)) return b;
  return covers(b, a) ? a : undefined;
}

/** Returns whether `outer` covers every host of `inner`, which is a host or a wildcard. */
function covers(outer: string, inner: string): boolean {
  if (outer === anyHostname || outer === inner) return true;
  const suffix = outer.slice(1);
  return isWildcard(outer) && inner.length > suffix.length && inner.endsWith(suffix);
}

function isWildcard(hostname: string): boolean {
  return hostname.startsWith('*');
}
