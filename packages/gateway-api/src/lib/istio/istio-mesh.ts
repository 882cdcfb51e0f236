import { groupKindOf, type KubernetesObject, specOf, stringIn } from '@policy-machinery/resource';
import { defineTargetKind, type TargetKind, type TargetKindDefinition } from '@policy-machinery/topology';
import { gatewayClassKind, gatewayKind, isSameKind, serviceKind } from '../fields/hierarchy.ts';
import { Gateway } from '../kinds/gateway.ts';
import { GatewayClass } from '../kinds/gateway-class.ts';
import { Namespace, provedNamespace } from '../kinds/namespace.ts';
import { Pod, podTemplates } from '../kinds/pod.ts';
import { Service } from '../kinds/service.ts';
import { gatewayNameLabel, isWaypoint, meshKind } from './names.ts';
import { referencesOfWaypoint, waypointReferences } from './waypoint-use.ts';

/** Options for the topology of an Istio mesh. */
export interface IstioMeshOptions {
  /** The namespace of the mesh's own configuration. Default `istio-system`. */
  readonly rootNamespace?: string | undefined;
  /**
   * The source of workloads: the Pods of a cluster, or the pod templates of Deployments and other workloads in manifests. Each template
   * counts as one Pod. Default `pods`.
   */
  readonly workloads?: 'pods' | 'templates' | undefined;
}

/**
 * Returns the target kinds of a mesh of Istio, for `createTopology`, instead of the kinds of `gatewayApi`. Workloads and Gateways are
 * below their Namespace, and all Namespaces below the {@link Mesh}. Waypoints are below their GatewayClass alone, because policies of
 * Namespaces and of the mesh do not apply to them, and Services and ServiceEntries below the waypoint that they use.
 *
 * @param options The root namespace, and the kinds of workloads.
 * @returns Mesh, Namespace, Pod, GatewayClass, Gateway, Service and ServiceEntry; with `templates` also the kinds that create Pods.
 * @example
 * ```ts
 * const topology = createTopology({ targetKinds: istioMesh(), policyKinds: [AuthorizationPolicy] });
 * ```
 */
export function istioMesh({
  rootNamespace = 'istio-system',
  workloads = 'pods',
}: IstioMeshOptions = {}): readonly TargetKind[] {
  const pods = workloads === 'pods' ? [Pod] : podTemplates;
  return [
    meshIn(rootNamespace),
    provedNamespace(leadingNamespace),
    ...pods,
    GatewayClass,
    proxyGateway,
    servedService,
    ServiceEntry,
  ];
}

/** Returns the mesh, which is above all Namespaces. It has the name of the root namespace, and is there as soon as anything in that namespace is. */
function meshIn(rootNamespace: string): TargetKind {
  return defineTargetKind({
    ...meshKind,
    scope: 'Cluster',
    mayReferTo: (kind, direction) => direction === 'down' && isSameKind(kind, Namespace),
    *derive(resource) {
      const { name, namespace } = resource.metadata;
      const isThere =
        namespace === rootNamespace || (isSameKind(groupKindOf(resource), Namespace) && name === rootNamespace);
      if (isThere) yield { apiVersion: `${meshKind.group}/v1`, kind: meshKind.kind, metadata: { name: rootNamespace } };
    },
    *references() {
      const { group, kind } = Namespace;
      yield { direction: 'down', to: { group, kind, namespaces: { from: 'All' } }, pointer: '/metadata/name' };
    },
  });
}

/** The mesh as a target of policies. */
export const Mesh = meshIn('istio-system');

/** A Namespace that leads to its workloads. Policies that are for it reach them by links, so that waypoints can be left out. */
const leadingNamespace = {
  group: Namespace.group,
  kind: Namespace.kind,
  scope: 'Cluster',
  plural: 'namespaces',
  versions: ['v1'],
  mayReferTo: (kind, direction) => direction === 'down' && (isSameKind(kind, Pod) || isSameKind(kind, gatewayKind)),
  *references({ metadata: { name: namespace } }) {
    const within = { namespaces: { from: 'Same' }, namespace } as const;
    const isNoGateway = ({ metadata: { labels } }: KubernetesObject) => labels?.[gatewayNameLabel] === undefined;
    const { group, kind } = Pod;
    yield { direction: 'down', to: { group, kind, ...within, where: isNoGateway }, pointer: '/metadata/name' };
    const isProxy = (gateway: KubernetesObject) => !isWaypoint(gateway);
    yield { direction: 'down', to: { ...gatewayKind, ...within, where: isProxy }, pointer: '/metadata/name' };
  },
} satisfies TargetKindDefinition;

/** A Gateway, above the Pods that run it, and above the targets that it serves if it is a waypoint. */
const proxyGateway = defineTargetKind({
  ...gatewayKind,
  plural: 'gateways',
  versions: Gateway.versions ?? [],
  mayReferTo: (kind, direction) =>
    direction === 'up'
      ? isSameKind(kind, gatewayClassKind)
      : [Pod, serviceKind, ServiceEntry].some((below) => isSameKind(kind, below)),
  *references(gateway) {
    const { group, kind } = Pod;
    const matchLabels = { [gatewayNameLabel]: gateway.metadata.name };
    yield {
      direction: 'down',
      to: { group, kind, matchLabels, namespaces: { from: 'Same' } },
      pointer: '/metadata/name',
    };
    if (!isWaypoint(gateway)) return;
    const name = stringIn(specOf(gateway).gatewayClassName) ?? '';
    yield { direction: 'up', to: { ...gatewayClassKind, name }, pointer: '/spec/gatewayClassName' };
    yield* referencesOfWaypoint(gateway, serviceKind);
    yield* referencesOfWaypoint(gateway, ServiceEntry);
  },
});

/** A Service that a waypoint serves. Without a waypoint, no policy on it has an effect. */
const servedService = defineTargetKind({
  ...serviceKind,
  plural: 'services',
  versions: Service.versions ?? [],
  needsParent: true,
  mayReferTo: (kind, direction) => direction === 'up' && isSameKind(kind, gatewayKind),
  references: waypointReferences,
});

/** A ServiceEntry of Istio: hosts outside the mesh. Policies on it have an effect where a waypoint serves it. */
export const ServiceEntry = defineTargetKind({
  group: 'networking.istio.io',
  kind: 'ServiceEntry',
  plural: 'serviceentries',
  versions: ['v1', 'v1beta1', 'v1alpha3'],
  needsParent: true,
  mayReferTo: (kind, direction) => direction === 'up' && isSameKind(kind, gatewayKind),
  references: waypointReferences,
});
