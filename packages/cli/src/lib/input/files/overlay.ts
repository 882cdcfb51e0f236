import { isDeepStrictEqual } from 'node:util';
import {
  groupKindKey,
  groupKindOf,
  type KubernetesObject,
  locatorOf,
  type ResourceScope,
} from '@policy-machinery/resource';

/**
 * Returns objects with others applied over them, as `kubectl apply` does: an object that was there keeps its age, and its status if nothing else
 * changes.
 *
 * @param below The objects of the cluster.
 * @param above The objects of files.
 * @returns The objects. If two have the same name, the one above counts.
 */
export function overlay(
  below: readonly KubernetesObject[],
  above: readonly KubernetesObject[],
): readonly KubernetesObject[] {
  const scopes = new Map(below.map((object) => [groupKindKey(groupKindOf(object)), scopeOf(object)]));
  const nameOf = (object: KubernetesObject) => locatorOf(object, scopes.get(groupKindKey(groupKindOf(object))));
  const objects = new Map(below.map((object) => [nameOf(object), object]));
  for (const object of above) objects.set(nameOf(object), applied(object, objects.get(nameOf(object))));
  return [...objects.values()];
}

/** Returns the result of applying an object over another one. */
function applied(object: KubernetesObject, before: KubernetesObject | undefined): KubernetesObject {
  if (before === undefined) return object;
  const { creationTimestamp, generation } = before.metadata;
  const isSame = object.status === undefined && isDeepStrictEqual(contentOf(object), contentOf(before));
  const metadata = {
    ...object.metadata,
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    ...(isSame && generation !== undefined ? { generation } : {}),
  };
  return isSame && before.status !== undefined
    ? { ...object, metadata, status: before.status }
    : { ...object, metadata };
}

/** Returns the fields that an owner writes into an object, beside its metadata. */
function contentOf({ metadata: _metadata, status: _status, ...content }: KubernetesObject): object {
  return content;
}

/** Returns the scope of an object of a cluster: there, objects of a namespaced kind always have a namespace. */
function scopeOf({ metadata }: KubernetesObject): ResourceScope {
  return metadata.namespace === undefined ? 'Cluster' : 'Namespaced';
}
