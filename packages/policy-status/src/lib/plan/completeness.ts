import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { groupKindKey } from '@policy-machinery/resource';
import type { RequiredKind } from '@policy-machinery/topology';
import type { StatusPlan } from './status-plan.ts';

/** Of what can be planned, what must wait. */
export interface Completeness {
  /** The effective policies of which all is known. */
  readonly complete: ReadonlySet<EffectivePolicies<unknown>>;
  /** What a plan says of the kinds that the others wait for: their resources have not been listed. */
  readonly missing: Pick<StatusPlan, 'incomplete'>;
}

/**
 * Finds the effective policies of which all is known: what is said of the others would be wrong once a kind has been listed. Kinds of one
 * name share their conditions, and so they wait for each other.
 */
export function completenessOf(views: readonly EffectivePolicies<unknown>[]): Completeness {
  const missing = views.map(({ topology, kind }) => topology.unlistedFor(kind));
  const waiting = new Set(views.flatMap(({ kind }, index) => (missing[index]?.length === 0 ? [] : [kind.kind])));
  const kinds = new Map<string, RequiredKind>(missing.flat().map((kind) => [groupKindKey(kind), kind]));
  return {
    complete: new Set(views.filter(({ kind }) => !waiting.has(kind.kind))),
    missing: kinds.size === 0 ? {} : { incomplete: [...kinds.values()] },
  };
}
