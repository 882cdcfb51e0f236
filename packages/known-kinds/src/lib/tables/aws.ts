import { Gateway, GRPCRoute, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { none } from '@policy-machinery/merge';
import { bareSpec } from '@policy-machinery/policy-kind';
import { targetReference } from '../readers/target-readers.ts';
import { kindsOf } from './row.ts';
import { ServiceExport } from './targets.ts';

const onePerTarget = {
  stanzas: bareSpec({ strategies: { none }, strategyField: false, because: 'a target has one policy only' }),
};
const direct = { policyClass: 'Direct', status: 'conditions', targetFields: { targetRef: ['namespace'] } } as const;

const forVpcLattice = kindsOf(
  {
    system: 'AWS Gateway API Controller',
    controllers: ['application-networking.k8s.aws'],
    group: 'application-networking.k8s.aws',
    versions: ['v1alpha1'],
    source: 'https://github.com/aws/aws-application-networking-k8s/tree/main/pkg/k8s/policyhelper',
  },
  [
    { kind: 'TargetGroupPolicy', ...direct, targets: [Service, ServiceExport], profile: onePerTarget },
    { kind: 'VpcAssociationPolicy', ...direct, targets: [Gateway], profile: onePerTarget },
    {
      kind: 'IAMAuthPolicy',
      ...direct,
      targets: [Gateway, HTTPRoute, GRPCRoute],
      profile: onePerTarget,
      notes: ["A request must be allowed by the Gateway's policy and by the route's."],
    },
    {
      kind: 'AccessLogPolicy',
      ...direct,
      targets: [Gateway, HTTPRoute, GRPCRoute],
      notes: [
        'A target has one policy for each kind of destination (S3, CloudWatch Logs, Firehose). Traffic to a route is logged by the policies of the Gateway, too.',
      ],
    },
  ],
);

const forLoadBalancers = kindsOf(
  {
    system: 'AWS Load Balancer Controller',
    controllers: ['gateway.k8s.aws'],
    group: 'gateway.k8s.aws',
    versions: ['v1', 'v1beta1'],
    source: 'https://github.com/kubernetes-sigs/aws-load-balancer-controller/tree/main/docs/guide/gateway',
  },
  [
    {
      kind: 'TargetGroupConfiguration',
      policyClass: 'Inherited',
      targets: [Service, Gateway],
      readTargets: targetReference,
      targetFields: {},
      unreadAttachment: 'a LoadBalancerConfiguration',
      status: 'other',
    },
    {
      kind: 'ListenerRuleConfiguration',
      policyClass: 'Direct',
      targets: [HTTPRoute.sections.rule, GRPCRoute.sections.rule],
      extensionRefs: true,
      targetFields: {},
      status: 'other',
    },
  ],
);

/** The policy kinds of the AWS Gateway API Controller for VPC Lattice, and of the AWS Load Balancer Controller. */
export const awsKinds = [...forVpcLattice, ...forLoadBalancers];
