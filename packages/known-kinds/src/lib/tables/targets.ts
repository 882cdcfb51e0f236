import {
  Gateway,
  GRPCRoute,
  HTTPRoute,
  ListenerSet,
  Service,
  TCPRoute,
  TLSRoute,
  UDPRoute,
  XListenerSet,
} from '@policy-machinery/gateway-api';
import { isJsonObject, type JsonObject, type KubernetesObject, objectsIn, specOf } from '@policy-machinery/resource';
import { defineTargetKind, type Targetable } from '@policy-machinery/topology';
import { wholeAndSections } from './row.ts';

/** A Gateway, or one of its listeners. */
export const gateways: readonly Targetable[] = wholeAndSections(Gateway);

/** Gateways and ListenerSets, or their listeners. */
export const listeners: readonly Targetable[] = [Gateway, ListenerSet].flatMap(wholeAndSections);

/** ListenerSets of the experimental channel, or their listeners. */
export const experimentalListeners: readonly Targetable[] = wholeAndSections(XListenerSet);

/** HTTPRoutes and GRPCRoutes, or their rules. */
export const httpRoutes: readonly Targetable[] = [HTTPRoute, GRPCRoute].flatMap(wholeAndSections);

/** Routes of all kinds, or their rules. */
export const allRoutes: readonly Targetable[] = [
  ...httpRoutes,
  ...[TCPRoute, TLSRoute, UDPRoute].flatMap(wholeAndSections),
];

/** TCPRoutes, or their rules. */
export const tcpRoutes: readonly Targetable[] = wholeAndSections(TCPRoute);

/** Services, or their ports. */
export const services: readonly Targetable[] = wholeAndSections(Service);

/** The rules of HTTPRoutes and GRPCRoutes. */
export const httpRules: readonly Targetable[] = [HTTPRoute.sections.rule, GRPCRoute.sections.rule];

export const tcpRules: readonly Targetable[] = [TCPRoute.sections.rule];

/** The rules of routes of all kinds. */
export const allRules: readonly Targetable[] = [
  ...httpRules,
  ...tcpRules,
  TLSRoute.sections.rule,
  UDPRoute.sections.rule,
];

export const allListeners: readonly Targetable[] = [Gateway, ListenerSet].map(({ sections }) => sections.listener);

/** A Service that another cluster exports, in the group of GKE. */
export const GkeServiceImport = defineTargetKind({
  group: 'net.gke.io',
  kind: 'ServiceImport',
  plural: 'serviceimports',
  versions: ['v1'],
});

/** A Service that AWS Gateway API Controller exports to other clusters. */
export const ServiceExport = defineTargetKind({
  group: 'application-networking.k8s.aws',
  kind: 'ServiceExport',
  plural: 'serviceexports',
  versions: ['v1alpha1'],
});

/** A backend of Envoy Gateway. Its sections are the ports of its endpoints, by number. */
export const EnvoyGatewayBackend = defineTargetKind({
  group: 'gateway.envoyproxy.io',
  kind: 'Backend',
  plural: 'backends',
  versions: ['v1alpha1'],
  mayReferTo: () => false,
  sections: {
    port: {
      list: (backend) =>
        endpointPorts(backend).map((port): { name: string; value: JsonObject } => ({
          name: String(port),
          value: { port },
        })),
    },
  },
});

function endpointPorts(backend: KubernetesObject): readonly number[] {
  const addresses = objectsIn(specOf(backend).endpoints).flatMap(({ fqdn, ip }) => [fqdn, ip].filter(isJsonObject));
  return [...new Set(addresses.flatMap(({ port }) => (typeof port === 'number' ? [port] : [])))];
}

export const KgatewayBackend = defineTargetKind({
  group: 'gateway.kgateway.dev',
  kind: 'Backend',
  plural: 'backends',
  versions: ['v1alpha1'],
});

/** Hosts that Istio adds to its mesh: {@link IstioHostname} is derived from it. */
export const IstioServiceEntry = defineTargetKind({
  group: 'networking.istio.io',
  kind: 'ServiceEntry',
  plural: 'serviceentries',
  versions: ['v1', 'v1beta1', 'v1alpha3'],
  mayReferTo: () => false,
});

/** A host name of Istio's registry, which no API server serves as an object. */
export const IstioHostname = defineTargetKind({
  group: 'networking.istio.io',
  kind: 'Hostname',
  mayReferTo: () => false,
  *derive({ apiVersion, kind, metadata: { namespace }, spec }) {
    if (kind !== IstioServiceEntry.kind || !apiVersion.startsWith(`${IstioServiceEntry.group}/`)) return;
    const hosts = isJsonObject(spec) && Array.isArray(spec.hosts) ? spec.hosts : [];
    for (const name of new Set(hosts)) {
      if (typeof name !== 'string' || !/^[a-z0-9.-]+$/.test(name)) continue; // A pattern of hosts lacks a name.
      yield { apiVersion, kind: 'Hostname', metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
    }
  },
});

/** The settings of a whole mesh, of Gateway API's experimental channel. */
export const XMesh = defineTargetKind({
  group: 'gateway.networking.x-k8s.io',
  kind: 'XMesh',
  plural: 'xmeshes',
  versions: ['v1alpha1'],
  scope: 'Cluster',
  mayReferTo: () => false,
});

/** A backend of agentgateway. Its sections are its MCP servers, or its providers of models. */
export const AgentgatewayBackend = defineTargetKind({
  group: 'agentgateway.dev',
  kind: 'AgentgatewayBackend',
  plural: 'agentgatewaybackends',
  versions: ['v1alpha1'],
  mayReferTo: () => false,
  sections: { part: { list: (backend) => partsOf(specOf(backend)) } },
});

/** The only provider of a backend does not have a name, and is called `backend`. */
function partsOf({ mcp, ai }: JsonObject): readonly { readonly name: string; readonly value: JsonObject }[] {
  if (isJsonObject(mcp)) return named(objectsIn(mcp.targets));
  if (!isJsonObject(ai)) return [];
  const only = isJsonObject(ai.provider) ? [{ name: 'backend', value: ai.provider }] : [];
  return [...only, ...objectsIn(ai.groups).flatMap(({ providers }) => named(objectsIn(providers)))];
}

function named(parts: readonly JsonObject[]): readonly { readonly name: string; readonly value: JsonObject }[] {
  return parts.flatMap((value) => (typeof value.name === 'string' ? [{ name: value.name, value }] : []));
}

/** A ServiceEntry of Istio as a backend, with the ports that have names. In Istio's own hierarchy, waypoints are above it. */
export const ServiceEntryBackend = defineTargetKind({
  group: 'networking.istio.io',
  kind: 'ServiceEntry',
  plural: 'serviceentries',
  versions: ['v1', 'v1beta1', 'v1alpha3'],
  mayReferTo: () => false,
  sections: { port: { list: (entry) => named(objectsIn(specOf(entry).ports)) } },
});

/** A port of Pods, of Linkerd. */
export const LinkerdServer = defineTargetKind({
  group: 'policy.linkerd.io',
  kind: 'Server',
  plural: 'servers',
  versions: ['v1beta3', 'v1beta2', 'v1beta1'],
  mayReferTo: () => false,
});

/** A route of Linkerd's own group. */
export const LinkerdHTTPRoute = defineTargetKind({
  group: 'policy.linkerd.io',
  kind: 'HTTPRoute',
  plural: 'httproutes',
  versions: ['v1', 'v1beta3', 'v1beta2', 'v1beta1', 'v1alpha1'],
  mayReferTo: () => false,
});
