import { type Issue, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import type { World } from '../../model/world.ts';
import type { Placed } from '../files/in-namespace.ts';

/**
 * Puts objects without a namespace where a renderer puts the object of the same kind and name.
 *
 * @param reading Other objects, which are to take their place.
 * @returns The objects. One without a counterpart, or with several, stays unchanged.
 */
export function placedAlike<Reading extends Placed>(
  { objects, unrendered }: Pick<World, 'objects' | 'unrendered'>,
  reading: Reading,
): Reading {
  const byName = new Map<string, KubernetesObject | undefined>();
  for (const object of objects) {
    const isPlaced = object.metadata.namespace !== undefined && unrendered.changeOf(locatorOf(object)) !== undefined;
    if (isPlaced) byName.set(nameOf(object), byName.has(nameOf(object)) ? undefined : object);
  }
  const written = new Map<string, string>();
  const place = (object: KubernetesObject): KubernetesObject => {
    const namespace = byName.get(nameOf(object))?.metadata.namespace;
    if (object.metadata.namespace !== undefined || namespace === undefined) return object;
    const placed = { ...object, metadata: { ...object.metadata, namespace } };
    written.set(locatorOf(placed), locatorOf(object));
    return placed;
  };
  const locate = (issue: Issue): Issue => {
    const { resource = '' } = issue;
    const { position } = reading.locate({ ...issue, resource: written.get(resource) ?? resource });
    return position === undefined ? issue : { ...issue, position };
  };
  return { ...reading, objects: reading.objects.map(place), locate };
}

function nameOf({ apiVersion, kind, metadata: { name } }: KubernetesObject): string {
  return `${apiVersion} ${kind} ${name}`;
}
