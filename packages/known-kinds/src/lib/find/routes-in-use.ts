import { type GroupKind, groupKindKey, groupKindOf, type KubernetesObject } from '@policy-machinery/resource';
import type { TargetKind } from '@policy-machinery/topology';
import { withCreations } from '@policy-machinery/topology/inner';
import { type Definition, propertiesOf } from '../crd/definition.ts';
import { creatorKindOf, declaresParentRefs, hasParentRefs, opaqueRouteKind } from '../tables/creators.ts';

/**
 * Returns target kinds together with the kinds that route requests although nothing reads their rules: kinds that controllers create routes for, by
 * the table, and unknown kinds that refer to Gateways as their parents.
 *
 * @param kinds The target kinds.
 * @param isKnown Returns whether a kind is known otherwise, by its key.
 * @param objects The objects, by the key of their kind.
 * @param definitions The definitions, by the same keys.
 */
export function withRoutesInUse(
  kinds: readonly TargetKind[],
  isKnown: (key: string) => boolean,
  objects: ReadonlyMap<string, readonly KubernetesObject[]>,
  definitions: ReadonlyMap<string, Definition>,
): readonly TargetKind[] {
  const all = new Map(kinds.map((kind) => [groupKindKey(kind), kind]));
  for (const key of new Set([...objects.keys(), ...definitions.keys()])) {
    const creator = creatorKindOf(key);
    const kind = all.get(key);
    if (creator?.creates !== undefined)
      all.set(key, kind === undefined ? creator : withCreations(kind, creator.creates));
    else if (kind === undefined && !isKnown(key)) {
      const unknown = unknownRoute(definitions.get(key), objects.get(key) ?? []);
      if (unknown !== undefined) all.set(key, unknown);
    }
  }
  return [...all.values()];
}

function unknownRoute(
  definition: Definition | undefined,
  objects: readonly KubernetesObject[],
): TargetKind | undefined {
  const object = objects.find(hasParentRefs);
  if (definition !== undefined && (object !== undefined || declaresParents(definition))) {
    const { group, kind, plural, versions, scope } = definition;
    return opaqueRouteKind({ group, kind, plural, versions, scope });
  }
  return object && opaqueRouteKind(kindOf(object));
}

function kindOf(object: KubernetesObject): GroupKind & Pick<TargetKind, 'versions'> {
  const { group, kind } = groupKindOf(object);
  return { group, kind, versions: [object.apiVersion.slice(group === '' ? 0 : group.length + 1)] };
}

/** Returns whether a definition has references to parents, as routes do. */
function declaresParents({ spec }: Definition): boolean {
  return declaresParentRefs(propertiesOf(spec));
}
