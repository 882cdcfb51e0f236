import type { JsonObject } from '@policy-machinery/resource';
import { hostnamesOnListener, protocolOf } from './listener-protocol.ts';

/** Why a listener is `Conflicted`, named after Gateway API's reasons `HostnameConflict` and `ProtocolConflict`. */
export type ListenerConflict = 'hostname conflict' | 'protocol conflict';

/**
 * Returns the listeners of a Gateway that are not distinct, and so take no requests: those that share a port and a hostname, and
 * those that share a port with another protocol.
 *
 * The Gateway itself goes before its ListenerSets, and these before one another in the given order: what comes later loses. What
 * has lost in this way claims nothing, neither from its siblings nor from those after it. Of two within one owner neither wins,
 * as Gateway API forbids to pick one, and both still go before what comes later.
 *
 * @param owners The listeners of the Gateway, then of each of its ListenerSets in order of precedence. What their values say
 * may be anything.
 * @returns The listeners that lose, with what they lose by. One whose port, protocol or hostname cannot be read is not among
 * them: it takes nothing in any case, and nothing from others. O(listeners).
 */
export function listenerConflicts<Listener extends { readonly value: JsonObject }>(
  owners: readonly (readonly Listener[])[],
): ReadonlyMap<Listener, ListenerConflict> {
  const conflicts = new Map<Listener, ListenerConflict>();
  const earlier = new Claims();
  /** Returns those that are in no conflict with other claims. */
  const judge = (claims: readonly Claim<Listener>[], others: Claims): readonly Claim<Listener>[] =>
    claims.filter((claim) => {
      const conflict = others.conflictWith(claim);
      if (conflict !== undefined) conflicts.set(claim.listener, conflict);
      return conflict === undefined;
    });
  for (const listeners of owners) {
    const left = judge(listeners.flatMap(claimOf), earlier);
    judge(left, new Claims(left));
    earlier.add(left);
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

  /** Returns what a claim, which may be one of these, conflicts with among the others. */
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
