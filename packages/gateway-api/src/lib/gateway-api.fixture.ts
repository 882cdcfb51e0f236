import { type KubernetesObject, specOf } from '@policy-machinery/resource';
import {
  type AttachableKind,
  createTopology,
  defineTargetKind,
  formatPath,
  formatTarget,
  type Topology,
} from '@policy-machinery/topology';
import type { GatewayApiOptions } from './attachment/options.ts';
import { itemsOf } from './fields/items.ts';
import { gatewayApi } from './gateway-api.ts';
import { Gateway } from './kinds/gateway.ts';

const routing = 'gateway.networking.k8s.io/v1';

export const gatewayClass = (name: string): KubernetesObject => ({
  apiVersion: routing,
  kind: 'GatewayClass',
  metadata: { name },
});
export const gateway = (name: string, spec: object, namespace?: string) =>
  resource(routing, 'Gateway', name, spec, namespace);
export const route = (kind: string, name: string, spec: object, namespace?: string) =>
  resource(routing, kind, name, spec, namespace);
export const service = (name: string, ports: unknown, namespace?: string) =>
  resource('v1', 'Service', name, { ports }, namespace);

export const namespace = (name: string, labels?: Readonly<Record<string, string>>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...(labels === undefined ? {} : { labels }) },
});
export const listenerSet = (name: string, spec: object, inNamespace?: string) =>
  resource(routing, 'ListenerSet', name, spec, inNamespace);

/** Returns a ReferenceGrant by which kinds of Gateway API may refer to its namespace. */
export const referenceGrant = (inNamespace: string, from: readonly object[], to: readonly object[], name = 'grant') => {
  const { group } = Gateway;
  const spec = { from: from.map((referrer) => ({ group, ...referrer })), to };
  return resource('gateway.networking.k8s.io/v1beta1', 'ReferenceGrant', name, spec, inNamespace);
};

/** Kinds that a user adds, without sections: one may route from the one, and to the other. */
export const Tunnel = defineTargetKind({ group: 'example.com', kind: 'Tunnel' });
export const Bucket = defineTargetKind({ group: 'example.com', kind: 'Bucket' });
export const tunnel = (name: string) => resource('example.com/v1', 'Tunnel', name, {});
export const bucket = (name: string) => resource('example.com/v1', 'Bucket', name, {});

/** A policy kind that reads targetRefs without checking them. */
export const policyKind = (change: Partial<AttachableKind> = {}): AttachableKind => ({
  group: 'example.com',
  kind: 'TestPolicy',
  scope: 'Namespaced',
  targets: [Gateway, Gateway.sections.listener],
  crossNamespace: 'refuse',
  targetRefs: (policy) => ({
    refs: itemsOf(specOf(policy).targetRefs).map(
      (ref, index) => ({ group: Gateway.group, ...ref, pointer: `/spec/targetRefs/${index}` }) as DeclaredTarget,
    ),
    issues: [],
  }),
  ...change,
});
type DeclaredTarget = ReturnType<AttachableKind['targetRefs']>['refs'][number];

export const policy = (name: string, targetRef: object, namespace = 'default') =>
  resource('example.com/v1', 'TestPolicy', name, { targetRefs: [targetRef] }, namespace);

/** Returns a topology of Gateway API resources, tunnels and buckets. */
export function cluster(...resources: readonly KubernetesObject[]): Topology {
  return clusterWith({ parents: [Tunnel] }, ...resources);
}

/** Returns the same with other options. */
export function clusterWith(options: GatewayApiOptions, ...resources: readonly KubernetesObject[]): Topology {
  const topology = createTopology({ targetKinds: [...gatewayApi(options), Tunnel, Bucket] });
  topology.apply({ upsert: resources });
  return topology;
}

/** Returns each link, as `Gateway default/public#http > HTTPRoute default/shop`. */
export function linksOf(topology: Topology): readonly string[] {
  return [...topology.targets].flatMap((from) =>
    from.linksTo.map((to) => `${formatTarget(from)} > ${formatTarget(to)}`),
  );
}

/** Returns the sections of all objects. */
export function sectionsOf(topology: Topology): readonly string[] {
  return [...topology.targets].filter(({ section }) => section !== undefined).map(formatTarget);
}

/** Returns the paths to each target of this name. */
export function pathsTo(topology: Topology, name: string): readonly string[] {
  const to = [...topology.targets].filter((target) => formatTarget(target) === name);
  return to.flatMap((target) => [...topology.pathsTo(target)].map(formatPath));
}

function resource(
  apiVersion: string,
  kind: string,
  name: string,
  spec: object,
  namespace = 'default',
): KubernetesObject {
  return { apiVersion, kind, metadata: { name, namespace }, spec };
}
