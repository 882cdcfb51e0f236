import { typeOfSchema, type VerifiedKind, verifiedKind } from '@policy-machinery/guarantees';
import { knownKinds } from '@policy-machinery/known-kinds';
import { concernsOf } from '@policy-machinery/known-kinds/concerns';
import type { World } from '../model/world.ts';

/**
 * Returns the policy kinds that guarantees can be about: the kinds of the input, with the types of their effective specs, and all other known
 * kinds, with policies that no request meets. Kinds of a mesh's own hierarchy are left out, because requests are followed in
 * Gateway API's hierarchy.
 */
export function verifiedKinds({ topology, views }: World): readonly VerifiedKind[] {
  const present = views
    .filter(({ effective }) => effective.topology === topology)
    .map(({ found: { effectiveSchema, kind }, effective }) => {
      const served = (kind.concerns ?? concernsOf(kind)?.fields)?.map(({ concern }) => concern);
      return verifiedKind(effective, typeOfSchema(effectiveSchema), served);
    });
  const names = new Set(views.map(({ found: { kind } }) => kind.kind));
  const absent = knownKinds
    .filter(({ kind, hierarchy }) => hierarchy === 'gateway-api' && !names.has(kind))
    .map(({ group, kind }): VerifiedKind => ({ group, kind, along: () => [], policies: [], affects: () => false }));
  return [...present, ...absent];
}
