import { isJsonObject, objectsIn } from '@policy-machinery/resource';
import type { AuditedRequest } from '../audit.ts';

/** Returns the requests by which controllers have written statuses. */
export function statusWritesIn(requests: readonly AuditedRequest[], user: string): readonly AuditedRequest[] {
  return requests.filter((it) => it.user === user && it.verb === 'patch' && it.resource.includes('/status'));
}

/** Returns the writes that were made while another process held the lease, by what the API server had stored. */
export function writesWithoutLease(
  requests: readonly AuditedRequest[],
  writes: readonly AuditedRequest[],
): readonly string[] {
  const renewals = requests
    .filter(({ resource, code }) => resource === 'leases.coordination.k8s.io' && code >= 200 && code < 300)
    .filter(({ verb, name }) => (verb === 'update' || verb === 'create') && (name === 'chaos' || name === ''))
    .map(({ ended, answered }) => ({ ended, holder: holderIn(answered) }))
    .sort((one, other) => one.ended - other.ended);
  return writes.flatMap(({ userAgent, began, resource, name }) => {
    const last = renewals.findLast(({ ended }) => ended < began);
    const isHeld = last !== undefined && last.holder === userAgent;
    return isHeld
      ? []
      : [`${userAgent} wrote to ${resource} ${name}, but ${last?.holder || 'no process'} held the lease`];
  });
}

function holderIn(lease: unknown): string {
  const spec = isJsonObject(lease) && isJsonObject(lease.spec) ? lease.spec : {};
  return String(spec.holderIdentity ?? '');
}

/** Returns the writes of a process to an object to which another one of its writes was in flight. */
export function writesAtOnce(writes: readonly AuditedRequest[]): readonly string[] {
  const last = new Map<string, AuditedRequest>();
  return [...writes]
    .sort((one, other) => one.began - other.began)
    .flatMap((write) => {
      const key = writerAndObject(write);
      const before = last.get(key);
      last.set(key, write);
      // A process that no longer leads has given its requests up, whether the API server has noticed or not.
      return before !== undefined && before.ended > write.began && before.code !== 0 ? [key] : [];
    });
}

/** Returns the writes after which the status of an object tells about an older generation than before. */
export function writesBack(writes: readonly AuditedRequest[]): readonly string[] {
  const known = new Map<string, { readonly version: bigint; readonly generation: number }>();
  const written = writes.filter(({ code }) => code === 200).map((write) => ({ write, ...observedIn(write.answered) }));
  written.sort((one, other) => (one.version < other.version ? -1 : 1));
  return written.flatMap(({ write, uid, version, generation }) => {
    const before = known.get(uid);
    known.set(uid, { version, generation });
    const isBack = before !== undefined && generation < before.generation;
    return isBack ? [`${write.resource} ${write.name}: ${generation} after ${before.generation}`] : [];
  });
}

function writerAndObject({ userAgent, resource, namespace, name }: AuditedRequest): string {
  return `${userAgent} ${resource} ${namespace}/${name}`;
}

/** Returns the accepted writes. */
export function acceptedWrites(writes: readonly AuditedRequest[]): readonly AuditedRequest[] {
  return writes.filter(({ code }) => code === 200);
}

/** Returns the largest number of writes of a process to one object that were refused in a row. */
export function mostRefusedInARow(writes: readonly AuditedRequest[]): number {
  const refused = new Map<string, number>();
  let most = 0;
  for (const write of writes.toSorted((one, other) => one.began - other.began)) {
    const key = writerAndObject(write);
    const count = write.code === 200 ? 0 : (refused.get(key) ?? 0) + 1;
    refused.set(key, count);
    most = Math.max(most, count);
  }
  return most;
}

/** Returns the writes that have changed something: the object has another version after them. */
export function changingWrites(writes: readonly AuditedRequest[]): readonly AuditedRequest[] {
  const versions = new Map<string, bigint>();
  return acceptedWrites(writes).filter(({ answered }) => {
    const { uid, version } = observedIn(answered);
    const isNew = versions.get(uid) !== version;
    versions.set(uid, version);
    return isNew;
  });
}

interface Observed {
  readonly uid: string;
  readonly version: bigint;
  /** The oldest generation that the controllers' conditions are about. */
  readonly generation: number;
}

function observedIn(object: unknown): Observed {
  const metadata = isJsonObject(object) && isJsonObject(object.metadata) ? object.metadata : {};
  const status = isJsonObject(object) && isJsonObject(object.status) ? object.status : {};
  const holders = [status, ...objectsIn(status.ancestors), ...objectsIn(status.parents)];
  const generations = holders
    .flatMap(({ conditions }) => objectsIn(conditions))
    .flatMap(({ observedGeneration }) => (typeof observedGeneration === 'number' ? observedGeneration : []));
  return {
    uid: String(metadata.uid ?? ''),
    version: BigInt(String(metadata.resourceVersion ?? 0)),
    generation: generations.length === 0 ? Number(metadata.generation ?? 0) : Math.min(...generations),
  };
}
