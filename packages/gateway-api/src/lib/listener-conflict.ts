import type { JsonObject, JsonValue } from '@policy-machinery/resource';
import { hostnamesOnListener, protocolOf } from './listener-protocol.ts';

/** Why a listener is `Conflicted`, after Gateway API's reasons `HostnameConflict` and `ProtocolConflict`. */
export type ListenerConflict = 'hostname conflict' | 'protocol conflict';

/**
 * Finds the listeners of a Gateway that are not distinct, and so take no requests: those that share a port and a hostname, and
 * those that share a port with another protocol.
 *
 * The Gateway itself goes before its ListenerSets, and these before one another in the given order: what comes later loses. Of
 * two within one of them neither wins: Gateway API forbids to pick one.
 *
 * @param owners The listeners of the Gateway, then of each of its ListenerSets in order of precedence. What their values say
 * may be anything.
 * @returns The listeners that lose, with what they lose by. One whose protocol or hostname cannot be read is not among them: it
 * takes nothing in any case, and nothing from others. O(listeners).
 */
export function listenerConflicts<Listener extends { readonly value: JsonObject }>(
  owners: readonly (readonly Listener[])[],
): ReadonlyMap<Listener, ListenerConflict> {
  const claims = owners.flatMap((listeners, order) => listeners.flatMap((listener) => claimOf(listener, order)));
  const byPort = grouped(claims, ({ port, transport }) => JSON.stringify([port, transport]));
  const byHostname = grouped(claims, ({ port, carrier, hostname }) => JSON.stringify([port, carrier, hostname]));
  const ofHostname = [...byHostname.values()].flatMap(hostnameLosers);
  const ofProtocol = [...byPort.values()].flatMap(protocolLosers);
  return new Map<Listener, ListenerConflict>([
    ...ofHostname.map(({ listener }) => [listener, 'hostname conflict'] as const),
    ...ofProtocol.map(({ listener }) => [listener, 'protocol conflict'] as const),
  ]);
}

/** What a listener lays claim to. */
interface Claim<Listener> {
  readonly listener: Listener;
  /** The place of its owner: the lower goes first. */
  readonly order: number;
  readonly port: JsonValue | undefined;
  readonly transport: string;
  readonly carrier: string;
  readonly hostname: string;
}

function claimOf<Listener extends { readonly value: JsonObject }>(
  listener: Listener,
  order: number,
): readonly Claim<Listener>[] {
  const protocol = protocolOf(listener.value);
  const [hostname] = hostnamesOnListener(listener.value);
  if (protocol === undefined || hostname === undefined) return [];
  const { transport, carrier } = protocol;
  const { port } = listener.value;
  return [{ listener, order, port, carrier, hostname, transport: transport === 'any' ? carrier : transport }];
}

/** Of all at one port: what has another carrier before it, or beside it in its owner. */
function protocolLosers<Listener>(claims: readonly Claim<Listener>[]): readonly Claim<Listener>[] {
  const firstOf = new Map<string, number>();
  for (const { carrier, order } of claims) if (!firstOf.has(carrier)) firstOf.set(carrier, order);
  if (firstOf.size === 1) return [];
  return claims.filter(({ carrier, order }) =>
    [...firstOf].some(([other, first]) => other !== carrier && first <= order),
  );
}

/** Of all with one hostname: what has another one before it, or beside it in its owner. */
function hostnameLosers<Listener>(claims: readonly Claim<Listener>[]): readonly Claim<Listener>[] {
  const [first, second] = claims;
  if (first === undefined || second === undefined) return [];
  return claims.filter((claim) => claim !== first || second.order === first.order);
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
