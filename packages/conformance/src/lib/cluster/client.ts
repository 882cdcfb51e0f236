// cluster/: the requests of checks to an API server. Takes a transport, and creates, changes and watches objects in a namespace of the check.

import {
  type Clock,
  readStatusError,
  StatusError,
  type Transport,
  type TransportRequest,
} from '@policy-machinery/cluster';
import {
  type GroupKind,
  groupOf,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  objectsIn,
  pluralOf,
} from '@policy-machinery/resource';
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
  /** Watches an object until it has no fault. Throws a `CheckFailure` with the fault when the time is over. */
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
  /** The names in URLs of kinds whose plural is not regular, by `Kind.group`. */
  readonly plurals: Readonly<Record<string, string>>;
}

/** Creates a client for one namespace. */
export function createClient(transport: Transport, options: ClientOptions): Client {
  const { namespace, timeout, clock, plurals } = options;
  const pathOf = ({ apiVersion, kind }: Omit<ObjectName, 'name'>): string => {
    const group: GroupKind = { group: groupOf(apiVersion), kind };
    const root = group.group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
    const plural = plurals[`${kind}.${group.group}`] ?? pluralOf(kind);
    return `${root}/namespaces/${namespace}/${plural}`;
  };
  const ask = async (request: TransportRequest): Promise<JsonObject> => {
    const response = await transport.request(request);
    if (response.status >= 400) throw await readStatusError(response, request);
    const body = await response.json();
    return isJsonObject(body) ? body : {};
  };
  const json = (type: string) => ({ 'content-type': `application/${type}` });

  const watched = (name: ObjectName, ms: number, onObject: (object: KubernetesObject | undefined) => boolean) =>
    watchObject({ transport, path: pathOf(name), name: name.name, clock, ms, onObject });

  return {
    namespace,
    async create(...objects) {
      const created: KubernetesObject[] = [];
      for (const object of objects) {
        const path = pathOf(object);
        const body = JSON.stringify({ ...object, metadata: { namespace, ...object.metadata } });
        created.push((await ask({ method: 'POST', path, headers: json('json'), body })) as unknown as KubernetesObject);
      }
      return created;
    },
    async patch(name, patch, subresource) {
      const path = [pathOf(name), name.name, ...(subresource === undefined ? [] : [subresource])].join('/');
      const body = JSON.stringify(patch);
      const patched = await ask({ method: 'PATCH', path, headers: json('merge-patch+json'), body });
      return patched as unknown as KubernetesObject;
    },
    async remove(name) {
      try {
        await ask({ method: 'DELETE', path: `${pathOf(name)}/${name.name}` });
      } catch (error) {
        if (!(error instanceof StatusError && error.code === 404 && error.isFromApiServer)) throw error;
      }
    },
    async readCluster(path) {
      try {
        return (await ask({ method: 'GET', path })) as unknown as KubernetesObject;
      } catch (error) {
        if (error instanceof StatusError && error.code === 404 && error.isFromApiServer) return undefined;
        throw error;
      }
    },
    async until(name, expectation) {
      let last: KubernetesObject | undefined;
      let fault: string | undefined = 'it was not read';
      await watched(name, timeout, (object) => {
        last = object;
        fault = expectation(object);
        return fault === undefined;
      });
      if (fault === undefined && last !== undefined) return last;
      const what = `${name.kind} ${namespace}/${name.name}`;
      throw new CheckFailure(
        `${what}: ${fault ?? 'it is not there'}, after ${timeout / 1000} s`,
        last === undefined ? [] : [last],
      );
    },
    async changesWithin(name, ms) {
      const versions: KubernetesObject[] = [];
      await watched(name, ms, (object) => {
        if (object !== undefined) versions.push(object);
        return false;
      });
      const distinct = new Map(versions.map((it) => [String(it.metadata.resourceVersion), it]));
      return [...distinct.values()].slice(1);
    },
    nextSecond: () => new Promise((resolve) => void clock.setTimeout(resolve, 1100)),
  };
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
