import { isJsonObject, type JsonObject, objectsIn, stringIn } from '@policy-machinery/resource';
import type { AuditedRequest } from '../audit.ts';

/** A write that has changed an entry in the status of a policy. */
export interface EntryWrite {
  /** The policy and the Gateway. */
  readonly entry: string;
  /** The name of the replica. */
  readonly by: string;
  /** When the request came and when it was answered, in milliseconds since 1970. */
  readonly began: number;
  readonly ended: number;
}

/** Returns the writes that have changed entries, in the order in which the API server has stored them. */
export function entryWritesIn(requests: readonly AuditedRequest[]): readonly EntryWrite[] {
  const writes = requests.filter(({ verb, resource, code }) => {
    return verb === 'patch' && code === 200 && resource.startsWith('timeoutpolicies/status');
  });
  const known = new Map<string, string>();
  return writes
    .toSorted((one, other) => versionOf(one) - versionOf(other))
    .flatMap(({ name, answered, userAgent, began, ended }) =>
      entriesIn(answered).flatMap(([gateway, content]): EntryWrite[] => {
        const entry = `${name} at ${gateway}`;
        const before = known.get(entry);
        known.set(entry, content);
        return before === content ? [] : [{ entry, by: userAgent, began, ended }];
      }),
    );
}

function entriesIn(policy: unknown): readonly (readonly [gateway: string, content: string])[] {
  const status = isJsonObject(policy) && isJsonObject(policy.status) ? policy.status : {};
  return objectsIn(status.ancestors).map((entry) => {
    return [isJsonObject(entry.ancestorRef) ? String(entry.ancestorRef.name) : '', JSON.stringify(entry)];
  });
}

/** What a replica has published in its Lease. */
interface Published {
  readonly by: string;
  readonly ended: number;
  /** The members that it shares Gateways with; `''` if it has let go of its Lease. */
  readonly members: string;
}

function publishedIn(requests: readonly AuditedRequest[]): readonly Published[] {
  return requests.flatMap(({ verb, resource, code, userAgent, ended, answered }) => {
    const isWrite = resource === 'leases.coordination.k8s.io' && (verb === 'update' || verb === 'create') && code < 300;
    if (!isWrite || !isJsonObject(answered)) return [];
    const { metadata, spec } = answered;
    const isReleased = isJsonObject(spec) && spec.holderIdentity === '';
    return [{ by: userAgent, ended, members: isReleased ? '' : (membersIn(metadata) ?? '') }];
  });
}

function membersIn(metadata: JsonObject[string] | undefined): string | undefined {
  const annotations = isJsonObject(metadata) && isJsonObject(metadata.annotations) ? metadata.annotations : {};
  return stringIn(annotations['policy-machinery/members']);
}

/** A replica gives its requests up before it publishes other members. The API server may still carry out one of them, so much later, in milliseconds. */
const latest = 30_000;

/**
 * Returns the changes of an entry's writer without a reason: the former one has not published other members since its last write was sent, nor has its
 * Lease run out.
 *
 * @param leaseDuration How long a Lease is valid after it was renewed, in milliseconds.
 */
export function unfoundedChanges(requests: readonly AuditedRequest[], leaseDuration: number): readonly string[] {
  const published = publishedIn(requests).toSorted((one, other) => one.ended - other.ended);
  const last = new Map<string, EntryWrite>();
  return entryWritesIn(requests).flatMap((write) => {
    const before = last.get(write.entry);
    last.set(write.entry, write);
    if (before === undefined || before.by === write.by) return [];
    const byFormer = published.filter(({ by, ended }) => by === before.by && ended < write.ended);
    const sent = before.began - latest;
    const atItsWrite = byFormer.findLast(({ ended }) => ended <= sent);
    const hasFollowed = byFormer.some(({ ended, members }) => ended > sent && members !== atItsWrite?.members);
    const hasRunOut = write.began - (byFormer.at(-1)?.ended ?? 0) >= leaseDuration;
    return hasFollowed || hasRunOut ? [] : [`${write.by} wrote ${write.entry} after ${before.by}`];
  });
}

/** Returns the longest time between two writes to one entry, in milliseconds. Each must change all the time. */
export function longestGap(writes: readonly EntryWrite[]): number {
  const last = new Map<string, number>();
  let longest = 0;
  for (const { entry, ended } of writes) {
    longest = Math.max(longest, ended - (last.get(entry) ?? ended));
    last.set(entry, ended);
  }
  return longest;
}

function versionOf({ answered }: AuditedRequest): number {
  const metadata = isJsonObject(answered) && isJsonObject(answered.metadata) ? answered.metadata : {};
  return Number(metadata.resourceVersion ?? 0);
}
