import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { groupKindKey } from '@policy-machinery/resource';
import type { RequiredKind } from '@policy-machinery/topology';
import type { StatusPlan } from './status-plan.ts';

/**
 * Returns the effective policies with all their kinds listed: statuses of the others could be wrong. Kinds with one name share
 * their conditions, so they wait for each other. Also returns the kinds that the others wait for, as a plan reports them.
 */
export function completenessOf(views: readonly EffectivePolicies<unknown>[]): {
  readonly complete: ReadonlySet<EffectivePolicies<unknown>>;
  readonly missing: Pick<StatusPlan, 'incomplete'>;
} {
  const missing = views.map(({ topology, kind }) => topology.unlistedFor(kind));
  const waiting = new Set(views.flatMap(({ kind }, index) => (missing[index]?.length === 0 ? [] : [kind.kind])));
  const kinds = new Map<string, RequiredKind>(missing.flat().map((kind) => [groupKindKey(kind), kind]));
  return {
    complete: new Set(views.filter(({ kind }) => !waiting.has(kind.kind))),
    missing: kinds.size === 0 ? {} : { incomplete: [...kinds.values()] },
  };
}
