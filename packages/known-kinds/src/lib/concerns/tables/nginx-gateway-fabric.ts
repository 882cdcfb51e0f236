import type { KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of NGINX Gateway Fabric serve. */
export const nginxGatewayFabricConcerns: readonly KindConcerns[] = [
  {
    group: 'gateway.nginx.org',
    kind: 'ClientSettingsPolicy',
    fields: [
      {
        concern: 'request-size',
        pointer: '/body/maxSize',
        aspect: 'body',
        inForce: 'has(spec.body) && has(spec.body.maxSize) && !(spec.body.maxSize in ["0", "0k", "0m", "0g"])',
        off: [
          {
            pointer: '/body/maxSize',
            when: 'has(spec.body) && has(spec.body.maxSize) && spec.body.maxSize in ["0", "0k", "0m", "0g"]',
          },
        ],
      },
      {
        concern: 'timeout',
        pointer: '/body/timeout',
        aspect: 'client',
        inForce: 'has(spec.body) && has(spec.body.timeout)',
      },
      { concern: 'timeout', pointer: '/keepAlive/timeout', aspect: 'idle' },
    ],
  },
  {
    group: 'gateway.nginx.org',
    kind: 'ProxySettingsPolicy',
    fields: [
      {
        concern: 'timeout',
        pointer: '/timeout/connect',
        aspect: 'connect',
        inForce: 'has(spec.timeout) && has(spec.timeout.connect)',
      },
      {
        concern: 'timeout',
        pointer: '/timeout/read',
        aspect: 'backend-request',
        inForce: 'has(spec.timeout) && has(spec.timeout.read)',
      },
      {
        concern: 'timeout',
        pointer: '/timeout/send',
        aspect: 'backend-request',
        inForce: 'has(spec.timeout) && has(spec.timeout.send)',
      },
    ],
  },
  {
    group: 'gateway.nginx.org',
    kind: 'ObservabilityPolicy',
    fields: [
      {
        concern: 'observability',
        pointer: '/tracing',
        aspect: 'tracing',
        inForce:
          'has(spec.tracing) && (spec.tracing.strategy == "parent" || !has(spec.tracing.ratio) || spec.tracing.ratio > 0)',
        off: [
          {
            pointer: '/tracing/ratio',
            when: 'has(spec.tracing) && spec.tracing.strategy == "ratio" && has(spec.tracing.ratio) && spec.tracing.ratio == 0',
          },
        ],
      },
    ],
  },
  {
    group: 'gateway.nginx.org',
    kind: 'UpstreamSettingsPolicy',
    fields: [
      {
        concern: 'load-balancing',
        pointer: '/loadBalancingMethod',
        aspect: 'algorithm',
        inForce: 'has(spec.loadBalancingMethod)',
      },
      { concern: 'timeout', pointer: '/keepAlive/timeout', aspect: 'idle' },
    ],
  },
  {
    group: 'gateway.nginx.org',
    kind: 'RateLimitPolicy',
    fields: [
      {
        concern: 'rate-limit',
        pointer: '/rateLimit/local/rules',
        aspect: 'local',
        inForce:
          'has(spec.rateLimit) && has(spec.rateLimit.local) && has(spec.rateLimit.local.rules) && spec.rateLimit.local.rules.size() > 0',
        weak: [
          {
            effect: 'report-only',
            pointer: '/rateLimit/dryRun',
            when: 'has(spec.rateLimit) && has(spec.rateLimit.dryRun) && spec.rateLimit.dryRun',
          },
        ],
      },
    ],
  },
  {
    group: 'gateway.nginx.org',
    kind: 'WAFPolicy',
    fields: [
      {
        concern: 'waf',
        pointer: '/policySource',
        aspect: 'rules',
        inForce: 'has(spec.policySource)',
        weak: [{ effect: 'unknown', pointer: '/policySource' }],
      },
      { concern: 'waf', pointer: '/policyRef', aspect: 'rules', inForce: 'has(spec.policyRef)' },
      {
        concern: 'observability',
        pointer: '/securityLogs',
        aspect: 'audit',
        inForce: 'has(spec.securityLogs) && spec.securityLogs.size() > 0',
      },
    ],
    secrets: [{ pointer: '/policySource/httpSource/url' }],
  },
  {
    group: 'gateway.nginx.org',
    kind: 'PayloadProcessor',
    fields: [
      {
        concern: 'custom',
        pointer: '/processors',
        aspect: 'external-processing',
        inForce: 'has(spec.processors) && spec.processors.size() > 0',
      },
    ],
  },
  {
    group: 'gateway.nginx.org',
    kind: 'SnippetsPolicy',
    fields: [
      {
        concern: 'custom',
        pointer: '/snippets',
        aspect: 'snippet',
        inForce: 'has(spec.snippets) && spec.snippets.size() > 0',
      },
    ],
    secrets: [{ pointer: '/snippets/*/value' }],
  },
  {
    group: 'gateway.nginx.org',
    kind: 'ExternalLoadBalancer',
    fields: [
      {
        concern: 'client-tls',
        pointer: '/gatewayLink/tls/clientSSLs',
        aspect: 'on',
        weak: [{ effect: 'unknown', pointer: '/gatewayLink/tls/clientSSLs' }],
        certainty: 'unknown',
      },
      { concern: 'waf', pointer: '/gatewayLink/iRules', role: 'none', certainty: 'unknown' },
    ],
  },
  {
    group: 'gateway.nginx.org',
    kind: 'AuthenticationFilter',
    fields: [
      { concern: 'authentication', pointer: '/basic', aspect: 'basic', inForce: 'has(spec.basic)' },
      { concern: 'authentication', pointer: '/jwt', aspect: 'jwt', inForce: 'has(spec.jwt)' },
      { concern: 'authentication', pointer: '/oidc', aspect: 'oidc', inForce: 'has(spec.oidc)' },
      {
        concern: 'authorization',
        pointer: '/jwt/authorization',
        aspect: 'claims',
        inForce: 'has(spec.jwt.authorization)',
      },
      {
        concern: 'authorization',
        pointer: '/oidc/authorization',
        aspect: 'claims',
        inForce: 'has(spec.oidc.authorization)',
      },
    ],
    secrets: [{ pointer: '/oidc/extraAuthArgs/*' }],
  },
  {
    group: 'gateway.nginx.org',
    kind: 'SnippetsFilter',
    fields: [
      {
        concern: 'custom',
        pointer: '/snippets',
        aspect: 'snippet',
        inForce: 'has(spec.snippets) && spec.snippets.size() > 0',
      },
    ],
    secrets: [{ pointer: '/snippets/*/value' }],
  },
];
