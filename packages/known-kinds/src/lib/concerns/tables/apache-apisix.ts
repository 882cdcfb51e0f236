import type { KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of Apache APISIX serve. */
export const apacheApisixConcerns: readonly KindConcerns[] = [
  {
    group: 'apisix.apache.org',
    kind: 'BackendTrafficPolicy',
    fields: [
      {
        concern: 'retry',
        pointer: '/retries',
        aspect: 'attempts',
        inForce: 'has(spec.retries) && spec.retries > 0',
        off: [{ pointer: '/retries', when: 'has(spec.retries) && spec.retries == 0' }],
      },
      { concern: 'timeout', pointer: '/timeout/connect', aspect: 'connect' },
      { concern: 'timeout', pointer: '/timeout/read', aspect: 'backend-request' },
      { concern: 'timeout', pointer: '/timeout/send', aspect: 'backend-request' },
      { concern: 'load-balancing', pointer: '/loadbalancer', aspect: 'algorithm', inForce: 'has(spec.loadbalancer)' },
      { concern: 'health-check', pointer: '/healthCheck/active', aspect: 'active' },
      { concern: 'health-check', pointer: '/healthCheck/passive', aspect: 'passive' },
      {
        concern: 'backend-tls',
        pointer: '/scheme',
        aspect: 'on',
        inForce: 'has(spec.scheme) && spec.scheme in ["https", "grpcs", "tls"]',
        weak: [{ effect: 'unverified', pointer: '/scheme' }],
      },
      {
        concern: 'rewrite',
        pointer: '/passHost',
        aspect: 'host',
        inForce: 'has(spec.passHost) && spec.passHost != "pass"',
      },
    ],
  },
  { group: 'apisix.apache.org', kind: 'HTTPRoutePolicy', fields: [] },
  {
    group: 'apisix.apache.org',
    kind: 'L4RoutePolicy',
    fields: [
      {
        concern: 'custom',
        pointer: '/plugins',
        aspect: 'plugin',
        inForce: 'has(spec.plugins) && spec.plugins.size() > 0',
      },
    ],
    secrets: [{ pointer: '/plugins/*/config' }],
  },
];
