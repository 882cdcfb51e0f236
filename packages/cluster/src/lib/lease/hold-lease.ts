import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Clock, systemClock } from '../time/clock.ts';
import type { Transport } from '../transport/transport.ts';
import { Lease, type LeaseTimes } from './lease.ts';
import { LeaseClient } from './lease-client.ts';
import { checkLeaseTimes } from './lease-times.ts';

/** Which lease to hold, and how. */
export interface LeaseOptions extends Partial<LeaseTimes> {
  readonly namespace: string;
  readonly name: string;
  /** The name of this process in the lease. It must be unique. Default: the host's name and a random part. */
  readonly identity?: string | undefined;
  /** Called with each error, for logs. Attempts continue. Default: none. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Called when a holder must read the lease before it can renew it, because its last answer does not hold any more. Default: nothing. */
  readonly onSlowPath?: (() => void) | undefined;
  /** Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** Returns numbers from 0 up to 1, for delays. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** In milliseconds. As in client-go, except for the duration, which is 15 s there: 3 s are enough for clocks that do not run alike. */
const defaults: LeaseTimes = { leaseDuration: 13_000, renewDeadline: 10_000, retryPeriod: 2000 };

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
  const {
    namespace,
    name,
    clock = systemClock,
    random = Math.random,
    onError = () => {},
    onSlowPath = () => {},
  } = options;
  const { identity = `${hostname()}_${randomUUID()}` } = options;
  const {
    leaseDuration = defaults.leaseDuration,
    renewDeadline = defaults.renewDeadline,
    retryPeriod = defaults.retryPeriod,
  } = options;
  checkLeaseTimes(`${namespace}/${name}`, { leaseDuration, renewDeadline, retryPeriod });
  const client = new LeaseClient(transport, { clock, timeout: renewDeadline / 2, namespace, name });
  return Lease.make({
    client,
    identity,
    clock,
    random,
    onError,
    onSlowPath,
    leaseDuration,
    renewDeadline,
    retryPeriod,
  });
}
