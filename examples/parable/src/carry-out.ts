import type { StatusPlan } from '@policy-machinery/policy-status';
import type { JsonValue, KubernetesObject } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { patched } from './json-patch.ts';

/**
 * Carries out a plan: what a controller's writes do in the cluster, and its watch then tells the topology.
 *
 * @param topology Where the resources are; afterwards it holds the new ones.
 * @param plan The writes.
 * @throws {Error} When a resource is not as the plan expects it to be.
 */
export function carryOut(topology: Topology, { writes }: Pick<StatusPlan, 'writes'>): void {
  const nodes = [...topology.targets, ...topology.policies()];
  const resources = new Map(nodes.map(({ locator, resource }) => [locator, resource]));
  const upsert = writes.map(({ locator, patch }) => {
    const resource = resources.get(locator);
    if (resource === undefined) throw new Error(`There is no ${locator}`);
    return withNextVersion(patched(resource as unknown as JsonValue, patch) as unknown as KubernetesObject);
  });
  topology.apply({ upsert });
}

/** The API server gives each new state a version of its own. */
function withNextVersion(resource: KubernetesObject): KubernetesObject {
  const { resourceVersion } = resource.metadata as { readonly resourceVersion?: string };
  const metadata = { ...resource.metadata, resourceVersion: String(Number(resourceVersion) + 1) };
  return { ...resource, metadata };
}
