import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { PolicyMachineryError } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';

/** The effective policies of one kind, or of several kinds of the same topology. */
export type EffectivePoliciesInput = EffectivePolicies<unknown> | readonly EffectivePolicies<unknown>[];

export function viewsIn(views: EffectivePoliciesInput): readonly EffectivePolicies<unknown>[] {
  return [views].flat();
}

/**
 * Returns the topology of effective policies.
 *
 * @throws {PolicyMachineryError} `different-topologies`, if they belong to several topologies, or there are none.
 */
export function topologyOf(views: readonly EffectivePolicies<unknown>[]): Topology {
  const topologies = new Set(views.map(({ topology }) => topology));
  const [first] = topologies;
  if (first !== undefined && topologies.size === 1) return first;
  throw new PolicyMachineryError('different-topologies', 'Give effective policies of exactly one topology');
}
