import { type GroupKind, groupKindKey, groupKindOf, type KubernetesObject } from '@policy-machinery/resource';
import type { Reference, TargetKind } from '@policy-machinery/topology';
import type { Definition } from '../crd/definition.ts';
import { backendKinds } from '../tables/backends.ts';

/**
 * Returns the kinds of backends that resources have: all kinds of objects that others link to, and known kinds that are defined.
 *
 * @param kinds The kinds of objects with links.
 * @param objects The objects, by the key of their kind.
 * @param definitions The definitions, by the same keys.
 * @returns The kinds, each once.
 */
export function kindsInUse(
  kinds: readonly TargetKind[],
  objects: ReadonlyMap<string, readonly KubernetesObject[]>,
  definitions: ReadonlyMap<string, Definition>,
): readonly GroupKind[] {
  const linked = new Map<string, GroupKind>();
  for (const kind of kinds) {
    for (const object of objects.get(groupKindKey(kind)) ?? []) {
      for (const { to, withoutLink } of referencesOf(kind, object)) {
        if (withoutLink !== true) linked.set(groupKindKey(to), to);
      }
    }
  }
  const used = [...linked].flatMap(([key, { group, kind }]) =>
    objects.get(key)?.some((object) => isOf(object, { group, kind })) ? [{ group, kind }] : [],
  );
  const defined = backendKinds.flatMap(({ kind }) => (definitions.has(groupKindKey(kind)) ? [kind] : []));
  return [...used, ...defined.filter((kind) => !used.some((it) => groupKindKey(it) === groupKindKey(kind)))];
}

function* referencesOf({ references, sections }: TargetKind, object: KubernetesObject): Iterable<Reference> {
  yield* references(object);
  for (const section of Object.values(sections)) {
    for (const [index, { value }] of section.list(object).entries())
      yield* section.references({ index, value }, object);
  }
}

/** Returns whether an object is of a kind. A name in another case is another kind. */
function isOf(object: KubernetesObject, { group, kind }: GroupKind): boolean {
  const own = groupKindOf(object);
  return own.group === group && own.kind === kind;
}
