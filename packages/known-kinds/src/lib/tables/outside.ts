import type { GroupKind } from '@policy-machinery/resource';

/** A kind, or all kinds of a group, with policies that are attached in a way that is not read. */
export interface OutsideKind extends Pick<GroupKind, 'group'> {
  readonly system: string;
  /** The kind. Default: all kinds of the group. */
  readonly kind?: string;
  /** How its policies are attached, as a sentence. */
  readonly reason: string;
  /** The page or the source file with these facts. */
  readonly source: string;
}

/** Kinds of existing systems with policies that are attached in a way that is not read. */
export const outsideKinds: readonly OutsideKind[] = [
  {
    system: 'Kuma',
    group: 'kuma.io',
    reason:
      'Policies of Kuma select proxies of its own mesh by kind and labels, outside of the hierarchy of Gateway API.',
    source: 'https://kuma.io/docs/latest/policies/introduction/',
  },
  {
    system: 'Kong',
    group: 'configuration.konghq.com',
    kind: 'KongUpstreamPolicy',
    reason: 'Services name the policy in the annotation konghq.com/upstream-policy, which is not read.',
    source: 'https://developer.konghq.com/kubernetes-ingress-controller/reference/custom-resources/',
  },
  {
    system: 'AWS Load Balancer Controller',
    group: 'gateway.k8s.aws',
    kind: 'LoadBalancerConfiguration',
    reason: 'Gateways and GatewayClasses name the configuration in parametersRef, which attaches no policies here.',
    source: 'https://github.com/kubernetes-sigs/aws-load-balancer-controller/tree/main/docs/guide/gateway',
  },
];

/** A kind of objects that name a target, as policies do, and are not policies. */
export interface OtherKind extends GroupKind {
  readonly system: string;
  /** The objects of the kind, as a part of a sentence. */
  readonly objects: string;
  /** The page or the source file with these facts. */
  readonly source: string;
}

const mcpGateway = {
  system: 'MCP Gateway',
  source: 'https://github.com/Kuadrant/mcp-gateway/blob/main/docs/guides/register-mcp-servers.md',
};

/** Kinds of existing systems with objects that name a target, as policies do, and are not policies. */
export const otherKinds: readonly OtherKind[] = [
  ...['mcp.kuadrant.io', 'mcp.kagenti.com'].flatMap((group) => [
    { ...mcpGateway, group, kind: 'MCPServerRegistration', objects: 'servers behind an HTTPRoute, for a catalog' },
    { ...mcpGateway, group, kind: 'MCPGatewayExtension', objects: 'programs that serve a Gateway' },
  ]),
  {
    system: 'Kuadrant',
    group: 'devportal.kuadrant.io',
    kind: 'APIProduct',
    objects: 'entries of a catalog of APIs, each for an HTTPRoute',
    source:
      'https://github.com/Kuadrant/kuadrant-operator/blob/main/bundle/manifests/devportal.kuadrant.io_apiproducts.yaml',
  },
  {
    system: 'Envoy AI Gateway',
    group: 'aigateway.envoyproxy.io',
    kind: 'AIGatewayRoute',
    objects: 'routes, which earlier releases attach to Gateways by targetRefs',
    source:
      'https://github.com/envoyproxy/ai-gateway/blob/main/manifests/charts/ai-gateway-crds-helm/templates/aigateway.envoyproxy.io_aigatewayroutes.yaml',
  },
];

/** Returns whether the objects of a kind name a target, as policies do, and are not policies. */
export function isOtherKind({ group, kind }: GroupKind): boolean {
  return otherKinds.some((it) => it.group === group && it.kind === kind);
}

/** Returns facts about a kind with policies that are attached in a way that is not read. */
export function outsideKind({ group, kind }: GroupKind): OutsideKind | undefined {
  return outsideKinds.find((it) => it.group === group && (it.kind === undefined || it.kind === kind));
}
