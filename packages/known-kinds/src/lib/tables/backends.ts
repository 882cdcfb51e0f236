import { InferencePool, ServiceImport, XBackend } from '@policy-machinery/gateway-api';
import { groupKindKey } from '@policy-machinery/resource';
import { defineTargetKind, type TargetKind } from '@policy-machinery/topology';
import { AgentgatewayBackend, EnvoyGatewayBackend, GkeServiceImport, KgatewayBackend } from './targets.ts';

/** A kind of backends of routes, beside Services: policies need not target it. */
export interface BackendKind {
  /** The project that defines the kind: `Envoy Gateway`. */
  readonly system: string;
  readonly kind: TargetKind;
  /** The page or the source file that says that routes may refer to it. */
  readonly source: string;
}

/** A backend without sections. */
function backend(group: string, kind: string, version: string): TargetKind {
  return defineTargetKind({ group, kind, versions: [version], mayReferTo: () => false });
}

/** The kinds of backends of Gateway API and of existing systems, beside Services. */
export const backendKinds: readonly BackendKind[] = [
  { system: 'Gateway API', kind: XBackend, source: 'https://gateway-api.sigs.k8s.io/geps/gep-4894/' },
  { system: 'Gateway API', kind: ServiceImport, source: 'https://gateway-api.sigs.k8s.io/geps/gep-1748/' },
  {
    system: 'Gateway API Inference Extension',
    kind: InferencePool,
    source: 'https://gateway-api-inference-extension.sigs.k8s.io/api-types/inferencepool/',
  },
  {
    system: 'Gateway API Inference Extension',
    kind: backend('inference.networking.x-k8s.io', 'InferencePool', 'v1alpha2'),
    source: 'https://gateway-api-inference-extension.sigs.k8s.io/guides/ga-migration/',
  },
  {
    system: 'Envoy Gateway',
    kind: EnvoyGatewayBackend,
    source: 'https://gateway.envoyproxy.io/docs/tasks/traffic/backend/',
  },
  {
    system: 'kgateway',
    kind: KgatewayBackend,
    source: 'https://kgateway.dev/docs/envoy/main/traffic-management/destination-types/backends/',
  },
  {
    system: 'agentgateway',
    kind: AgentgatewayBackend,
    source: 'https://github.com/agentgateway/agentgateway/tree/main/controller/api/v1alpha1/agentgateway',
  },
  {
    system: 'Google Kubernetes Engine',
    kind: GkeServiceImport,
    source: 'https://cloud.google.com/kubernetes-engine/docs/how-to/deploying-multi-cluster-gateways',
  },
  {
    system: 'AWS Gateway API Controller',
    kind: backend('application-networking.k8s.aws', 'ServiceImport', 'v1alpha1'),
    source: 'https://www.gateway-api-controller.eks.aws.dev/latest/guides/getstarted/',
  },
  {
    system: 'Gloo Gateway',
    kind: backend('gloo.solo.io', 'Upstream', 'v1'),
    source: 'https://docs.solo.io/gateway/latest/traffic-management/destination-types/upstreams/',
  },
  {
    system: 'Traefik',
    kind: backend('traefik.io', 'TraefikService', 'v1alpha1'),
    source: 'https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/gateway-api/',
  },
  {
    system: 'Consul',
    kind: backend('consul.hashicorp.com', 'MeshService', 'v1alpha1'),
    source: 'https://developer.hashicorp.com/consul/docs/reference/k8s/api-gateway/meshservice',
  },
];

const byKey: ReadonlyMap<string, TargetKind> = new Map(backendKinds.map(({ kind }) => [groupKindKey(kind), kind]));

/** Returns the kind of backends with a key of `groupKindKey`; `undefined` if it is not known. */
export function backendKind(key: string): TargetKind | undefined {
  return byKey.get(key);
}
