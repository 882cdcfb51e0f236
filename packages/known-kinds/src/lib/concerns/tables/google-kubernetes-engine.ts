import type { KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of Google Kubernetes Engine serve. */
export const googleKubernetesEngineConcerns: readonly KindConcerns[] = [
  {
    group: 'networking.gke.io',
    kind: 'GCPGatewayPolicy',
    fields: [
      {
        concern: 'client-tls',
        pointer: '/default/sslPolicy',
        aspect: 'versions',
        role: 'shapes',
        inForce: 'has(spec.default.sslPolicy)',
      },
    ],
  },
  {
    group: 'networking.gke.io',
    kind: 'GCPBackendPolicy',
    fields: [
      {
        concern: 'waf',
        pointer: '/default/securityPolicy',
        aspect: 'rules',
        inForce: 'has(spec.default.securityPolicy) && spec.default.securityPolicy != ""',
        weak: [{ effect: 'unknown', pointer: '/default/securityPolicy' }],
      },
      {
        concern: 'rate-limit',
        pointer: '/default/securityPolicy',
        weak: [{ effect: 'unknown', pointer: '/default/securityPolicy' }],
        certainty: 'unknown',
      },
      {
        concern: 'authorization',
        pointer: '/default/securityPolicy',
        aspect: 'ip',
        weak: [{ effect: 'unknown', pointer: '/default/securityPolicy' }],
        certainty: 'unknown',
      },
      {
        concern: 'authentication',
        pointer: '/default/iap',
        aspect: 'oidc',
        inForce: 'has(spec.default.iap) && has(spec.default.iap.enabled) && spec.default.iap.enabled',
        off: [
          {
            pointer: '/default/iap/enabled',
            when: 'has(spec.default.iap) && has(spec.default.iap.enabled) && !spec.default.iap.enabled',
          },
        ],
      },
      {
        concern: 'authorization',
        pointer: '/default/iap',
        aspect: 'external',
        inForce: 'has(spec.default.iap) && has(spec.default.iap.enabled) && spec.default.iap.enabled',
      },
      {
        concern: 'timeout',
        pointer: '/default/timeoutSec',
        aspect: 'backend-request',
        inForce: 'has(spec.default.timeoutSec)',
      },
      {
        concern: 'load-balancing',
        pointer: '/default/sessionAffinity',
        aspect: 'affinity',
        inForce: 'has(spec.default.sessionAffinity) && spec.default.sessionAffinity.type != "NONE"',
        off: [
          {
            pointer: '/default/sessionAffinity/type',
            when: 'has(spec.default.sessionAffinity) && spec.default.sessionAffinity.type == "NONE"',
          },
        ],
      },
      {
        concern: 'observability',
        pointer: '/default/logging',
        aspect: 'access-log',
        inForce: 'has(spec.default.logging) && has(spec.default.logging.enabled) && spec.default.logging.enabled',
        off: [
          {
            pointer: '/default/logging/enabled',
            when: 'has(spec.default.logging) && has(spec.default.logging.enabled) && !spec.default.logging.enabled',
          },
        ],
      },
      { concern: 'circuit-breaking', pointer: '/default/maxRatePerEndpoint', role: 'none', certainty: 'unknown' },
    ],
  },
  {
    group: 'networking.gke.io',
    kind: 'HealthCheckPolicy',
    fields: [
      { concern: 'health-check', pointer: '/default/config', aspect: 'active', inForce: 'has(spec.default.config)' },
      {
        concern: 'observability',
        pointer: '/default/logConfig/enabled',
        aspect: 'audit',
        role: 'shapes',
        inForce: 'has(spec.default.logConfig) && spec.default.logConfig.enabled',
      },
    ],
  },
  {
    group: 'networking.gke.io',
    kind: 'GCPSessionAffinityPolicy',
    fields: [
      {
        concern: 'load-balancing',
        pointer: '/statefulGeneratedCookie',
        aspect: 'affinity',
        inForce: 'has(spec.statefulGeneratedCookie)',
      },
    ],
  },
  {
    group: 'networking.gke.io',
    kind: 'GCPTrafficDistributionPolicy',
    fields: [
      { concern: 'load-balancing', pointer: '/default/localityLbAlgorithm', aspect: 'algorithm' },
      { concern: 'load-balancing', pointer: '/default/serviceLbAlgorithm', aspect: 'locality' },
      { concern: 'health-check', pointer: '/default/failoverConfig', aspect: 'passive' },
    ],
  },
  {
    group: 'networking.gke.io',
    kind: 'GCPTrafficExtension',
    fields: [
      {
        concern: 'custom',
        pointer: '/extensionChains',
        aspect: 'external-processing',
        inForce: 'has(spec.extensionChains) && spec.extensionChains.size() > 0',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/extensionChains/*/extensions/*/failOpen',
            when: 'has(spec.extensionChains) && spec.extensionChains.exists(c, has(c.extensions) && c.extensions.exists(x, has(x.failOpen) && x.failOpen))',
          },
          { effect: 'part', pointer: '/extensionChains/*/matchCondition' },
        ],
      },
    ],
  },
  {
    group: 'networking.gke.io',
    kind: 'GCPRoutingExtension',
    fields: [
      {
        concern: 'custom',
        pointer: '/extensionChains',
        aspect: 'external-processing',
        inForce: 'has(spec.extensionChains) && spec.extensionChains.size() > 0',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/extensionChains/*/extensions/*/failOpen',
            when: 'has(spec.extensionChains) && spec.extensionChains.exists(c, has(c.extensions) && c.extensions.exists(x, has(x.failOpen) && x.failOpen))',
          },
          { effect: 'part', pointer: '/extensionChains/*/matchCondition' },
        ],
      },
    ],
  },
  {
    group: 'networking.gke.io',
    kind: 'GCPAuthzPolicy',
    fields: [
      {
        concern: 'authorization',
        pointer: '/rules',
        aspect: 'rules',
        inForce: 'has(spec.rules) && spec.rules.size() > 0',
        weak: [{ effect: 'part', pointer: '/action', when: 'has(spec.action) && spec.action == "DENY"' }],
      },
      {
        concern: 'authorization',
        pointer: '/customProviders',
        aspect: 'external',
        inForce: 'has(spec.customProviders)',
      },
    ],
  },
  {
    group: 'networking.gke.io',
    kind: 'GCPServerTLSPolicy',
    fields: [
      {
        concern: 'mesh-mtls',
        pointer: '/mtlsMode',
        inForce: 'has(spec.mtlsMode) && spec.mtlsMode == "Strict"',
        weak: [
          { effect: 'optional', pointer: '/mtlsMode', when: 'has(spec.mtlsMode) && spec.mtlsMode == "Permissive"' },
        ],
        off: [{ pointer: '/mtlsMode', when: 'has(spec.mtlsMode) && spec.mtlsMode == "Disabled"' }],
      },
      {
        concern: 'mesh-mtls',
        pointer: '/portOverrides/*/mtlsMode',
        inForce: 'has(spec.portOverrides) && spec.portOverrides.exists(p, has(p.mtlsMode) && p.mtlsMode == "Strict")',
        weak: [{ effect: 'part', pointer: '/portOverrides' }],
        off: [
          {
            pointer: '/portOverrides/*/mtlsMode',
            when: 'has(spec.portOverrides) && spec.portOverrides.exists(p, p.mtlsMode == "Disabled")',
          },
        ],
      },
    ],
  },
  {
    group: 'networking.gke.io',
    kind: 'GCPClientTLSPolicy',
    fields: [
      {
        concern: 'backend-tls',
        pointer: '/tlsMode',
        aspect: 'mutual',
        inForce: 'has(spec.tlsMode) && spec.tlsMode == "MutualTLS"',
        off: [{ pointer: '/tlsMode', when: 'has(spec.tlsMode) && spec.tlsMode == "Disable"' }],
      },
      { concern: 'backend-tls', pointer: '/subjectAltNames', aspect: 'verified', role: 'shapes' },
    ],
  },
];
