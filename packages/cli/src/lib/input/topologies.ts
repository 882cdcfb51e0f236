import type { GroupKind } from '@policy-machinery/resource';
import type { PolicyNode, TargetNode, Topology } from '@policy-machinery/topology';
import type { PolicyView } from './hierarchies.ts';
import type { World } from './world.ts';

/**
 * Returns views by their topologies.
 *
 * @param views Views of one world.
 * @returns The views of each topology, in the order of the first ones.
 */
export function byTopology<View extends Pick<PolicyView, 'effective'>>(
  views: readonly View[],
): readonly (readonly View[])[] {
  const groups = new Map<Topology, View[]>();
  for (const view of views) {
    const { topology } = view.effective;
    groups.set(topology, [...(groups.get(topology) ?? []), view]);
  }
  return [...groups.values()];
}

/**
 * Returns the node of a target in the topology of a view.
 *
 * @param view The view.
 * @param target A target of any topology of the world.
 * @returns The node; `undefined` if the target is none there.
 */
export function targetIn({ effective: { topology } }: PolicyView, target: TargetNode): TargetNode | undefined {
  return topology.get(target.locator);
}

/** Returns the targets of a kind in any topology of a world, each once. */
export function targetsOfKind({ topologies }: World, kind: GroupKind): readonly TargetNode[] {
  const targets = new Map<string, TargetNode>();
  for (const target of topologies.flatMap((each) => [...each.targetsOf([kind])])) {
    if (!targets.has(target.locator)) targets.set(target.locator, target);
  }
  return [...targets.values()];
}

/** Returns the policies of a kind, whatever their topology. */
export function policiesOfKind({ topologies }: World, kind: GroupKind): readonly PolicyNode[] {
  return topologies.flatMap((topology) => [...topology.policies(kind)]);
}
