import type { JsonObject } from '@policy-machinery/resource';
import { hostnamesOnListener, protocolOf } from './listener-protocol.ts';

/**
 * Why a listener takes no requests: it is `Conflicted`, named after Gateway API's reasons `HostnameConflict` and `ProtocolConflict`, a controller reports
 * that it does not accept the listener or its owner, or its data plane refuses HTTPS without `tls`.
 */
export type ListenerConflict = 'hostname conflict' | 'protocol conflict' | 'not accepted' | 'no tls';

/**
 * Returns the listeners of a Gateway that are not distinct and therefore take no requests: listeners that share a port and a
 * hostname, and listeners that share a port but differ in protocol.
 *
 * The Gateway precedes its ListenerSets, which precede one another in the given order. The later listener loses, and then no longer
 * conflicts with its siblings or with later listeners. Of two conflicting listeners within one owner both lose, because Gateway API
 * does not allow an implementation to pick one. Both still precede later listeners.
 *
 * @param owners The listeners of the Gateway, then of each of its ListenerSets in order of precedence. Values may be
 * invalid.
 * @returns The listeners that lose, with the conflict. A listener with an invalid port, protocol or hostname is left out: it takes no
 * requests and conflicts with no other listener. O(listeners).
 * @param counts Returns whether the claims of a listener count against others. Default: they do.
 */
export function listenerConflicts<Listener extends { readonly value: JsonObject }>(
  owners: readonly (readonly Listener[])[],
  counts: (listener: Listener) => boolean = () => true,
): ReadonlyMap<Listener, ListenerConflict> {
  const conflicts = new Map<Listener, ListenerConflict>();
  const earlier = new Claims();
  /** Returns the claims without a conflict with other claims, and records the conflicts. */
  const judge = (claims: readonly Claim<Listener>[], others: Claims): readonly Claim<Listener>[] =>
    claims.filter((claim) => {
      const conflict = others.conflictWith(claim);
      if (conflict !== undefined) conflicts.set(claim.listener, conflict);
      return conflict === undefined;
    });
  for (const listeners of owners) {
    const left = judge(listeners.flatMap(claimOf), earlier);
    const counted = left.filter(({ listener }) => counts(listener));
    judge(left, new Claims(counted));
    earlier.add(counted);
  }
  return conflicts;
}

/** The claims of a listener on its port. */
interface Claim<Listener> {
  readonly listener: Listener;
  /** A key that claims with other carriers must not share. */
  readonly port: string;
  /** A key that no other claim may share. */
  readonly hostname: string;
  readonly carrier: string;
}

function claimOf<Listener extends { readonly value: JsonObject }>(listener: Listener): readonly Claim<Listener>[] {
  const { port } = listener.value;
  const protocol = protocolOf(listener.value);
  const [hostname] = hostnamesOnListener(listener.value);
  if (typeof port !== 'number' || protocol === undefined || hostname === undefined) return [];
  const { transport, carrier } = protocol;
  const atPort = `${port} ${transport === 'any' ? carrier : transport}`;
  return [{ listener, carrier, port: atPort, hostname: `${port} ${carrier} ${hostname}` }];
}

/** The carriers at each port, and the claims to each hostname. */
class Claims {
  readonly #carriers = new Map<string, Set<unknown>>();
  readonly #hostnames = new Map<string, Set<unknown>>();

  constructor(claims: readonly Claim<unknown>[] = []) {
    this.add(claims);
  }

  add(claims: readonly Claim<unknown>[]): void {
    for (const claim of claims) {
      addTo(this.#carriers, claim.port, claim.carrier);
      addTo(this.#hostnames, claim.hostname, claim);
    }
  }

  /** Returns the claims that a claim, which may be one of these, conflicts with. */
  conflictWith(claim: Claim<unknown>): ListenerConflict | undefined {
    if (hasOthers(this.#carriers.get(claim.port), claim.carrier)) return 'protocol conflict';
    return hasOthers(this.#hostnames.get(claim.hostname), claim) ? 'hostname conflict' : undefined;
  }
}

function addTo(sets: Map<string, Set<unknown>>, key: string, item: unknown): void {
  const there = sets.get(key);
  if (there === undefined) sets.set(key, new Set([item]));
  else there.add(item);
}

function hasOthers(items: ReadonlySet<unknown> | undefined, own: unknown): boolean {
  return items !== undefined && items.size > Number(items.has(own));
}
