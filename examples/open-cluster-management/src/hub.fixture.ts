import { effectivePolicies } from '@policy-machinery/effective-policy';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { policiesOn, templatesOn } from './clusters.ts';
import { hub } from './hub.ts';
import { Policy } from './policy-kind.ts';

const group = 'policy.open-cluster-management.io';

/** A template of a ConfigurationPolicy. */
export const template = (name: string, remediationAction?: string): JsonObject => ({
  objectDefinition: {
    kind: 'ConfigurationPolicy',
    metadata: { name },
    spec: remediationAction === undefined ? {} : { remediationAction },
  },
});

/** A policy with one template of its own name by default. */
export const policy = (name: string, spec: JsonObject = {}, day = 1): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Policy',
  metadata: { name, namespace: 'policies', creationTimestamp: `2026-01-0${day}T00:00:00Z` },
  spec: { disabled: false, 'policy-templates': [template(name)], ...spec },
});

/** A binding of policies to a Placement, both in its namespace. */
export function binding(
  name: string,
  placement: string,
  policies: readonly string[],
  { namespace = 'policies', ...fields }: JsonObject & { readonly namespace?: string } = {},
): KubernetesObject {
  const subjects = policies.map((subject) => ({ apiGroup: group, kind: 'Policy', name: subject }));
  const placementRef = { apiGroup: 'cluster.open-cluster-management.io', kind: 'Placement', name: placement };
  const metadata = { name, namespace };
  return {
    apiVersion: `${group}/v1`,
    kind: 'PlacementBinding',
    metadata,
    placementRef,
    subjects,
    ...fields,
  } as KubernetesObject;
}

/** A Placement, which has chosen clusters. */
export function placement(name: string, ...clusters: readonly string[]): readonly KubernetesObject[] {
  const apiVersion = 'cluster.open-cluster-management.io/v1beta1';
  return [
    { apiVersion, kind: 'Placement', metadata: { name, namespace: 'policies' }, spec: {} },
    decision(name, 1, ...clusters),
  ];
}

/** A slice of the clusters that a Placement has chosen. */
export const decision = (name: string, slice: number, ...clusters: readonly string[]): KubernetesObject => ({
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'PlacementDecision',
  metadata: {
    name: `${name}-decision-${slice}`,
    namespace: 'policies',
    labels: { 'cluster.open-cluster-management.io/placement': name },
  },
  status: { decisions: clusters.map((clusterName) => ({ clusterName, reason: '' })) },
});

const cluster = (name: string): KubernetesObject => ({
  apiVersion: 'cluster.open-cluster-management.io/v1',
  kind: 'ManagedCluster',
  metadata: { name },
});

/** A hub with the clusters `north` and `south`, a Placement for each, a Placement `both` for both, and the given resources. */
export function hubWith(...resources: readonly KubernetesObject[]): Topology {
  const topology = hub();
  const placements = [
    ...placement('north', 'north'),
    ...placement('south', 'south'),
    ...placement('both', 'north', 'south'),
  ];
  topology.apply({ upsert: [cluster('north'), cluster('south'), ...placements, ...resources] });
  return topology;
}

/** Returns the templates on a cluster, as in `ConfigurationPolicy/a: enforce by policies/a`. */
export function on(topology: Topology, name: string): readonly string[] {
  return templatesOn(placed(topology, name)).map(
    ({ template: it, action, from }) => `${it.replace('ConfigurationPolicy/', '')}: ${action} by ${from.policy.name}`,
  );
}

/** Returns the bindings through which each policy arrives at a cluster. */
export function ways(topology: Topology, name: string): readonly string[] {
  return placed(topology, name).map(
    (it) => `${it.policy.name} by ${it.ways.map(({ binding: by }) => by.ref.name).join(', ')}`,
  );
}

function placed(topology: Topology, name: string) {
  const target = topology.get(`managedcluster.cluster.open-cluster-management.io:${name}`) as TargetNode;
  return policiesOn(target, effectivePolicies(topology, Policy));
}
