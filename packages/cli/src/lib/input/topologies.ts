import type { GroupKind } from '@policy-machinery/resource';
import type { PolicyNode, TargetNode } from '@policy-machinery/topology';
import type { PolicyView, World } from '../model/world.ts';

/**
 * Returns the node of a target in the topology of a view.
 *
 * @param target A target of any topology of the world.
 * @returns The node; `undefined` if that topology does not contain the target.
 */
export function targetIn({ effective: { topology } }: PolicyView, target: TargetNode): TargetNode | undefined {
  return topology.get(target.locator);
}

/** Returns the targets of a kind in all topologies of a world, without duplicates. */
export function targetsOfKind({ topologies }: World, kind: GroupKind): readonly TargetNode[] {
  const targets = new Map<string, TargetNode>();
  for (const target of topologies.flatMap((each) => [...each.targetsOf([kind])])) {
    if (!targets.has(target.locator)) targets.set(target.locator, target);
  }
  return [...targets.values()];
}

/** Returns the targets of a kind that somebody has declared: no Gateways that are assumed. */
export function declaredTargetsOfKind(world: World, kind: GroupKind): readonly TargetNode[] {
  const assumed = new Set(world.assumed.map(({ object }) => object));
  return targetsOfKind(world, kind).filter(({ resource }) => !assumed.has(resource));
}

export function policiesOfKind({ topologies }: World, kind: GroupKind): readonly PolicyNode[] {
  return topologies.flatMap((topology) => [...topology.policies(kind)]);
}
