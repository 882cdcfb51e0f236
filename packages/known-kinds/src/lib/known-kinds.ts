import type { KnownKind } from './model/known-kind.ts';
import { agentgatewayKinds } from './tables/agentgateway.ts';
import { airlockKinds } from './tables/airlock.ts';
import { apisixKinds } from './tables/apisix.ts';
import { awsKinds } from './tables/aws.ts';
import { azureKinds } from './tables/azure.ts';
import { consulKinds } from './tables/consul.ts';
import { envoyGatewayKinds } from './tables/envoy-gateway.ts';
import { gatewayApiKinds } from './tables/gateway-api.ts';
import { gkeKinds } from './tables/gke.ts';
import { glooKinds } from './tables/gloo.ts';
import { istioKinds } from './tables/istio.ts';
import { kgatewayKinds } from './tables/kgateway.ts';
import { kuadrantKinds } from './tables/kuadrant.ts';
import { linkerdKinds } from './tables/linkerd.ts';
import { nginxGatewayFabricKinds } from './tables/nginx-gateway-fabric.ts';

/** The policy kinds of existing systems, system by system. */
export const knownKinds: readonly KnownKind[] = [
  ...gatewayApiKinds,
  ...envoyGatewayKinds,
  ...kgatewayKinds,
  ...agentgatewayKinds,
  ...nginxGatewayFabricKinds,
  ...kuadrantKinds,
  ...istioKinds,
  ...glooKinds,
  ...awsKinds,
  ...gkeKinds,
  ...linkerdKinds,
  ...apisixKinds,
  ...airlockKinds,
  ...consulKinds,
  ...azureKinds,
];
