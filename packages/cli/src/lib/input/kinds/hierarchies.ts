import { effectivePolicies } from '@policy-machinery/effective-policy';
import type { FoundKinds, TopologyKinds } from '@policy-machinery/known-kinds';
import type { Policy } from '@policy-machinery/policy-kind';
import { groupKindKey } from '@policy-machinery/resource';
import { createTopology, type RequiredKind, type Topology } from '@policy-machinery/topology';
import { secretsOf } from '../../model/secrets.ts';
import type { PolicyView, World, WorldInput } from '../../model/world.ts';
import { reportedVerdicts } from '../../statuses/reported-verdicts.ts';
import { nothing } from '../completeness.ts';

type HierarchyOptions = Pick<World, 'ignoreStatus' | 'showSecrets' | 'isComplete'> & Pick<WorldInput, 'earlier'>;

/** A topology, with the effective policies of its kinds. */
export interface Hierarchy {
  readonly topology: Topology;
  readonly views: readonly PolicyView[];
}

/**
 * Creates the topologies that policy kinds need: one for Gateway API, and one for a mesh if a policy kind is for one.
 *
 * @param found The policy kinds.
 * @param world Whether statuses do not count, whether secrets are shown, the completeness of the objects, and a world to share results with.
 * @returns The topologies, without objects. The first one is for Gateway API.
 */
export function hierarchiesOf(found: FoundKinds, world: HierarchyOptions): readonly [Hierarchy, ...Hierarchy[]] {
  const hierarchies = [found, ...(found.mesh === undefined ? [] : [found.mesh])];
  const [first, ...others] = hierarchies.map((kinds) => hierarchyOf(kinds, world));
  return [first as Hierarchy, ...others];
}

function hierarchyOf(
  kinds: TopologyKinds,
  { ignoreStatus, showSecrets, isComplete, earlier }: HierarchyOptions,
): Hierarchy {
  const topology = topologyOf(kinds, isComplete);
  const views = kinds.kinds.map((found): PolicyView => {
    const { status: form, kind, viewOptions } = found;
    const old = earlier?.views.find((view) => view.found === found);
    if (old !== undefined) return { ...old, effective: old.effective.in(topology) };
    const secrets = showSecrets ? [] : secretsOf(found);
    if (ignoreStatus || form === 'other')
      return { found, secrets, effective: effectivePolicies(topology, kind, viewOptions) };
    const verdict = ({ resource }: Policy<unknown>) => reportedVerdicts(resource, form);
    return { found, secrets, effective: effectivePolicies(topology, kind, { ...viewOptions, verdict }) };
  });
  return { topology, views };
}

function topologyOf({ targetKinds, kinds }: TopologyKinds, isComplete: World['isComplete']): Topology {
  return createTopology({ targetKinds, policyKinds: kinds.map(({ kind }) => kind), isComplete });
}

/** Returns the kinds of objects in the topologies of some policy kinds, without duplicates. */
export function requiredKindsOf(found: FoundKinds): readonly RequiredKind[] {
  const hierarchies = [found, ...(found.mesh === undefined ? [] : [found.mesh])];
  const all = hierarchies.flatMap((kinds) => topologyOf(kinds, nothing).requiredKinds);
  return [...new Map(all.map((kind) => [groupKindKey(kind), kind])).values()];
}
