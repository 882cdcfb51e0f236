import type { KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of Kuadrant serve. */
export const kuadrantConcerns: readonly KindConcerns[] = [
  {
    group: 'kuadrant.io',
    kind: 'AuthPolicy',
    fields: [
      {
        concern: 'authentication',
        pointer: '/rules/authentication',
        inForce:
          'has(spec.rules.authentication) && spec.rules.authentication.size() > 0 && !spec.rules.authentication.exists(k, has(spec.rules.authentication[k].anonymous))',
        weak: [
          { effect: 'part', pointer: '/when', when: 'has(spec.when) && spec.when.size() > 0' },
          {
            effect: 'optional',
            pointer: '/rules/authentication/*/anonymous',
            when: 'has(spec.rules.authentication) && spec.rules.authentication.exists(k, has(spec.rules.authentication[k].anonymous))',
          },
          {
            effect: 'trusting',
            pointer: '/rules/authentication/*/plain',
            when: 'has(spec.rules.authentication) && spec.rules.authentication.exists(k, has(spec.rules.authentication[k].plain))',
          },
          {
            effect: 'part',
            pointer: '/rules/authentication/*/when',
            when: 'has(spec.rules.authentication) && spec.rules.authentication.exists(k, has(spec.rules.authentication[k].when))',
          },
        ],
        off: [
          {
            pointer: '/rules/authentication/*/anonymous',
            when: 'has(spec.rules.authentication) && spec.rules.authentication.size() > 0 && spec.rules.authentication.all(k, has(spec.rules.authentication[k].anonymous))',
          },
        ],
      },
      {
        concern: 'authorization',
        pointer: '/rules/authorization',
        aspect: 'rules',
        inForce: 'has(spec.rules.authorization) && spec.rules.authorization.size() > 0',
        weak: [
          { effect: 'part', pointer: '/when', when: 'has(spec.when) && spec.when.size() > 0' },
          {
            effect: 'part',
            pointer: '/rules/authorization/*/when',
            when: 'has(spec.rules.authorization) && spec.rules.authorization.exists(k, has(spec.rules.authorization[k].when))',
          },
        ],
      },
      { concern: 'headers', pointer: '/rules/response/success/headers', aspect: 'request' },
      { concern: 'rewrite', pointer: '/rules/response/unauthenticated', aspect: 'answer' },
      { concern: 'rewrite', pointer: '/rules/response/unauthorized', aspect: 'answer' },
    ],
    secrets: [
      { pointer: '/rules/metadata/*/http/headers/*/value' },
      { pointer: '/rules/metadata/*/http/oauth2/extraParams/*' },
      { pointer: '/rules/authorization/*/opa/externalPolicy/headers/*/value' },
      { pointer: '/rules/callbacks/*/http/headers/*/value' },
      { pointer: '/rules/response/success/headers/*/plain/value' },
      { pointer: '/rules/authentication/*/defaults/*/value' },
    ],
  },
  {
    group: 'kuadrant.io',
    kind: 'RateLimitPolicy',
    fields: [
      {
        concern: 'rate-limit',
        pointer: '/limits',
        aspect: 'global',
        inForce:
          'has(spec.limits) && spec.limits.exists(k, has(spec.limits[k].rates) && spec.limits[k].rates.size() > 0)',
        weak: [
          { effect: 'part', pointer: '/when', when: 'has(spec.when) && spec.when.size() > 0' },
          {
            effect: 'part',
            pointer: '/limits/*/when',
            when: 'has(spec.limits) && spec.limits.all(k, has(spec.limits[k].when) && spec.limits[k].when.size() > 0)',
          },
        ],
      },
    ],
  },
  {
    group: 'kuadrant.io',
    kind: 'TokenRateLimitPolicy',
    fields: [
      {
        concern: 'rate-limit',
        pointer: '/limits',
        aspect: 'tokens',
        inForce:
          'has(spec.limits) && spec.limits.exists(k, has(spec.limits[k].rates) && spec.limits[k].rates.size() > 0)',
        weak: [{ effect: 'part', pointer: '/when', when: 'has(spec.when) && spec.when.size() > 0' }],
      },
    ],
  },
  {
    group: 'kuadrant.io',
    kind: 'DNSPolicy',
    fields: [
      { concern: 'dns', pointer: '/providerRefs', inForce: 'true' },
      { concern: 'health-check', pointer: '/healthCheck', aspect: 'dns', inForce: 'has(spec.healthCheck)' },
      { concern: 'load-balancing', pointer: '/loadBalancing', aspect: 'locality', inForce: 'has(spec.loadBalancing)' },
    ],
  },
  {
    group: 'kuadrant.io',
    kind: 'TLSPolicy',
    fields: [
      {
        concern: 'client-tls',
        pointer: '/issuerRef',
        aspect: 'certificate-issuance',
        role: 'shapes',
        inForce: 'has(spec.issuerRef)',
      },
    ],
  },
];
