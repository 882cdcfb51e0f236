import { resourcesOf, type Transport } from '@policy-machinery/cluster';
import {
  type GroupKind,
  groupKindKey,
  isJsonObject,
  type KubernetesObject,
  objectsIn,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import type { RequiredKind } from '@policy-machinery/topology';
import type { ServedKind } from '../../model/served-kind.ts';
import { inParallel } from './in-parallel.ts';

/**
 * Returns the kinds that are needed, as CustomResourceDefinitions serve them. Kinds of the core group
 * are always served.
 *
 * @param required The kinds, with the versions that can be read.
 * @param definitions The CustomResourceDefinitions of the cluster.
 * @returns Those that are served.
 */
export function servedByDefinitions(
  required: readonly RequiredKind[],
  definitions: readonly KubernetesObject[],
): readonly ServedKind[] {
  const established = definitions.filter(isEstablished);
  const byKind = new Map(established.flatMap((each) => definedKind(each)).map((it) => [groupKindKey(it), it]));
  return required.flatMap((kind): readonly ServedKind[] => {
    const { group, plural, versions, scope } = kind;
    const [newest = 'v1'] = versions;
    if (group === '') return [{ ...kind, version: newest, resource: plural, namespaced: scope === 'Namespaced' }];
    const defined = byKind.get(groupKindKey(kind));
    const version = versions.find((each) => defined?.served.includes(each)) ?? defined?.served[0];
    if (defined === undefined || version === undefined) return [];
    return [{ ...kind, version, resource: defined.plural, namespaced: defined.isNamespaced }];
  });
}

interface DefinedKind extends GroupKind {
  readonly plural: string;
  readonly isNamespaced: boolean;
  readonly served: readonly string[];
}

/** Returns whether the API server serves the kind already. A definition from a file lacks a status. */
function isEstablished({ status }: KubernetesObject): boolean {
  if (!isJsonObject(status)) return true;
  return objectsIn(status.conditions).some((each) => each.type === 'Established' && each.status === 'True');
}

function definedKind(definition: KubernetesObject): readonly DefinedKind[] {
  const { group, names, scope, versions } = specOf(definition);
  const { kind, plural } = isJsonObject(names) ? names : {};
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string') return [];
  const served = objectsIn(versions).flatMap((each) => (each.served === true ? (stringIn(each.name) ?? []) : []));
  return [{ group, kind, plural, isNamespaced: scope !== 'Cluster', served }];
}

/**
 * Returns the kinds that are needed, as the API server's discovery lists them: for users who cannot read CustomResourceDefinitions.
 *
 * @returns Those that are served.
 */
export async function servedByDiscovery(
  transport: Transport,
  required: readonly RequiredKind[],
  signal: AbortSignal,
): Promise<readonly ServedKind[]> {
  const versions = new Map(
    required.flatMap(({ group, versions }) => versions.map((version) => [`${group}/${version}`, { group, version }])),
  );
  const lists = await inParallel([...versions.values()], 4, (each) => resourcesOf(transport, each, signal));
  const resources = lists.flatMap((list) => list ?? []);
  return required.flatMap((kind) => {
    const served = resources.filter((each) => groupKindKey(each) === groupKindKey(kind));
    const [best] = kind.versions.flatMap((version) => served.find((each) => each.version === version) ?? []);
    return best === undefined ? [] : [best];
  });
}
