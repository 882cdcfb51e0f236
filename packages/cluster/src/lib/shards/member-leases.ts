import { createHash } from 'node:crypto';
import { type JsonObject, objectIn, stringIn } from '@policy-machinery/resource';
import { type KnownLease, LeaseClient, type LeaseClientOptions } from '../lease/lease-client.ts';
import { type LeaseRecord, readLeaseRecord } from '../lease/lease-record.ts';
import { StatusError } from '../transport/status-error.ts';
import type { Transport } from '../transport/transport.ts';
import type { MemberLease } from './membership.ts';

/** The label on the Leases of all members, with the name of the shared work. */
const label = 'policy-machinery/shards';

/** The annotation with the members that a member shares keys with. */
const annotation = 'policy-machinery/members';

const longestLabel = 63;
const longestName = 253;

/** Reads and writes a member's Lease, and reads the others' Leases. */
export class MemberLeases {
  readonly name: string;
  readonly #client: LeaseClient;
  readonly #label: string;

  constructor(
    transport: Transport,
    { name, identity, ...options }: LeaseClientOptions & { readonly identity: string },
  ) {
    this.#label = shortened(name, longestLabel);
    this.name = shortened(`${name}-${identity}`, longestName);
    this.#client = new LeaseClient(transport, { ...options, name: this.name });
  }

  /** Writes the Lease of the member, with the members that it shares keys with. */
  async write(
    lease: KnownLease | undefined,
    record: LeaseRecord,
    members: readonly string[],
    signal?: AbortSignal,
  ): Promise<KnownLease> {
    const metadata = { labels: { [label]: this.#label }, annotations: { [annotation]: members.join(',') } };
    const write = (existing: KnownLease | undefined) =>
      existing === undefined
        ? this.#client.create(record, signal, metadata)
        : this.#client.replace(existing, record, signal, metadata);
    try {
      return await write(lease);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // Another client may have written or deleted it, or an earlier answer was lost.
      return write(await this.#client.read(signal));
    }
  }

  /** Reads the Leases of all members, in their state at the time of the request or later. */
  async list(signal?: AbortSignal): Promise<readonly MemberLease[]> {
    const leases = await this.#client.list({ labelSelector: `${label}=${this.#label}` }, signal);
    return leases.map(memberLeaseOf);
  }

  /** Deletes the Lease of a member that has ended. */
  remove(name: string, signal?: AbortSignal): Promise<void> {
    return this.#client.remove(name, signal);
  }
}

function memberLeaseOf(lease: JsonObject): MemberLease {
  const record = readLeaseRecord(lease);
  const metadata = objectIn(lease.metadata);
  const members = stringIn(objectIn(metadata.annotations)[annotation]);
  return {
    name: stringIn(metadata.name) ?? '',
    isReleased: record.holderIdentity === '',
    duration: record.leaseDurationSeconds * 1000,
    members: members?.split(','),
    version: JSON.stringify([record, members]),
  };
}

/** Returns a name as one of an object, or as the value of a label. A name that is changed ends with a hash of it. */
function shortened(name: string, longest: number): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-');
  if (plain === name && name.length <= longest) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return `${plain.slice(0, longest - hash.length - 1)}-${hash}`;
}
