import { groupKindKey, groupKindOf, type Issue, type KubernetesObject } from '@policy-machinery/resource';
import type { FileReading } from './files.ts';
import type { ClusterSource } from './world.ts';

/**
 * Sets the namespace of objects that have none, as `kubectl apply` does.
 *
 * @param reading Objects of files.
 * @param source The kinds of the cluster, and its default namespace.
 * @returns The objects; those of namespaced kinds have a namespace. Kinds that the cluster does not serve stay as they are.
 */
export function inNamespace(
  reading: FileReading,
  { kinds, namespace }: Pick<ClusterSource, 'kinds' | 'namespace'>,
): FileReading {
  const namespaced = new Set(kinds.filter((kind) => kind.namespaced).map(groupKindKey));
  const place = (object: KubernetesObject): KubernetesObject => {
    const { metadata } = object;
    const isPlaced = metadata.namespace !== undefined || !namespaced.has(groupKindKey(groupKindOf(object)));
    return isPlaced ? object : { ...object, metadata: { ...metadata, namespace } };
  };
  const locate = (issue: Issue): Issue => {
    const located = reading.locate(issue);
    if (located.position !== undefined || issue.resource === undefined) return located;
    const { position } = reading.locate({ ...issue, resource: issue.resource.replace(`:${namespace}/`, ':') });
    return position === undefined ? issue : { ...issue, position };
  };
  return { ...reading, objects: reading.objects.map(place), locate };
}
