import type { KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of AWS Load Balancer Controller serve. */
export const awsLoadBalancerControllerConcerns: readonly KindConcerns[] = [
  {
    group: 'gateway.k8s.aws',
    kind: 'TargetGroupConfiguration',
    fields: [
      { concern: 'health-check', pointer: '/defaultConfiguration/healthCheckConfig', aspect: 'active' },
      {
        concern: 'backend-tls',
        pointer: '/defaultConfiguration/protocol',
        aspect: 'on',
        inForce: 'has(spec.defaultConfiguration.protocol) && spec.defaultConfiguration.protocol in ["HTTPS", "TLS"]',
        weak: [{ effect: 'unverified', pointer: '/defaultConfiguration/protocol' }],
      },
      {
        concern: 'load-balancing',
        pointer: '/defaultConfiguration/targetGroupAttributes',
        aspect: 'affinity',
        weak: [{ effect: 'unknown', pointer: '/defaultConfiguration/targetGroupAttributes' }],
        certainty: 'unknown',
      },
      {
        concern: 'health-check',
        pointer: '/routeConfigurations/*/targetGroupProps/healthCheckConfig',
        aspect: 'active',
      },
      {
        concern: 'backend-tls',
        pointer: '/routeConfigurations/*/targetGroupProps/protocol',
        aspect: 'on',
        inForce:
          'has(spec.routeConfigurations) && spec.routeConfigurations.exists(r, has(r.targetGroupProps.protocol) && r.targetGroupProps.protocol in ["HTTPS", "TLS"])',
        weak: [{ effect: 'unverified', pointer: '/routeConfigurations/*/targetGroupProps/protocol' }],
      },
      {
        concern: 'load-balancing',
        pointer: '/routeConfigurations/*/targetGroupProps/targetGroupAttributes',
        aspect: 'affinity',
        weak: [{ effect: 'unknown', pointer: '/routeConfigurations/*/targetGroupProps/targetGroupAttributes' }],
        certainty: 'unknown',
      },
    ],
  },
  {
    group: 'gateway.k8s.aws',
    kind: 'ListenerRuleConfiguration',
    fields: [
      {
        concern: 'authentication',
        pointer: '/actions/*/authenticateOIDCConfig',
        aspect: 'oidc',
        inForce: 'has(spec.actions) && spec.actions.exists(a, has(a.authenticateOIDCConfig))',
        weak: [
          {
            effect: 'optional',
            pointer: '/actions/*/authenticateOIDCConfig/onUnauthenticatedRequest',
            when: 'has(spec.actions) && spec.actions.exists(a, has(a.authenticateOIDCConfig) && has(a.authenticateOIDCConfig.onUnauthenticatedRequest) && a.authenticateOIDCConfig.onUnauthenticatedRequest == "allow")',
          },
        ],
      },
      {
        concern: 'authentication',
        pointer: '/actions/*/authenticateCognitoConfig',
        aspect: 'oidc',
        inForce: 'has(spec.actions) && spec.actions.exists(a, has(a.authenticateCognitoConfig))',
        weak: [
          {
            effect: 'optional',
            pointer: '/actions/*/authenticateCognitoConfig/onUnauthenticatedRequest',
            when: 'has(spec.actions) && spec.actions.exists(a, has(a.authenticateCognitoConfig.onUnauthenticatedRequest) && a.authenticateCognitoConfig.onUnauthenticatedRequest == "allow")',
          },
        ],
      },
      {
        concern: 'authentication',
        pointer: '/actions/*/jwtValidationConfig',
        aspect: 'jwt',
        inForce: 'has(spec.actions) && spec.actions.exists(a, has(a.jwtValidationConfig))',
      },
      {
        concern: 'authorization',
        pointer: '/conditions/*/sourceIPConfig',
        aspect: 'ip',
        role: 'none',
        certainty: 'unknown',
      },
      { concern: 'rewrite', pointer: '/actions/*/fixedResponseConfig', aspect: 'answer' },
      {
        concern: 'load-balancing',
        pointer: '/actions/*/forwardConfig/targetGroupStickinessConfig',
        aspect: 'affinity',
        inForce:
          'has(spec.actions) && spec.actions.exists(a, has(a.forwardConfig.targetGroupStickinessConfig.enabled) && a.forwardConfig.targetGroupStickinessConfig.enabled)',
      },
    ],
  },
];
