import { type FoundKinds, findPolicyKinds, type TopologyKinds } from '@policy-machinery/known-kinds';
import type { KubernetesObject, ReleasedDefinition } from '@policy-machinery/resource';

/** The names of the hierarchies that policies can be inherited in: Gateway API's, and a mesh's. */
export type HierarchyName = 'Gateway API' | 'mesh';

/** A hierarchy with its policy kinds. */
export interface Hierarchy extends TopologyKinds {
  readonly name: HierarchyName;
}

/**
 * Returns the hierarchies for which some objects have policy kinds, the one to show first.
 *
 * @param resources The objects.
 * @param dialects How kinds merge that do not say so themselves.
 * @param released The definitions of releases, for kinds that none of the objects defines.
 * @param wanted The hierarchy to show, if there is one of this name. Default: Gateway API's.
 */
export function hierarchiesIn(
  resources: Iterable<KubernetesObject>,
  dialects: Readonly<Record<string, string>>,
  released: readonly ReleasedDefinition[],
  wanted: HierarchyName = 'Gateway API',
): readonly [Hierarchy, ...Hierarchy[]] {
  const found: FoundKinds = findPolicyKinds({ resources, dialects, released });
  const own: Hierarchy = { ...found, name: 'Gateway API' };
  if (found.mesh === undefined) return [own];
  const mesh: Hierarchy = { ...found.mesh, name: 'mesh' };
  if (found.kinds.length === 0) return [mesh];
  return wanted === 'mesh' ? [mesh, own] : [own, mesh];
}
