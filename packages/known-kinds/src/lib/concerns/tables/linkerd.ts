import type { KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of Linkerd serve. */
export const linkerdConcerns: readonly KindConcerns[] = [
  {
    group: 'policy.linkerd.io',
    kind: 'AuthorizationPolicy',
    fields: [
      {
        concern: 'authorization',
        pointer: '/requiredAuthenticationRefs',
        aspect: 'rules',
        inForce: 'has(spec.requiredAuthenticationRefs)',
        weak: [
          {
            effect: 'unknown',
            pointer: '/requiredAuthenticationRefs',
            when: 'spec.requiredAuthenticationRefs.size() == 0',
          },
        ],
      },
      {
        concern: 'authentication',
        pointer: '/requiredAuthenticationRefs',
        aspect: 'client-certificate-identity',
        inForce:
          'has(spec.requiredAuthenticationRefs) && spec.requiredAuthenticationRefs.exists(r, r.kind == "MeshTLSAuthentication" || r.kind == "ServiceAccount")',
      },
      {
        concern: 'mesh-mtls',
        pointer: '/requiredAuthenticationRefs',
        inForce:
          'has(spec.requiredAuthenticationRefs) && spec.requiredAuthenticationRefs.exists(r, r.kind == "MeshTLSAuthentication" || r.kind == "ServiceAccount")',
      },
    ],
  },
  {
    group: 'policy.linkerd.io',
    kind: 'HTTPLocalRateLimitPolicy',
    fields: [
      {
        concern: 'rate-limit',
        pointer: '/total/requestsPerSecond',
        aspect: 'local',
        inForce: 'has(spec.total) && has(spec.total.requestsPerSecond)',
      },
      {
        concern: 'rate-limit',
        pointer: '/identity/requestsPerSecond',
        aspect: 'per-client',
        inForce: 'has(spec.identity) && has(spec.identity.requestsPerSecond)',
      },
      {
        concern: 'rate-limit',
        pointer: '/overrides',
        aspect: 'per-client',
        weak: [{ effect: 'part', pointer: '/overrides/*/clientRefs' }],
      },
    ],
  },
  {
    group: 'policy.linkerd.io',
    kind: 'Server',
    fields: [
      {
        concern: 'authorization',
        pointer: '/accessPolicy',
        aspect: 'rules',
        inForce: '!has(spec.accessPolicy) || spec.accessPolicy == "deny"',
        weak: [
          {
            effect: 'report-only',
            pointer: '/accessPolicy',
            when: 'has(spec.accessPolicy) && spec.accessPolicy == "audit"',
          },
        ],
        off: [
          { pointer: '/accessPolicy', when: 'has(spec.accessPolicy) && spec.accessPolicy == "all-unauthenticated"' },
        ],
      },
    ],
  },
];
