import {
  formatLocator,
  type GroupKind,
  groupKindKey,
  type KubernetesObject,
  locatorOf,
} from '@policy-machinery/resource';
import type { IsComplete } from '@policy-machinery/topology';
import type { Gap } from '../model/served-kind.ts';
import type { World } from '../model/world.ts';

/** The completeness of files: anything may be applied from elsewhere. */
export const nothing: IsComplete = () => false;

/** The completeness of the files of a test: they stand for a whole cluster. */
export const everything: IsComplete = () => true;

/**
 * Returns the completeness of a reading of a cluster: all requested kinds, in all namespaces, or in the namespaces where they may be read. A kind
 * that the cluster does not serve does not have objects.
 *
 * @param asked The kinds that were asked for, whether they are served or not.
 * @param gaps The kinds that were not read in all namespaces.
 */
export function completeFor(asked: readonly GroupKind[], gaps: readonly Gap[]): IsComplete {
  const known = new Set(asked.map(groupKindKey));
  const partial = new Map(gaps.map(({ kind, namespaces }) => [groupKindKey(kind), new Set(namespaces)]));
  return (kind, namespace) => {
    const key = groupKindKey(kind);
    const within = partial.get(key);
    if (within !== undefined) return namespace !== undefined && within.has(namespace);
    return known.has(key);
  };
}

/**
 * Returns the completeness of two sides of a comparison: each of the objects that one side has and the other lacks is known to be absent there. A
 * Namespace is not: other objects show that it exists.
 *
 * @param isComplete The completeness otherwise.
 */
export function completeForBoth(isComplete: IsComplete, objects: readonly KubernetesObject[]): IsComplete {
  const named = new Set(objects.flatMap((object) => (object.kind === 'Namespace' ? [] : locatorsOf(object))));
  return (kind, namespace, name) => {
    if (isComplete(kind, namespace, name)) return true;
    const place = namespace === undefined ? {} : { namespace };
    return name !== undefined && named.has(formatLocator({ group: kind.group, kind: kind.kind, name, ...place }));
  };
}

/** Returns the locators of an object: of one without a namespace, as a cluster-scoped object and as one in the default namespace. */
function locatorsOf(object: KubernetesObject): readonly string[] {
  return [locatorOf(object), locatorOf(object, 'Namespaced')];
}

/**
 * Returns the words that limit the statement that objects of some kinds are missing: none if all objects are read.
 *
 * @param kinds The kinds. Default: all that the topologies need.
 */
export function inThisInput(world: Pick<World, 'isComplete' | 'topologies'>, kinds?: readonly GroupKind[]): string {
  const { isComplete, topologies } = world;
  const all = kinds ?? topologies.flatMap(({ requiredKinds }) => requiredKinds);
  return all.every((kind) => isComplete(kind, undefined)) ? '' : ' in this input';
}
