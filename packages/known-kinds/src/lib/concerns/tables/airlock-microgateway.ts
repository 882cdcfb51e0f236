import type { KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of Airlock Microgateway serve. */
export const airlockMicrogatewayConcerns: readonly KindConcerns[] = [
  {
    group: 'microgateway.airlock.com',
    kind: 'AccessControlPolicy',
    fields: [
      {
        concern: 'authentication',
        pointer: '/policies/*/authorization',
        aspect: 'oidc',
        inForce:
          'has(spec.policies) && spec.policies.exists(p, has(p.authorization) && (has(p.authorization.authentication) || has(p.authorization.requireAll) || has(p.authorization.requireAny) || has(p.authorization.ensured)))',
        weak: [
          {
            effect: 'part',
            pointer: '/policies/*/requestConditions',
            when: 'has(spec.policies) && spec.policies.exists(p, has(p.requestConditions))',
          },
        ],
        off: [
          {
            pointer: '/policies/*/authorization',
            when: 'has(spec.policies) && spec.policies.exists(p, has(p.authorization) && p.authorization.size() == 0)',
          },
        ],
      },
      {
        concern: 'authorization',
        pointer: '/policies/*/authorization/deny',
        aspect: 'rules',
        inForce: 'has(spec.policies) && spec.policies.exists(p, has(p.authorization) && has(p.authorization.deny))',
      },
      { concern: 'authorization', pointer: '/policies/*/authorization/requireAll', aspect: 'rules' },
      { concern: 'authorization', pointer: '/policies/*/authorization/requireAny', aspect: 'rules' },
      { concern: 'client-certificate', pointer: '/policies/*/authorization/requireAll/*/clientCertificate' },
      { concern: 'backend-auth', pointer: '/policies/*/identityPropagation' },
      { concern: 'backend-auth', pointer: '/policies/*/tokenExchange' },
    ],
  },
  {
    group: 'microgateway.airlock.com',
    kind: 'ContentSecurityPolicy',
    fields: [
      {
        concern: 'waf',
        pointer: '/secured',
        aspect: 'rules',
        inForce: 'has(spec.secured)',
        off: [{ pointer: '/unsecured', when: 'has(spec.unsecured)' }],
      },
      {
        concern: 'csrf',
        pointer: '/secured/csrfProtectionRef',
        inForce: 'has(spec.secured) && has(spec.secured.csrfProtectionRef)',
      },
      { concern: 'request-size', pointer: '/secured/limitsRef', aspect: 'body', inForce: 'has(spec.secured)' },
      { concern: 'headers', pointer: '/secured/headerRewritesRef' },
    ],
  },
  {
    group: 'microgateway.airlock.com',
    kind: 'CustomResponsePolicy',
    fields: [{ concern: 'rewrite', pointer: '/policies', aspect: 'answer' }],
  },
  {
    group: 'microgateway.airlock.com',
    kind: 'EnvoyExtensionPolicy',
    fields: [
      { concern: 'custom', pointer: '/envoyHTTPFilterRefs', aspect: 'patch', inForce: 'has(spec.envoyHTTPFilterRefs)' },
    ],
  },
  {
    group: 'microgateway.airlock.com',
    kind: 'ICAPPolicy',
    fields: [
      {
        concern: 'waf',
        pointer: '/policies/*/request/actions',
        aspect: 'malware',
        inForce:
          'has(spec.policies) && spec.policies.exists(p, has(p.request) && has(p.request.actions) && p.request.actions.size() > 0)',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/policies/*/request/actions/*/onError',
            when: 'has(spec.policies) && spec.policies.exists(p, has(p.request) && has(p.request.actions) && p.request.actions.exists(a, has(a.onError) && a.onError == "Pass"))',
          },
          { effect: 'part', pointer: '/policies/*/requestConditions' },
        ],
      },
    ],
  },
  {
    group: 'microgateway.airlock.com',
    kind: 'LogMaskingPolicy',
    fields: [{ concern: 'observability', pointer: '/request', aspect: 'access-log', role: 'shapes' }],
  },
  {
    group: 'microgateway.airlock.com',
    kind: 'RateLimitPolicy',
    fields: [
      {
        concern: 'rate-limit',
        pointer: '/policies/*/local',
        aspect: 'local',
        inForce: 'has(spec.policies) && spec.policies.exists(p, has(p.local) && has(p.local.limit))',
        weak: [
          {
            effect: 'report-only',
            pointer: '/policies/*/threatHandlingMode',
            when: 'has(spec.policies) && spec.policies.all(p, has(p.threatHandlingMode) && p.threatHandlingMode == "LogOnly")',
          },
          { effect: 'part', pointer: '/policies/*/requestConditions' },
        ],
        off: [{ pointer: '/policies/*/local', when: 'has(spec.policies) && spec.policies.exists(p, !has(p.local))' }],
      },
    ],
  },
];
