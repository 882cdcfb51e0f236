import {
  agentgateway,
  kuadrant,
  kuadrantExtensions,
  nginxGatewayFabric,
} from './agentgateway-nginx-kuadrant.fixture.ts';
import { envoyGateway, kgateway } from './envoy-and-kgateway.fixture.ts';
import { gloo, istio } from './istio-and-gloo.fixture.ts';
import type { OptionCase } from './option-case.fixture.ts';
import { awsForLattice, awsForLoadBalancers, gatewayApi, linkerd } from './others.fixture.ts';

/** The cases, by system and option. */
export const optionCases: Readonly<Record<string, Readonly<Record<string, OptionCase>>>> = {
  'Gateway API': gatewayApi,
  'Envoy Gateway': envoyGateway,
  kgateway,
  agentgateway,
  'NGINX Gateway Fabric': nginxGatewayFabric,
  Kuadrant: kuadrant,
  'Kuadrant extensions': kuadrantExtensions,
  Istio: istio,
  'Gloo Gateway': gloo,
  Linkerd: linkerd,
  'AWS Gateway API Controller': awsForLattice,
  'AWS Load Balancer Controller': awsForLoadBalancers,
};
