import { type JsonObject, objectIn, objectsIn, stringIn } from '@policy-machinery/resource';
import type { Clock } from '../time/clock.ts';
import { startDeadline } from '../time/deadline.ts';
import { readStatusError, StatusError } from '../transport/status-error.ts';
import type { Transport, TransportRequest } from '../transport/transport.ts';
import { type LeaseRecord, readLeaseRecord } from './lease-record.ts';

/** A Lease, as it was read or written last. */
export interface KnownLease {
  readonly object: JsonObject;
  readonly record: LeaseRecord;
}

export interface LeaseClientOptions {
  readonly clock: Clock;
  /** How long an answer may take, in milliseconds. */
  readonly timeout: number;
  readonly namespace: string;
  readonly name: string;
}

/** The fields of a Lease beside its record. */
export interface LeaseMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Reads and writes one Lease, and reads others. */
export class LeaseClient {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #timeout: number;
  readonly #collection: string;
  readonly #name: string;
  readonly #namespace: string;

  constructor(transport: Transport, { clock, timeout, namespace, name }: LeaseClientOptions) {
    this.#transport = transport;
    this.#clock = clock;
    this.#timeout = timeout;
    this.#namespace = namespace;
    this.#name = name;
    this.#collection = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;
  }

  /** Reads the Lease; `undefined` if there is none. */
  async read(signal?: AbortSignal): Promise<KnownLease | undefined> {
    try {
      return await this.#exchangeLease({ method: 'GET', path: this.#path }, signal);
    } catch (error) {
      if (error instanceof StatusError && error.code === 404 && error.isFromApiServer) return undefined;
      throw error;
    }
  }

  /** Creates the Lease. Rejects if it exists meanwhile. */
  create(record: LeaseRecord, signal?: AbortSignal, more?: LeaseMetadata): Promise<KnownLease> {
    const metadata = { ...more, name: this.#name, namespace: this.#namespace };
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: record };
    return this.#exchangeLease({ method: 'POST', path: this.#collection, body: JSON.stringify(body) }, signal);
  }

  /** Replaces the record, and sets metadata. Rejects if another client has written to the Lease. */
  replace(
    { object }: KnownLease,
    record: LeaseRecord,
    signal?: AbortSignal,
    { labels, annotations }: LeaseMetadata = { labels: {}, annotations: {} },
  ): Promise<KnownLease> {
    const spec = { ...objectIn(object.spec), ...record };
    const oldMetadata = objectIn(object.metadata);
    const metadata = {
      ...oldMetadata,
      labels: { ...objectIn(oldMetadata.labels), ...labels },
      annotations: { ...objectIn(oldMetadata.annotations), ...annotations },
    };
    const body = JSON.stringify({ ...object, metadata, spec });
    return this.#exchangeLease({ method: 'PUT', path: this.#path, body }, signal);
  }

  /** Reads Leases in their state when the request arrives, or later: not from a cache that may be behind. */
  async list(query: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<readonly JsonObject[]> {
    const { kind, items } = await this.#exchange({ method: 'GET', path: this.#collection, query }, signal);
    if (stringIn(kind) !== 'LeaseList') throw new Error(`GET ${this.#collection}: the answer is not a list of Leases`);
    return objectsIn(items);
  }

  async remove(name: string, signal?: AbortSignal): Promise<void> {
    await this.#exchange({ method: 'DELETE', path: `${this.#collection}/${encodeURIComponent(name)}` }, signal);
  }

  get #path(): string {
    return `${this.#collection}/${encodeURIComponent(this.#name)}`;
  }

  async #exchangeLease(request: TransportRequest, signal?: AbortSignal): Promise<KnownLease> {
    const object = await this.#exchange(request, signal);
    if (stringIn(object.kind) === 'Lease') return { object, record: readLeaseRecord(object) };
    throw new Error(`${request.method} ${request.path}: the answer is not a Lease`);
  }

  async #exchange(request: TransportRequest, signal?: AbortSignal): Promise<JsonObject> {
    const what = `${request.method} ${request.path}`;
    const deadline = startDeadline(this.#clock, this.#timeout, `${what}: no answer`, signal);
    try {
      const headers = request.body === undefined ? {} : { 'content-type': 'application/json' };
      const guarded = { ...request, headers, signal: deadline.signal };
      const response = await this.#transport.request(guarded);
      if (response.status >= 300) throw await readStatusError(response, guarded);
      return objectIn(await response.json());
    } finally {
      deadline.clear();
    }
  }
}
