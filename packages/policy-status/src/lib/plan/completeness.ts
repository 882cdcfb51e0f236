import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { groupKindKey } from '@policy-machinery/resource';
import type { RequiredKind } from '@policy-machinery/topology';
import type { StatusPlan } from './status-plan.ts';

/** The effective policies that can be planned, and the kinds that others wait for. */
export interface Completeness {
  /** The effective policies whose kinds are all listed. */
  readonly complete: ReadonlySet<EffectivePolicies<unknown>>;
  /** The kinds that the others wait for, as a plan reports them. */
  readonly missing: Pick<StatusPlan, 'incomplete'>;
}

/**
 * Returns the effective policies whose kinds are all listed: statuses of the others could be wrong. Kinds with one name share their
 * conditions, so they wait for each other.
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
