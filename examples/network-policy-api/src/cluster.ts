import { createTopology, type Topology } from '@policy-machinery/topology';
import { AdminNetworkPolicy, BaselineAdminNetworkPolicy, NetworkPolicy } from './policy-kinds.ts';
import { Namespace, Pod } from './target-kinds.ts';

/** Returns an empty topology for Pods and the policies of their network; fill it with `apply`. */
export function cluster(): Topology {
  return createTopology({
    targetKinds: [Namespace, Pod],
    policyKinds: [AdminNetworkPolicy, NetworkPolicy, BaselineAdminNetworkPolicy],
  });
}
