import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { LeaseTimes } from '../lease/lease.ts';
import { checkLeaseTimes } from '../lease/lease-times.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import type { Transport } from '../transport/transport.ts';
import { MemberLeases } from './member-leases.ts';
import { Shard } from './shard.ts';

/** The name and the members of a share. */
export interface ShardOptions extends Partial<LeaseTimes> {
  /** The namespace of the Leases: one for each process. */
  readonly namespace: string;
  /** The name of the shared work. The Leases begin with it. */
  readonly name: string;
  /** The name of this process. It must be unique. Default: the host's name and a random part. */
  readonly identity?: string | undefined;
  /** Called with each error, for logs. Attempts continue. Default: none. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** Returns numbers from 0 up to 1, for delays. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** A little shorter than for a Lease that one process holds: a dead member's keys are without an owner until its Lease has run out. */
const defaults: LeaseTimes = { leaseDuration: 10_000, renewDeadline: 8000, retryPeriod: 2000 };

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
export function joinShards(transport: Transport, options: ShardOptions): Shard {
  const { namespace, name, clock = systemClock, random = Math.random, onError = () => {} } = options;
  const { identity = `${hostname()}_${randomUUID()}` } = options;
  const {
    leaseDuration = defaults.leaseDuration,
    renewDeadline = defaults.renewDeadline,
    retryPeriod = defaults.retryPeriod,
  } = options;
  const times = { leaseDuration, renewDeadline, retryPeriod };
  checkLeaseTimes(`${namespace}/${name}`, times);
  const leases = new MemberLeases(transport, { clock, timeout: renewDeadline / 2, namespace, name, identity });
  return Shard.make({ leases, clock, random, onError, ...times });
}
