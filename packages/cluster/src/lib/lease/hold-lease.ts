import type { Transport } from '../transport/transport.ts';
import { type HoldOptions, holdOptions } from './hold-options.ts';
import { Lease } from './lease.ts';
import { LeaseClient } from './lease-client.ts';

/** Which lease to hold, and how. */
export interface LeaseOptions extends HoldOptions {
  /** Called when a holder must read the lease before it can renew it, because its last answer does not hold any more. Default: nothing. */
  readonly onSlowPath?: (() => void) | undefined;
}

/** In milliseconds. As in client-go, except for the duration, which is 15 s there: 3 s are enough for clocks that do not run alike. */
const times = { leaseDuration: 13_000, renewDeadline: 10_000, retryPeriod: 2000 };

/**
 * Takes a lease and keeps it, so that one of several replicas acts at a time. The algorithm is client-go's, so that other
 * controllers and `kubectl` understand the lease: `coordination.k8s.io/v1`, 13 s, renewed every 2 s, given up after 10 s without
 * success. Candidates look every second, so that another process takes over within a second after a release, and within 14 s after a crash.
 *
 * Times are measured by the monotonic clock from the moment of seeing a change of the lease, so that the clocks of two machines may differ.
 * A process that loses the lease becomes a candidate again.
 *
 * @param transport The connection.
 * @param options Which lease.
 * @returns The lease, held or not.
 * @throws {PolicyMachineryError} `invalid-lease-times`, if the times do not fit each other.
 * @example
 * ```ts
 * await using lease = holdLease(connection, { namespace: 'policies-system', name: 'timeouts' });
 * lease.onChange((isHeld) => console.log(isHeld ? 'leading' : 'standing by'));
 * ```
 */
export function holdLease(transport: Transport, options: LeaseOptions): Lease {
  const held = holdOptions(options, times);
  const client = new LeaseClient(transport, { ...held, timeout: held.renewDeadline / 2 });
  return Lease.make({ ...held, client, onSlowPath: options.onSlowPath ?? (() => {}) });
}
