import {
  type GroupKind,
  groupKindKey,
  groupKindOf,
  type Issue,
  type KubernetesObject,
} from '@policy-machinery/resource';
import type { FileReading } from './file-reading.ts';

/** Where objects without a namespace belong. */
export interface Placing {
  readonly kinds: readonly GroupKind[];
  readonly namespace: string;
}

/** Objects of files, each with the place that it was read from. */
export type Placed = Pick<FileReading, 'objects' | 'locate'>;

/**
 * Sets the namespace of objects without one, as `kubectl apply -n` does.
 *
 * @param placing The namespaced kinds, and the namespace.
 * @returns The objects; objects of namespaced kinds have a namespace. Objects of other kinds stay unchanged.
 */
export function inNamespace<Reading extends Placed>(reading: Reading, { kinds, namespace }: Placing): Reading {
  const namespaced = new Set(kinds.map(groupKindKey));
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

/**
 * Places objects in the namespace of `-n`, if there is one.
 *
 * @param kinds The kinds of the topologies, with their scopes.
 * @param namespace The namespace; `undefined` leaves objects unchanged.
 */
export function placed<Reading extends Placed>(
  reading: Reading,
  kinds: readonly (GroupKind & { readonly scope: 'Namespaced' | 'Cluster' })[],
  namespace: string | undefined,
): Reading {
  if (namespace === undefined) return reading;
  return inNamespace(reading, { kinds: kinds.filter(({ scope }) => scope === 'Namespaced'), namespace });
}
