import { isJsonObject, type JsonObject, stringIn } from '@policy-machinery/resource';
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

/** Reads and writes one Lease. */
export class LeaseClient {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #timeout: number;
  readonly #collection: string;
  readonly #name: string;
  readonly #namespace: string;

  constructor(
    transport: Transport,
    { clock, timeout, namespace, name }: { clock: Clock; timeout: number; namespace: string; name: string },
  ) {
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
      return await this.#exchange({ method: 'GET', path: this.#path }, signal);
    } catch (error) {
      if (error instanceof StatusError && error.code === 404 && error.isFromApiServer) return undefined;
      throw error;
    }
  }

  /** Creates the Lease. Rejects if it exists meanwhile. */
  create(record: LeaseRecord, signal?: AbortSignal): Promise<KnownLease> {
    const metadata = { name: this.#name, namespace: this.#namespace };
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: record };
    return this.#exchange({ method: 'POST', path: this.#collection, body: JSON.stringify(body) }, signal);
  }

  /** Replaces the record. Rejects if another client has written to the Lease. */
  replace({ object }: KnownLease, record: LeaseRecord, signal?: AbortSignal): Promise<KnownLease> {
    const spec = { ...(isJsonObject(object.spec) ? object.spec : {}), ...record };
    const body = JSON.stringify({ ...object, spec });
    return this.#exchange({ method: 'PUT', path: this.#path, body }, signal);
  }

  get #path(): string {
    return `${this.#collection}/${encodeURIComponent(this.#name)}`;
  }

  async #exchange(request: TransportRequest, signal?: AbortSignal): Promise<KnownLease> {
    const what = `${request.method} ${request.path}`;
    const deadline = startDeadline(this.#clock, this.#timeout, `${what}: no answer`, signal);
    try {
      const headers = request.body === undefined ? {} : { 'content-type': 'application/json' };
      const guarded = { ...request, headers, signal: deadline.signal };
      const response = await this.#transport.request(guarded);
      if (response.status >= 300) throw await readStatusError(response, guarded);
      const object = await response.json();
      if (!isJsonObject(object) || stringIn(object.kind) !== 'Lease')
        throw new Error(`${what}: the answer is no Lease`);
      return { object, record: readLeaseRecord(object) };
    } finally {
      deadline.clear();
    }
  }
}
