import type { ProjectSchemas } from './project-schemas.ts';

type Loader = () => Promise<{ readonly schemas: ProjectSchemas }>;

const gatewayApi: Loader = () => import('./data/gateway-api.ts');
const kuadrant: Loader = () => import('./data/kuadrant.ts');
const istio: Loader = () => import('./data/istio.ts');

/** The data of the projects by the groups of their kinds. Bundlers make a file of each, which is loaded when it is called for. */
export const projects: Readonly<Record<string, Loader>> = {
  'gateway.networking.k8s.io': gatewayApi,
  'gateway.networking.x-k8s.io': gatewayApi,
  'gateway.envoyproxy.io': () => import('./data/envoy-gateway.ts'),
  'kuadrant.io': kuadrant,
  'extensions.kuadrant.io': kuadrant,
  'security.istio.io': istio,
  'telemetry.istio.io': istio,
  'extensions.istio.io': istio,
  'networking.istio.io': istio,
  'agentgateway.dev': () => import('./data/agentgateway.ts'),
  'gateway.nginx.org': () => import('./data/nginx-gateway-fabric.ts'),
  'gateway.solo.io': () => import('./data/gloo-gateway.ts'),
  'application-networking.k8s.aws': () => import('./data/aws-gateway-api-controller.ts'),
  'networking.gke.io': () => import('./data/google-kubernetes-engine.ts'),
  'apisix.apache.org': () => import('./data/apache-apisix.ts'),
  'microgateway.airlock.com': () => import('./data/airlock-microgateway.ts'),
};
