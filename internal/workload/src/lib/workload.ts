import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { TargetKind } from '@policy-machinery/topology';

/**
 * Resources, and the kinds that they are of.
 *
 * @example
 * ```ts
 * const workload = clusterOf(sizeOf(1_000));
 * const topology = createTopology(workload);
 * topology.apply({ upsert: workload.resources });
 * ```
 */
export interface Workload {
  readonly targetKinds: readonly TargetKind[];
  readonly policyKinds: readonly PolicyKind<unknown>[];
  readonly resources: readonly KubernetesObject[];
}
