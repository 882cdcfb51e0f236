import { groupKindKey, groupKindOf, type KubernetesObject, locatorOf, type Scope } from '@policy-machinery/resource';

/**
 * Returns objects with others applied over them.
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
  for (const object of above) objects.set(nameOf(object), object);
  return [...objects.values()];
}

/** Returns the scope of an object of a cluster: there, objects of a namespaced kind always have a namespace. */
function scopeOf({ metadata }: KubernetesObject): Scope {
  return metadata.namespace === undefined ? 'Cluster' : 'Namespaced';
}
