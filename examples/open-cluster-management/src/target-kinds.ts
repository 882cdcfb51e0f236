import { isJsonObject, type JsonObject, type KubernetesObject, objectsIn, stringIn } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';

const cluster = 'cluster.open-cluster-management.io';
const policy = 'policy.open-cluster-management.io';

/** Binds policies to a Placement, neither of which refers to the binding. The binding names the policies, and leads to the Placement. */
export const PlacementBinding = defineTargetKind({
  group: policy,
  kind: 'PlacementBinding',
  *policyRefs(binding) {
    for (const [index, subject] of objectsIn(fieldsOf(binding).subjects).entries()) {
      const { apiGroup, kind, name } = named(subject);
      yield { group: apiGroup, kind, name, pointer: `/subjects/${index}` };
    }
  },
  *references(binding) {
    const { placementRef } = fieldsOf(binding);
    const { apiGroup, kind, name } = named(placementRef);
    yield { direction: 'down', to: { group: apiGroup, kind, name }, pointer: '/placementRef' };
  },
});

export const Placement = defineTargetKind({ group: cluster, kind: 'Placement', versions: ['v1beta1'] });

/** The result of a Placement: the clusters that its scheduler has chosen. */
export const PlacementDecision = defineTargetKind({
  group: cluster,
  kind: 'PlacementDecision',
  versions: ['v1beta1'],
  *references({ metadata: { labels }, status }) {
    const label = `${cluster}/placement`;
    const name = labels?.[label];
    const pointer = `/metadata/labels/${label.replace('/', '~1')}`;
    if (name !== undefined) yield { direction: 'up', to: { group: cluster, kind: 'Placement', name }, pointer };
    for (const [index, decision] of objectsIn(isJsonObject(status) ? status.decisions : []).entries()) {
      const clusterName = stringIn(decision.clusterName) ?? '';
      if (clusterName === '') continue; // Nothing was chosen for this place.
      const to = { group: cluster, kind: 'ManagedCluster', name: clusterName };
      yield { direction: 'down', to, pointer: `/status/decisions/${index}/clusterName` };
    }
  },
});

export const ManagedCluster = defineTargetKind({ group: cluster, kind: 'ManagedCluster', scope: 'Cluster' });

/** PlacementBindings have no spec: their fields are at the top level. */
export function fieldsOf(resource: KubernetesObject): JsonObject {
  return resource as unknown as JsonObject;
}

function named(reference: unknown): { readonly apiGroup: string; readonly kind: string; readonly name: string } {
  const { apiGroup, kind, name } = isJsonObject(reference) ? reference : {};
  return { apiGroup: String(apiGroup), kind: String(kind), name: String(name) };
}
