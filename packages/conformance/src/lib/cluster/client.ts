// cluster/: the requests of checks to an API server. Takes a transport, and creates, changes and watches objects in a namespace of the check.

import { type Clock, StatusError, type Transport, type TransportRequest } from '@policy-machinery/cluster';
import { readStatusError } from '@policy-machinery/cluster/inner';
import { groupOf, isJsonObject, type JsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import { pluralOf } from '@policy-machinery/resource/inner';
import { CheckFailure } from './failure.ts';

/** The name of an object in the namespace of a check. */
export interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Returns the fault of an object; `undefined` if it has none. */
export type Expectation = (object: KubernetesObject | undefined) => string | undefined;

/** The objects of one namespace. */
export interface Client {
  readonly namespace: string;
  /** Creates objects. Throws a `StatusError` if the API server refuses one. */
  create(...objects: readonly KubernetesObject[]): Promise<readonly KubernetesObject[]>;
  /** Changes an object by a JSON Merge Patch. */
  patch(name: ObjectName, patch: JsonObject, subresource?: 'status'): Promise<KubernetesObject>;
  /** Deletes an object; one that is not there is deleted already. */
  remove(name: ObjectName): Promise<void>;
  /** Returns an object that is not in a namespace; `undefined` if it is not there. */
  readCluster(path: string): Promise<KubernetesObject | undefined>;
  /** Watches an object until it is without fault. Throws a `CheckFailure` with the fault when the time is over. */
  until(name: ObjectName, expectation: Expectation): Promise<KubernetesObject>;
  /** Watches an object for some milliseconds. Returns the versions that it has had meanwhile, but for the first. */
  changesWithin(name: ObjectName, ms: number): Promise<readonly KubernetesObject[]>;
  /** Waits until objects that are created get another creation timestamp, which has whole seconds. */
  nextSecond(): Promise<void>;
}

/** Where and for how long a client works. */
export interface ClientOptions {
  readonly namespace: string;
  /** How long `until` waits, in milliseconds. */
  readonly timeout: number;
  readonly clock: Clock;
  /** The names in URLs of kinds with an irregular plural, by `Kind.group`. */
  readonly plurals: Readonly<Record<string, string>>;
}

export function createClient(transport: Transport, options: ClientOptions): Client {
  return new NamespaceClient(transport, options);
}

const contentType = (type: string) => ({ 'content-type': `application/${type}` });

class NamespaceClient implements Client {
  readonly #transport: Transport;
  readonly #options: ClientOptions;

  constructor(transport: Transport, options: ClientOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  get namespace(): string {
    return this.#options.namespace;
  }

  async create(...objects: readonly KubernetesObject[]) {
    const { namespace } = this;
    const created: KubernetesObject[] = [];
    for (const object of objects) {
      const body = JSON.stringify({ ...object, metadata: { namespace, ...object.metadata } });
      created.push(await this.#ask({ method: 'POST', path: this.#pathOf(object), headers: contentType('json'), body }));
    }
    return created;
  }

  patch(name: ObjectName, patch: JsonObject, subresource?: 'status') {
    const path = [this.#pathOf(name), name.name, ...(subresource === undefined ? [] : [subresource])].join('/');
    const headers = contentType('merge-patch+json');
    return this.#ask({ method: 'PATCH', path, headers, body: JSON.stringify(patch) });
  }

  async remove(name: ObjectName) {
    await this.#askIfExists({ method: 'DELETE', path: `${this.#pathOf(name)}/${name.name}` });
  }

  readCluster(path: string) {
    return this.#askIfExists({ method: 'GET', path });
  }

  async until(name: ObjectName, expectation: Expectation) {
    const { timeout } = this.#options;
    let last: KubernetesObject | undefined;
    let fault: string | undefined = 'it was not read';
    await this.#watch(name, timeout, (object) => {
      last = object;
      fault = expectation(object);
      return fault === undefined;
    });
    if (fault === undefined && last !== undefined) return last;
    const subject = `${name.kind} ${this.namespace}/${name.name}`;
    const message = `${subject}: ${fault ?? 'it is not there'}, after ${timeout / 1000} s`;
    throw new CheckFailure(message, last === undefined ? [] : [last]);
  }

  async changesWithin(name: ObjectName, ms: number) {
    const versions = new Map<string, KubernetesObject>();
    await this.#watch(name, ms, (object) => {
      if (object !== undefined) versions.set(String(object.metadata.resourceVersion), object);
      return false;
    });
    return [...versions.values()].slice(1);
  }

  nextSecond(): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.setTimeout(resolve, 1100));
  }

  #watch(name: ObjectName, ms: number, onObject: WatchedObject['onObject']): Promise<void> {
    const { clock } = this.#options;
    return watchObject({ transport: this.#transport, path: this.#pathOf(name), name: name.name, clock, ms, onObject });
  }

  #pathOf({ apiVersion, kind }: Omit<ObjectName, 'name'>): string {
    const { namespace, plurals } = this.#options;
    const group = groupOf(apiVersion);
    const root = group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
    return `${root}/namespaces/${namespace}/${plurals[`${kind}.${group}`] ?? pluralOf(kind)}`;
  }

  async #ask(request: TransportRequest): Promise<KubernetesObject> {
    const response = await this.#transport.request(request);
    if (response.status >= 400) throw await readStatusError(response, request);
    const body = await response.json();
    return asObject(isJsonObject(body) ? body : {});
  }

  /** Asks about an object; `undefined` if the API server answers that it does not exist. */
  async #askIfExists(request: TransportRequest): Promise<KubernetesObject | undefined> {
    try {
      return await this.#ask(request);
    } catch (error) {
      if (error instanceof StatusError && error.code === 404 && error.isFromApiServer) return undefined;
      throw error;
    }
  }
}

interface WatchedObject {
  readonly transport: Transport;
  /** The path of the collection. */
  readonly path: string;
  readonly name: string;
  readonly clock: Clock;
  readonly ms: number;
  /** Takes each version. Returns whether it is the last that is wanted. */
  readonly onObject: (object: KubernetesObject | undefined) => boolean;
}

/** Lists an object and watches it, again and again, until it is as wanted or the time is over. */
async function watchObject({ transport, path, name, clock, ms, onObject }: WatchedObject): Promise<void> {
  const over = new AbortController();
  const cancel = clock.setTimeout(() => over.abort(new Error('the time is over')), ms);
  const { signal } = over;
  const query = { fieldSelector: `metadata.name=${name}` };
  try {
    while (!signal.aborted) {
      const listed = await transport.request({ method: 'GET', path, query, signal });
      const list = await listed.json();
      if (!isJsonObject(list) || listed.status !== 200) throw new Error(`${path} cannot be read: ${listed.status}`);
      if (onObject(objectsIn(list.items).map(asObject)[0])) return;
      const resourceVersion = isJsonObject(list.metadata) ? String(list.metadata.resourceVersion) : '';
      const watching = { ...query, watch: '1', resourceVersion };
      const response = await transport.request({ method: 'GET', path, query: watching, signal });
      for await (const line of response.lines()) {
        const event: unknown = JSON.parse(line);
        if (!isJsonObject(event) || event.type === 'ERROR') break;
        if (event.type === 'BOOKMARK' || !isJsonObject(event.object)) continue;
        if (onObject(event.type === 'DELETED' ? undefined : asObject(event.object))) return;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    cancel();
    over.abort(new Error('the watch is not needed any more'));
  }
}

const asObject = (object: JsonObject): KubernetesObject => object as unknown as KubernetesObject;
