import type { KubernetesObject } from '@policy-machinery/resource';

/** Returns resources in the order in which an API server lists them: by kind, namespace and name. */
export function asListed(resources: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const lists = new Map<string, KubernetesObject[]>();
  for (const resource of resources) {
    const list = lists.get(resource.kind) ?? [];
    lists.set(resource.kind, list);
    list.push(resource);
  }
  return [...lists.values()].flatMap((list) => list.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)));
}

/** Returns the part of a resource's storage key after the kind. */
function keyOf({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
