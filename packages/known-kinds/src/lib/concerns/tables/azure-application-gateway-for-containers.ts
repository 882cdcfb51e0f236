import type { KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of Azure Application Gateway for Containers serve. */
export const azureApplicationGatewayForContainersConcerns: readonly KindConcerns[] = [
  {
    group: 'alb.networking.azure.io',
    kind: 'BackendTLSPolicy',
    fields: [
      {
        concern: 'backend-tls',
        pointer: '/default/verify',
        aspect: 'verified',
        inForce: 'has(spec.default.verify)',
        certainty: 'docs',
      },
      {
        concern: 'backend-tls',
        pointer: '/default/sni',
        aspect: 'on',
        inForce: 'has(spec.default.sni) && !has(spec.default.verify)',
        weak: [
          {
            effect: 'unverified',
            pointer: '/default/verify',
            when: 'has(spec.default.sni) && !has(spec.default.verify)',
          },
        ],
        certainty: 'docs',
      },
      {
        concern: 'backend-tls',
        pointer: '/default/clientCertificateRef',
        aspect: 'mutual',
        inForce: 'has(spec.default.clientCertificateRef)',
        certainty: 'docs',
      },
    ],
  },
  {
    group: 'alb.networking.azure.io',
    kind: 'BackendLoadBalancingPolicy',
    fields: [{ concern: 'load-balancing', pointer: '/default', aspect: 'algorithm', certainty: 'unknown' }],
  },
  {
    group: 'alb.networking.azure.io',
    kind: 'HealthCheckPolicy',
    fields: [
      {
        concern: 'health-check',
        pointer: '/default',
        aspect: 'active',
        inForce: 'has(spec.default)',
        certainty: 'docs',
      },
    ],
  },
  {
    group: 'alb.networking.azure.io',
    kind: 'FrontendTLSPolicy',
    fields: [
      {
        concern: 'client-certificate',
        pointer: '/default/verify',
        inForce: 'has(spec.default.verify)',
        certainty: 'docs',
      },
      { concern: 'client-tls', pointer: '/default/policyType', aspect: 'versions', role: 'shapes', certainty: 'docs' },
    ],
  },
  {
    group: 'alb.networking.azure.io',
    kind: 'RoutePolicy',
    fields: [
      {
        concern: 'load-balancing',
        pointer: '/default/sessionAffinity',
        aspect: 'affinity',
        inForce: 'has(spec.default.sessionAffinity)',
        certainty: 'docs',
      },
      { concern: 'timeout', pointer: '/default/timeouts', aspect: 'request', certainty: 'unknown' },
    ],
  },
  {
    group: 'alb.networking.azure.io',
    kind: 'WebApplicationFirewallPolicy',
    fields: [
      {
        concern: 'waf',
        pointer: '/webApplicationFirewall/id',
        aspect: 'rules',
        inForce: 'has(spec.webApplicationFirewall.id)',
        weak: [{ effect: 'unknown', pointer: '/webApplicationFirewall/id' }],
        certainty: 'docs',
      },
    ],
  },
];
