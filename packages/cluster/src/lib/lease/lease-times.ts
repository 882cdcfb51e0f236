import { PolicyMachineryError } from '@policy-machinery/resource';
import type { LeaseTimes } from './lease.ts';

/**
 * Checks the times of a lease.
 *
 * @throws {PolicyMachineryError} `invalid-lease-times`, if they do not fit each other.
 */
export function checkLeaseTimes(lease: string, { leaseDuration, renewDeadline, retryPeriod }: LeaseTimes): void {
  if (leaseDuration > renewDeadline && renewDeadline > retryPeriod * 1.2 && retryPeriod > 0) return;
  throw new PolicyMachineryError(
    'invalid-lease-times',
    `the times of lease ${lease} do not fit: leaseDuration ${leaseDuration} must be greater than renewDeadline ` +
      `${renewDeadline}, and that greater than 1.2 × retryPeriod ${retryPeriod} (milliseconds)`,
  );
}
