import type { GroupKind } from '@policy-machinery/resource';

/** A kind, or all kinds of a group, whose policies are attached in a way that is not read. */
export interface OutsideKind extends Pick<GroupKind, 'group'> {
  readonly system: string;
  /** The kind. Default: all kinds of the group. */
  readonly kind?: string;
  /** How its policies are attached, as a sentence. */
  readonly reason: string;
  /** The page or the source file with these facts. */
  readonly source: string;
}

/** Kinds of existing systems whose policies are attached in a way that is not read. */
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

/** Returns what is known about a kind whose policies are attached in a way that is not read. */
export function outsideKind({ group, kind }: GroupKind): OutsideKind | undefined {
  return outsideKinds.find((it) => it.group === group && (it.kind === undefined || it.kind === kind));
}
