import { namespaceOf, objectIn, specOf } from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { TargetNode, Topology } from '@policy-machinery/topology';

/** Finds where the policies of a mesh meet requests that come through a Gateway. */
export interface MeshPlaces {
  /** Returns the proxy of a Gateway, or the waypoint of a Service; `undefined` if the mesh has neither. */
  readonly proxyOf: (target: TargetNode) => TargetNode | undefined;
  /** Returns the workloads behind a Service, by its selector: each request meets one of them. */
  readonly workloadsOf: (service: TargetNode) => readonly TargetNode[];
}

/** Returns the places of a mesh. O(workloads) once. */
export function meshPlaces(mesh: Topology): MeshPlaces {
  const workloads = groupedBy(mesh.targetsOf([{ group: '', kind: 'Pod' }]), ({ ref }) => ref.namespace ?? '');
  return {
    proxyOf: (target) => mesh.get(target.object.locator),
    workloadsOf({ resource }) {
      const labels = Object.entries(objectIn(specOf(resource).selector));
      if (labels.length === 0) return [];
      const pods = workloads.get(namespaceOf(resource)) ?? [];
      return pods.filter((pod) => labels.every(([key, value]) => pod.resource.metadata.labels?.[key] === value));
    },
  };
}
