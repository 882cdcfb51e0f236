import type { KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of Kuadrant extensions serve. */
export const kuadrantExtensionsConcerns: readonly KindConcerns[] = [
  {
    group: 'extensions.kuadrant.io',
    kind: 'OIDCPolicy',
    fields: [
      { concern: 'authentication', pointer: '/provider', aspect: 'oidc', inForce: 'has(spec.provider)' },
      {
        concern: 'authorization',
        pointer: '/auth/claims',
        aspect: 'claims',
        inForce: 'has(spec.auth.claims) && spec.auth.claims.size() > 0',
      },
    ],
    secrets: [{ pointer: '/provider/clientSecret', isCertain: true }],
  },
  {
    group: 'extensions.kuadrant.io',
    kind: 'PlanPolicy',
    fields: [
      {
        concern: 'rate-limit',
        pointer: '/plans',
        aspect: 'plan',
        inForce: 'has(spec.plans) && spec.plans.exists(p, has(p.limits))',
        weak: [{ effect: 'part', pointer: '/plans/*/predicate', when: 'has(spec.plans)' }],
      },
    ],
  },
  {
    group: 'extensions.kuadrant.io',
    kind: 'TelemetryPolicy',
    fields: [{ concern: 'observability', pointer: '/metrics/default/labels', aspect: 'metrics', role: 'shapes' }],
  },
  {
    group: 'extensions.kuadrant.io',
    kind: 'ThreatPolicy',
    fields: [{ concern: 'waf', pointer: '/threshold', aspect: 'threat-score', inForce: 'has(spec.threshold)' }],
  },
];
