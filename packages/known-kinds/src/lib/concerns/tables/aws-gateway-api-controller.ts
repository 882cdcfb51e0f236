import type { KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of AWS Gateway API Controller serve. */
export const awsGatewayApiControllerConcerns: readonly KindConcerns[] = [
  {
    group: 'application-networking.k8s.aws',
    kind: 'TargetGroupPolicy',
    fields: [
      {
        concern: 'health-check',
        pointer: '/healthCheck',
        aspect: 'active',
        inForce: 'has(spec.healthCheck) && !(has(spec.healthCheck.enabled) && !spec.healthCheck.enabled)',
        off: [
          {
            pointer: '/healthCheck/enabled',
            when: 'has(spec.healthCheck) && has(spec.healthCheck.enabled) && !spec.healthCheck.enabled',
          },
        ],
      },
      {
        concern: 'backend-tls',
        pointer: '/protocol',
        aspect: 'on',
        inForce: 'has(spec.protocol) && spec.protocol == "HTTPS"',
        weak: [{ effect: 'unverified', pointer: '/protocol' }],
      },
    ],
  },
  {
    group: 'application-networking.k8s.aws',
    kind: 'VpcAssociationPolicy',
    fields: [
      {
        concern: 'authorization',
        pointer: '/securityGroupIds',
        aspect: 'network',
        inForce: 'has(spec.securityGroupIds) && spec.securityGroupIds.size() > 0',
        certainty: 'unknown',
      },
    ],
  },
  {
    group: 'application-networking.k8s.aws',
    kind: 'IAMAuthPolicy',
    fields: [
      {
        concern: 'authorization',
        pointer: '/policy',
        aspect: 'rules',
        inForce: 'has(spec.policy)',
        weak: [{ effect: 'unknown', pointer: '/policy' }],
      },
      {
        concern: 'authentication',
        pointer: '/policy',
        aspect: 'cloud-iam',
        weak: [{ effect: 'unknown', pointer: '/policy' }],
        certainty: 'unknown',
      },
    ],
  },
  {
    group: 'application-networking.k8s.aws',
    kind: 'AccessLogPolicy',
    fields: [
      {
        concern: 'observability',
        pointer: '/destinationArn',
        aspect: 'access-log',
        inForce: 'has(spec.destinationArn)',
      },
    ],
  },
];
