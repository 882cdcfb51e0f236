import type { KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of Consul serve. */
export const consulConcerns: readonly KindConcerns[] = [
  {
    group: 'consul.hashicorp.com',
    kind: 'GatewayPolicy',
    stanzas: ['/default', '/override'],
    fields: [
      {
        concern: 'authentication',
        pointer: '/jwt',
        aspect: 'jwt',
        inForce: 'has(spec.jwt) && has(spec.jwt.providers) && spec.jwt.providers.size() > 0',
      },
      {
        concern: 'authorization',
        pointer: '/jwt/providers/*/verifyClaims',
        aspect: 'claims',
        inForce:
          'has(spec.jwt) && has(spec.jwt.providers) && spec.jwt.providers.exists(p, has(p.verifyClaims) && p.verifyClaims.size() > 0)',
      },
    ],
  },
];
