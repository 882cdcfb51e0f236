import { isJsonObject, type KubernetesObject, locatorOf, type ResourceRef } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';

/** A target: its locator, a reference to it, an object, or a section of an object. */
export type NamedTarget =
  | string
  | ResourceRef
  | KubernetesObject
  | readonly [object: KubernetesObject, section: string];

/** A policy: `namespace/name`, its locator, or the object. */
export type NamedPolicy = string | KubernetesObject;

/** Returns the named target of a topology. Throws a `TypeError` that names similar targets if it does not exist. */
export function targetIn(topology: Topology, named: NamedTarget): TargetNode {
  const candidates = candidatesFor(named);
  for (const candidate of candidates) {
    const node = topology.get(candidate);
    if (node !== undefined) return node;
  }
  const [first = ''] = candidates;
  const name = typeof first === 'string' ? (first.split('#', 1)[0] ?? '').replace(/^.*[:/]/, '') : first.name;
  const similar = [...topology.targets].filter(({ ref }) => ref.name === name).map(({ locator }) => locator);
  const advice =
    similar.length === 0 ? 'apply the object to the topology' : `of this name it has ${similar.join(', ')}`;
  throw new TypeError(
    `The topology does not have the target ${typeof first === 'string' ? first : JSON.stringify(first)}; ${advice}`,
  );
}

/** Returns the possible locators of a name: a namespaced object without a namespace is in `default`. */
function candidatesFor(named: NamedTarget): readonly (string | ResourceRef)[] {
  if (typeof named === 'string') return [named];
  if (isSection(named)) return locatorsOf(named[0]).map((locator) => `${locator}#${named[1]}`);
  return isObject(named) ? locatorsOf(named) : [named];
}

const isSection = (named: NamedTarget): named is readonly [KubernetesObject, string] => Array.isArray(named);

const isObject = (named: ResourceRef | KubernetesObject): named is KubernetesObject =>
  'metadata' in named && isJsonObject(named.metadata);

const locatorsOf = (object: KubernetesObject): readonly string[] => [
  locatorOf(object),
  locatorOf(object, 'Namespaced'),
];

/** Returns `namespace/name` of a policy, or the name alone of a cluster-scoped one. */
export function policyName(named: NamedPolicy): string {
  const locator = typeof named === 'string' ? named : locatorOf(named);
  return locator.slice(locator.indexOf(':') + 1);
}
