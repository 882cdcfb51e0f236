import type { StatusPlan } from '@policy-machinery/policy-status';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';

/**
 * Carries out a plan: what a controller's writes do in the cluster, and its watch then tells the topology.
 *
 * @param topology Where the resources are; afterwards it holds the new ones.
 * @param plan The writes.
 * @throws {Error} When a resource is not as the plan has seen it, as the API server would refuse it.
 */
export function carryOut(topology: Topology, { writes }: Pick<StatusPlan, 'writes'>): void {
  const nodes = [...topology.targets, ...topology.policies()];
  const versions = new Map(nodes.map(({ locator, resource }) => [locator, versionOf(resource)]));
  const upsert = writes.map(({ locator, result }) => {
    if (versions.get(locator) === versionOf(result)) return withNextVersion(result);
    throw new Error(`${locator} has changed: somebody else was faster; read it and plan again`);
  });
  topology.apply({ upsert });
}

/** The API server gives each new state a version of its own. */
function withNextVersion(resource: KubernetesObject): KubernetesObject {
  const resourceVersion = String(Number(versionOf(resource)) + 1);
  return { ...resource, metadata: { ...resource.metadata, resourceVersion } };
}

function versionOf({ metadata }: KubernetesObject): string | undefined {
  return metadata.resourceVersion;
}
