import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import { defineTargetKind, type TargetKind } from '@policy-machinery/topology';
import type { Definition } from '../crd/definition.ts';
import { backendKind } from '../tables/backends.ts';
import { ServiceEntryBackend, XMesh } from '../tables/targets.ts';

/** Declares a target kind that no policy kind of the table has as a target. */
export type ForeignKind = (kind: GroupKind) => TargetKind;

/**
 * Returns the declarations of kinds if policies and routes only name their group and kind: as in the table of backends, or else by their definitions,
 * which say whether they are cluster-scoped, and as namespaced without one.
 *
 * @param definitions The definitions among the resources, by `groupKindKey`.
 */
export function foreignKinds(definitions: ReadonlyMap<string, Definition>): ForeignKind {
  return ({ group, kind }) => {
    const key = groupKindKey({ group, kind });
    const known = [XMesh, ServiceEntryBackend].find((each) => key === groupKindKey(each)) ?? backendKind(key);
    if (known !== undefined) return known;
    const defined = definitions.get(key);
    if (defined === undefined) return defineTargetKind({ group, kind, isForeign: true });
    const { plural, versions, scope } = defined;
    return defineTargetKind({ group, kind, plural, versions, scope, isForeign: true });
  };
}
