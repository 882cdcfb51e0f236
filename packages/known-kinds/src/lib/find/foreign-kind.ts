import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import { defineTargetKind, type TargetKind } from '@policy-machinery/topology';
import type { Definition } from '../crd/definition.ts';
import { XMesh } from '../tables/targets.ts';

/** Declares a target kind that is known by name only. */
export type ForeignKind = (kind: GroupKind) => TargetKind;

/**
 * Returns how kinds are declared of which policies only name the group and the kind: by their definitions, which say whether they are cluster-scoped, and as
 * namespaced without one.
 *
 * @param definitions The definitions among the resources, by `groupKindKey`.
 */
export function foreignKinds(definitions: ReadonlyMap<string, Definition>): ForeignKind {
  return ({ group, kind }) => {
    const key = groupKindKey({ group, kind });
    if (key === groupKindKey(XMesh)) return XMesh;
    const defined = definitions.get(key);
    if (defined === undefined) return defineTargetKind({ group, kind });
    const { plural, versions, scope } = defined;
    return defineTargetKind({ group, kind, plural, versions, scope });
  };
}
