import type { StatusPlan } from '@policy-machinery/policy-status';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';

/**
 * Carries out a plan: does what a controller's writes do in the cluster, and applies the results to the topology as its watch would.
 *
 * @param topology The topology with the resources. It is changed to have the new ones.
 * @param plan The writes.
 * @throws {Error} If a resource has changed since the plan was made, as the API server would refuse the write.
 */
export function carryOut(topology: Topology, { writes }: Pick<StatusPlan, 'writes'>): void {
  const nodes = [...topology.targets, ...topology.policies()];
  const versions = new Map(nodes.map(({ locator, resource }) => [locator, versionOf(resource)]));
  const upsert = writes.map(({ locator, result }) => {
    if (versions.get(locator) === versionOf(result)) return withNextVersion(result);
    throw new Error(`${locator} has changed since the plan was made; read it and plan again`);
  });
  topology.apply({ upsert });
}

/** Sets the next resource version, as the API server does for each write. */
function withNextVersion(resource: KubernetesObject): KubernetesObject {
  const resourceVersion = String(Number(versionOf(resource)) + 1);
  return { ...resource, metadata: { ...resource.metadata, resourceVersion } };
}

function versionOf({ metadata }: KubernetesObject): string | undefined {
  return metadata.resourceVersion;
}
