import {
  formatGroupKind,
  type GroupKind,
  groupKindOf,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  parseLocator,
} from '@policy-machinery/resource';
import type { Cluster } from './cluster.ts';
import { apiVersionOf } from './kinds/kind-table.ts';
import { namespaces, resourceKey, type ServedKind } from './kinds/served-kind.ts';
import type { ServerObject } from './objects.ts';
import { keyOf, type ResourceRequest } from './requests/request.ts';
import { createObject } from './verbs/create.ts';
import { remove } from './verbs/delete.ts';
import { entryOf } from './verbs/read.ts';
import { replace } from './verbs/update.ts';

/** Returns an object after a change. */
export type ObjectChange = (object: ServerObject) => KubernetesObject;

/** An object: its locator, or the object itself in any state, but only the kind, the namespace and the name count. */
export type NamedObject = string | KubernetesObject | ServerObject;

/** Reads and writes objects without access checks, faults and the audit log, as another client. */
export class Administrator {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Creates an object with its status, and its namespace if that does not exist. */
  create(object: KubernetesObject): ServerObject {
    const request = this.#requestFor(object);
    const { namespace } = request;
    if (namespace !== undefined && !this.#cluster.store.get(resourceKey(namespaces), namespace)) {
      this.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    }
    const { resourceVersion: _version, ...metadata } = object.metadata;
    const created = createObject(this.#cluster, request, jsonOf({ ...object, metadata }));
    if (object.status === undefined || !request.kind.hasStatus) return created.object;
    return this.#replace({ ...request, subresource: 'status' }, { ...created.object, status: object.status });
  }

  /** Replaces an object and its status. */
  update(named: NamedObject, change: ObjectChange): ServerObject {
    const request = this.#requestOf(named);
    const currentObject = entryOf(this.#cluster, request).in(request.apiVersion);
    const changedObject = change(currentObject);
    const replaced = this.#replace(request, changedObject);
    if (!request.kind.hasStatus || changedObject.status === undefined) return replaced;
    return this.#replace({ ...request, subresource: 'status' }, { ...replaced, status: changedObject.status });
  }

  /** Deletes an object; finalizers keep it. */
  delete(named: NamedObject): void {
    remove(this.#cluster, this.#requestOf(named));
  }

  /** Returns the present object, if it exists. */
  get(named: NamedObject): ServerObject | undefined {
    const { kind, namespace, name = '', apiVersion } = this.#requestOf(named);
    return this.#cluster.store.get(resourceKey(kind), keyOf(namespace, name))?.in(apiVersion);
  }

  /** Returns the objects of a kind, in the order of their namespaces and names. */
  list(groupKind: GroupKind): readonly ServerObject[] {
    const kind = this.#kindNamed(groupKind);
    const apiVersion = preferredVersionOf(kind);
    return this.#cluster.store.list(resourceKey(kind)).map(([, entry]) => entry.in(apiVersion));
  }

  #replace(request: ResourceRequest, object: KubernetesObject | ServerObject): ServerObject {
    return replace(this.#cluster, request, jsonOf(object)).in(request.apiVersion);
  }

  #kindNamed(groupKind: GroupKind): ServedKind {
    const kind = this.#cluster.kinds.named(groupKind);
    if (kind !== undefined) return kind;
    const served = this.#cluster.kinds.all.map(formatGroupKind).join(', ');
    throw new Error(
      `The fake API server does not serve ${formatGroupKind(groupKind)}; add it to kinds. It serves ${served}`,
    );
  }

  #requestFor(object: KubernetesObject | ServerObject): ResourceRequest {
    const kind = this.#kindNamed(groupKindOf(object));
    const namespace = kind.scope === 'Namespaced' ? object.metadata.namespace || 'default' : undefined;
    return { ...requestFor(kind, namespace, object.metadata.name), apiVersion: object.apiVersion };
  }

  #requestOf(named: NamedObject): ResourceRequest {
    if (typeof named !== 'string') return this.#requestFor(named);
    const { namespace, name, ...groupKind } = parseLocator(named);
    return requestFor(this.#kindNamed(groupKind), namespace, name);
  }
}

const preferredVersionOf = ({ group, versions }: ServedKind): string => apiVersionOf(group, versions[0] ?? 'v1');

function requestFor(kind: ServedKind, namespace: string | undefined, name: string): ResourceRequest {
  return {
    verb: 'update',
    kind,
    apiVersion: preferredVersionOf(kind),
    ...(namespace === undefined ? {} : { namespace }),
    name,
    query: {},
    headers: { 'user-agent': 'administrator' },
    body: '',
    representation: 'object',
  };
}

/** Returns a copy, as JSON has it. */
function jsonOf(object: KubernetesObject | ServerObject): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(object));
  return isJsonObject(copy) ? copy : {};
}
