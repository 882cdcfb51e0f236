import type { TargetKind, Topology } from '@policy-machinery/topology';

/**
 * Returns the locators of all objects that the API server has, those of lower kinds first: the policies that affect an object follow from what is
 * below it, so that this is known when the object has its turn.
 *
 * @param topology The topology.
 * @returns The locators. O(targets).
 */
export function objectsFromBelow(topology: Topology): readonly string[] {
  const kinds = [...topology.targetKinds].filter(({ derive }) => derive === undefined);
  const isAbove = (above: TargetKind, below: TargetKind) => above !== below && topology.leadsTo(above, below);
  const depths = new Map(kinds.map((kind) => [kind, kinds.filter((above) => isAbove(above, kind)).length]));
  return [...depths]
    .sort(([, a], [, b]) => b - a)
    .flatMap(([kind]) => Array.from(topology.targetsOf([kind]), ({ locator }) => locator));
}
