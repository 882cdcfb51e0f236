import { createTopology, type Topology } from '@policy-machinery/topology';
import { Policy } from './policy-kind.ts';
import { ManagedCluster, Placement, PlacementBinding, PlacementDecision } from './target-kinds.ts';

/** Returns an empty topology for the resources of a hub; fill it with `apply`. */
export function hub(): Topology {
  return createTopology({
    targetKinds: [PlacementBinding, Placement, PlacementDecision, ManagedCluster],
    policyKinds: [Policy],
  });
}
