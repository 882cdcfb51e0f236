import { isDeepStrictEqual } from 'node:util';
import { groupKindKey, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';

/** Returns the part of an object that a data plane is configured with. */
export type ContentOf = (object: KubernetesObject) => unknown;

/** The default: the spec, because labels and statuses configure nothing. */
export const specContent: ContentOf = ({ spec }) => spec;

/**
 * Returns the targets among some objects that are new, or differ in content from the topology's: the configuration of targets below may differ
 * in a data plane, though no policy has changed.
 *
 * @param topology The topology before it takes the objects.
 * @param objects The objects to come.
 * @param contentOf The part that counts.
 * @param onFailure Takes the errors of `contentOf`, with the object, which then counts as different.
 * @returns Their locators. O(objects).
 */
export function withOtherContent(
  topology: Topology,
  objects: readonly KubernetesObject[],
  contentOf: ContentOf,
  onFailure: (locator: string, error: unknown) => void,
): readonly string[] {
  const targetKinds = new Map([...topology.targetKinds].map((kind) => [groupKindKey(kind), kind]));
  return objects.flatMap((object) => {
    const { apiVersion, kind } = object;
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    const targetKind = targetKinds.get(groupKindKey({ group, kind }));
    if (targetKind === undefined) return [];
    const locator = locatorOf(object, targetKind.scope);
    const oldObject = topology.get(locator)?.resource;
    try {
      return oldObject !== undefined && isDeepStrictEqual(contentOf(oldObject), contentOf(object)) ? [] : [locator];
    } catch (error) {
      onFailure(locator, error);
      return [locator];
    }
  });
}
