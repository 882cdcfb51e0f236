import { type JsonObject, objectIn, stringIn } from '@policy-machinery/resource';

/** The holder of a lease, as in its `spec`. */
export interface LeaseRecord {
  /** `''` if it was released. */
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  /** RFC 3339, to the microsecond; for people, no clock is compared with it. */
  readonly acquireTime: string;
  /** RFC 3339, to the microsecond. */
  readonly renewTime: string;
  /** How often the holder has changed. */
  readonly leaseTransitions: number;
}

/** The longest time that a record can ask others to wait, in seconds: an hour. */
const maxDuration = 3600;

/** The most transitions that the API server stores. */
const maxTransitions = 2 ** 31 - 1;

/** Reads the `spec` of a Lease, which may have gaps. */
export function readLeaseRecord(lease: JsonObject): LeaseRecord {
  const spec = objectIn(lease.spec);
  return {
    holderIdentity: stringIn(spec.holderIdentity) ?? '',
    leaseDurationSeconds: numberIn(spec.leaseDurationSeconds, maxDuration),
    acquireTime: stringIn(spec.acquireTime) ?? '',
    renewTime: stringIn(spec.renewTime) ?? '',
    leaseTransitions: numberIn(spec.leaseTransitions, maxTransitions),
  };
}

/** Returns the record of a candidate that takes or renews a lease. */
export function renewedRecord(
  oldRecord: LeaseRecord | undefined,
  { identity, duration, now }: { readonly identity: string; readonly duration: number; readonly now: number },
): LeaseRecord {
  const isRenewal = oldRecord?.holderIdentity === identity;
  const time = microTime(now);
  const transitions = oldRecord?.leaseTransitions ?? 0;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(duration / 1000),
    acquireTime: isRenewal ? oldRecord.acquireTime : time,
    renewTime: time,
    leaseTransitions: oldRecord === undefined || isRenewal ? transitions : Math.min(transitions + 1, maxTransitions),
  };
}

/** Returns the record of a holder that releases the lease, so that others need not wait. */
export function releasedRecord(record: LeaseRecord, releasedAt: number): LeaseRecord {
  const time = microTime(releasedAt);
  return { ...record, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
}

/** Returns whether two records are equal. */
export function sameRecord(record: LeaseRecord | undefined, other: LeaseRecord): boolean {
  return JSON.stringify(record) === JSON.stringify(other);
}

function microTime(time: number): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}

/** Returns a number from 0 to a maximum. */
function numberIn(value: unknown, max: number): number {
  return typeof value === 'number' ? Math.min(Math.max(0, value), max) : 0;
}
