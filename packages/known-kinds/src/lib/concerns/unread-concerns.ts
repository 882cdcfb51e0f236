import type { ConcernName } from '@policy-machinery/policy-kind';

/** The concerns of kinds of one group that are not read. */
export interface UnreadConcerns {
  readonly group: string;
  readonly kinds: readonly string[];
  readonly concerns: readonly ConcernName[];
}

/** Kinds that no table reads, with the concerns that they can serve: filters of routes, and objects beside policies. */
export const unreadConcerns: readonly UnreadConcerns[] = [
  {
    group: 'consul.hashicorp.com',
    kinds: ['RouteAuthFilter', 'RouteTimeoutFilter', 'RouteRetryFilter'],
    concerns: ['authentication', 'authorization', 'timeout', 'retry'],
  },
  {
    group: 'traefik.io',
    kinds: ['Middleware', 'TLSOption', 'ServersTransport'],
    concerns: [
      'authentication',
      'authorization',
      'rate-limit',
      'headers',
      'circuit-breaking',
      'retry',
      'compression',
      'client-certificate',
      'backend-tls',
    ],
  },
  {
    group: 'configuration.konghq.com',
    kinds: ['KongPlugin', 'KongClusterPlugin', 'KongUpstreamPolicy'],
    concerns: [
      'authentication',
      'authorization',
      'rate-limit',
      'cors',
      'request-size',
      'headers',
      'health-check',
      'load-balancing',
    ],
  },
  {
    group: 'kuma.io',
    kinds: [
      'MeshTrafficPermission',
      'MeshRateLimit',
      'MeshTimeout',
      'MeshRetry',
      'MeshCircuitBreaker',
      'MeshHealthCheck',
      'MeshTLS',
      'MeshAccessLog',
      'MeshTrace',
      'MeshMetric',
      'MeshFaultInjection',
      'MeshLoadBalancingStrategy',
      'MeshProxyPatch',
      'MeshPassthrough',
    ],
    concerns: [
      'authorization',
      'rate-limit',
      'timeout',
      'retry',
      'circuit-breaking',
      'health-check',
      'mesh-mtls',
      'observability',
      'fault-injection',
      'load-balancing',
      'custom',
    ],
  },
  {
    group: 'networking.istio.io',
    kinds: ['VirtualService', 'DestinationRule', 'Gateway', 'Sidecar'],
    concerns: [
      'timeout',
      'retry',
      'cors',
      'fault-injection',
      'mirror',
      'headers',
      'circuit-breaking',
      'health-check',
      'backend-tls',
      'client-tls',
      'client-certificate',
      'load-balancing',
    ],
  },
  {
    group: 'projectcontour.io',
    kinds: ['HTTPProxy', 'ExtensionService'],
    concerns: ['authentication', 'rate-limit', 'timeout', 'retry', 'client-certificate', 'cors'],
  },
  {
    group: 'networking.k8s.io',
    kinds: ['Ingress'],
    concerns: [
      'authentication',
      'authorization',
      'rate-limit',
      'request-size',
      'timeout',
      'cors',
      'client-certificate',
      'backend-tls',
      'custom',
    ],
  },
  {
    group: 'gateway.k8s.aws',
    kinds: ['LoadBalancerConfiguration'],
    concerns: ['client-certificate', 'client-tls', 'waf', 'observability', 'overload'],
  },
  {
    group: 'policy.networking.k8s.io',
    kinds: ['ClusterNetworkPolicy', 'NetworkPolicy', 'GlobalNetworkPolicy', 'CiliumNetworkPolicy'],
    concerns: ['authorization'],
  },
  {
    group: 'crd.projectcalico.org',
    kinds: ['ClusterNetworkPolicy', 'NetworkPolicy', 'GlobalNetworkPolicy', 'CiliumNetworkPolicy'],
    concerns: ['authorization'],
  },
  {
    group: 'cilium.io',
    kinds: ['ClusterNetworkPolicy', 'NetworkPolicy', 'GlobalNetworkPolicy', 'CiliumNetworkPolicy'],
    concerns: ['authorization'],
  },
  {
    group: 'aigateway.envoyproxy.io',
    kinds: ['BackendSecurityPolicy', 'AIGatewayRoute', 'MCPRoute'],
    concerns: ['backend-auth', 'authentication', 'authorization', 'rate-limit'],
  },
];
