import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { PolicyMachineryError } from '@policy-machinery/resource';
import { type Complete, withDefaults } from '@policy-machinery/resource/inner';
import { type Clock, systemClock } from '../time/clock.ts';
import type { LeaseTimes } from './lease.ts';

/** The Lease to hold, and how: alone (`holdLease`), or as a member (`joinShards`, where each process has a Lease that begins with the name). */
export interface HoldOptions extends Partial<LeaseTimes> {
  readonly namespace: string;
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

/**
 * Returns options with their defaults.
 *
 * @param times The default times, in milliseconds.
 * @throws {PolicyMachineryError} `invalid-lease-times`, if the times do not fit each other.
 */
export function holdOptions(options: HoldOptions, times: LeaseTimes): Complete<HoldOptions> {
  const complete = withDefaults(options, {
    ...times,
    identity: `${hostname()}_${randomUUID()}`,
    clock: systemClock,
    random: Math.random,
    onError: () => {},
  });
  const { leaseDuration, renewDeadline, retryPeriod, namespace, name } = complete;
  if (leaseDuration > renewDeadline && renewDeadline > retryPeriod * 1.2 && retryPeriod > 0) return complete;
  throw new PolicyMachineryError(
    'invalid-lease-times',
    `the times of lease ${namespace}/${name} do not fit: leaseDuration ${leaseDuration} must be greater than renewDeadline ` +
      `${renewDeadline}, and that greater than 1.2 × retryPeriod ${retryPeriod} (milliseconds)`,
  );
}
