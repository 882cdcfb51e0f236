import { type HoldOptions, holdOptions } from '../lease/hold-options.ts';
import type { Transport } from '../transport/transport.ts';
import { MemberLeases } from './member-leases.ts';
import { Shard } from './shard.ts';

/** A little shorter than for a Lease that one process holds: a dead member's keys are without an owner until its Lease has run out. */
const times = { leaseDuration: 10_000, renewDeadline: 8000, retryPeriod: 2000 };

/**
 * Joins the processes that share some work by key, such as the statuses about Gateways. Each process has its own Lease, which it renews
 * every 2 s, and where it publishes the members among which it shares keys, by rendezvous hashing. When a process comes or goes, only its keys move:
 * at once when it is released, and within 13 s when it dies. No key has two owners at a time, also when a process stands still and goes on.
 *
 * @param transport The connection.
 * @param options The name and the members.
 * @returns This process's part.
 * @throws {PolicyMachineryError} `invalid-lease-times`, if the times do not fit each other.
 * @example
 * ```ts
 * await using shard = joinShards(connection, { namespace: 'policies-system', name: 'timeouts' });
 * if (shard.owns('gateway.gateway.networking.k8s.io:shop/edge')) await write();
 * ```
 */
export function joinShards(transport: Transport, options: HoldOptions): Shard {
  const member = holdOptions(options, times);
  const leases = new MemberLeases(transport, { ...member, timeout: member.renewDeadline / 2 });
  return Shard.make({ ...member, leases });
}
