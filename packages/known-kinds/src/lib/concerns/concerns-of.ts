import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import type { KindConcerns } from './kind-concerns.ts';
import { agentgatewayConcerns } from './tables/agentgateway.ts';
import { airlockMicrogatewayConcerns } from './tables/airlock-microgateway.ts';
import { apacheApisixConcerns } from './tables/apache-apisix.ts';
import { awsGatewayApiControllerConcerns } from './tables/aws-gateway-api-controller.ts';
import { awsLoadBalancerControllerConcerns } from './tables/aws-load-balancer-controller.ts';
import { azureApplicationGatewayForContainersConcerns } from './tables/azure-application-gateway-for-containers.ts';
import { consulConcerns } from './tables/consul.ts';
import { envoyGatewayConcerns } from './tables/envoy-gateway.ts';
import { gatewayApiConcerns } from './tables/gateway-api.ts';
import { glooGatewayConcerns } from './tables/gloo-gateway.ts';
import { googleKubernetesEngineConcerns } from './tables/google-kubernetes-engine.ts';
import { istioConcerns } from './tables/istio.ts';
import { kgatewayConcerns } from './tables/kgateway.ts';
import { kuadrantConcerns } from './tables/kuadrant.ts';
import { kuadrantExtensionsConcerns } from './tables/kuadrant-extensions.ts';
import { linkerdConcerns } from './tables/linkerd.ts';
import { nginxGatewayFabricConcerns } from './tables/nginx-gateway-fabric.ts';

/** The concerns of all known kinds, with the objects that policies and routes name. */
export const kindConcerns: readonly KindConcerns[] = [
  ...gatewayApiConcerns,
  ...envoyGatewayConcerns,
  ...kgatewayConcerns,
  ...agentgatewayConcerns,
  ...nginxGatewayFabricConcerns,
  ...kuadrantConcerns,
  ...kuadrantExtensionsConcerns,
  ...istioConcerns,
  ...linkerdConcerns,
  ...glooGatewayConcerns,
  ...awsGatewayApiControllerConcerns,
  ...awsLoadBalancerControllerConcerns,
  ...googleKubernetesEngineConcerns,
  ...apacheApisixConcerns,
  ...airlockMicrogatewayConcerns,
  ...consulConcerns,
  ...azureApplicationGatewayForContainersConcerns,
];

const byKind = new Map(kindConcerns.map((kind) => [groupKindKey(kind), kind]));

/**
 * Returns the concerns that a known kind serves.
 *
 * @param kind The kind: of policies, routes, Gateways, or of objects that these name.
 * @returns The concerns; `undefined` if they are not known. A kind with no fields serves none.
 */
export function concernsOf(kind: GroupKind): KindConcerns | undefined {
  return byKind.get(groupKindKey(kind));
}
