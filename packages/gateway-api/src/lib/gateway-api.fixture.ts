import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, defineTargetKind, formatPath, formatTarget, type Topology } from '@policy-machinery/topology';
import { gatewayApi } from './gateway-api.ts';

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

/** A kind that a user adds, without sections: one may route from it and to it. */
export const Tunnel = defineTargetKind({ group: 'example.com', kind: 'Tunnel' });
export const tunnel = (name: string) => resource('example.com/v1', 'Tunnel', name, {});

/** A topology of Gateway API resources, and tunnels. */
export function cluster(...resources: readonly KubernetesObject[]): Topology {
  const topology = createTopology({ targetKinds: [...gatewayApi(), Tunnel] });
  topology.apply({ upsert: resources });
  return topology;
}

/** Each link, as `Gateway default/public#http > HTTPRoute default/shop`. */
export function linksOf(topology: Topology): readonly string[] {
  return [...topology.targets].flatMap((from) =>
    from.linksTo.map((to) => `${formatTarget(from)} > ${formatTarget(to)}`),
  );
}

/** The sections of all objects. */
export function sectionsOf(topology: Topology): readonly string[] {
  return [...topology.targets].filter(({ section }) => section !== undefined).map(formatTarget);
}

/** The paths to each target of this name. */
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
