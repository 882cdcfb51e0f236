import { typeOfSchema, type VerifiedKind, verifiedKind } from '@policy-machinery/guarantees';
import { knownKinds } from '@policy-machinery/known-kinds';
import { concernsOf } from '@policy-machinery/known-kinds/concerns';
import { groupKindKey, groupKindOf } from '@policy-machinery/resource';
import { fieldsNotInRelease } from '../answers/not-in-release.ts';
import type { World } from '../model/world.ts';

/**
 * Returns the policy kinds that guarantees can be about: the kinds of the input, with the types of their effective specs, and all other known
 * kinds, with policies that no request meets. Kinds of a mesh's own hierarchy are left out, because requests are followed in
 * Gateway API's hierarchy.
 */
export function verifiedKinds(world: World): readonly VerifiedKind[] {
  const { topology, views } = world;
  // If an object has a field that the release lacks, another release is in use.
  const newer = new Set([...fieldsNotInRelease(world).keys()].map((object) => groupKindKey(groupKindOf(object))));
  const present = views
    .filter(({ effective }) => effective.topology === topology)
    .map(({ found: { effectiveSchema, kind }, effective }) => {
      const served = (kind.concerns ?? concernsOf(kind)?.fields)?.map(({ concern }) => concern);
      const schema = newer.has(groupKindKey(kind)) ? undefined : effectiveSchema;
      return verifiedKind(effective, typeOfSchema(schema), served);
    });
  const names = new Set(views.map(({ found: { kind } }) => kind.kind));
  const absent = knownKinds
    .filter(({ kind, hierarchy }) => hierarchy === 'gateway-api' && !names.has(kind))
    .map(({ group, kind }): VerifiedKind => ({ group, kind, along: () => [], policies: [], affects: () => false }));
  return [...present, ...absent];
}
