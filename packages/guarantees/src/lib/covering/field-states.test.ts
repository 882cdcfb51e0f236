import { concernsOf } from '@policy-machinery/known-kinds/concerns';
import type { ConcernName } from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { conditionReader } from './conditions.ts';
import { fieldStates } from './field-states.ts';

const holds = conditionReader();

/** Specs with what they do for concerns: `full`, the weakness, `off` or `none`. */
const examples: readonly (readonly [
  title: string,
  kind: string,
  spec: JsonObject,
  cells: Readonly<Record<string, string>>,
])[] = [
  [
    'jwt on the Gateway, cors on the route, no mergeType',
    'SecurityPolicy.gateway.envoyproxy.io',
    { cors: { allowOrigins: ['https://a.example.com'] } },
    { authentication: 'none', cors: 'full' },
  ],
  [
    'jwt.optional',
    'SecurityPolicy.gateway.envoyproxy.io',
    { jwt: { optional: true, providers: [{ name: 'x' }] } },
    { authentication: 'optional' },
  ],
  [
    'jwtAuth.disable on a route',
    'TrafficPolicy.gateway.kgateway.dev',
    { jwtAuth: { disable: {} } },
    { authentication: 'off' },
  ],
  [
    'an anonymous rule beside jwt',
    'AuthPolicy.kuadrant.io',
    { rules: { authentication: { a: { jwt: { issuerUrl: 'https://x' } }, b: { anonymous: {} } } } },
    { authentication: 'optional' },
  ],
  [
    'only anonymous',
    'AuthPolicy.kuadrant.io',
    { rules: { authentication: { b: { anonymous: {} } } } },
    { authentication: 'off' },
  ],
  [
    'RequestAuthentication alone',
    'RequestAuthentication.security.istio.io',
    { jwtRules: [{ issuer: 'x' }] },
    { authentication: 'optional' },
  ],
  ['AuthorizationPolicy {}', 'AuthorizationPolicy.security.istio.io', {}, { authorization: 'full' }],
  [
    'AuthorizationPolicy with an empty rule',
    'AuthorizationPolicy.security.istio.io',
    { rules: [{}] },
    { authorization: 'off' },
  ],
  [
    'limits in dry run',
    'RateLimitPolicy.gateway.nginx.org',
    { rateLimit: { dryRun: true, local: { rules: [{ rate: '1r/s' }] } } },
    { 'rate-limit': 'report-only' },
  ],
  [
    'limit for selected clients only',
    'BackendTrafficPolicy.gateway.envoyproxy.io',
    {
      rateLimit: {
        type: 'Local',
        local: { rules: [{ clientSelectors: [{ headers: [{ name: 'x' }] }], limit: { requests: 1, unit: 'Second' } }] },
      },
    },
    { 'rate-limit': 'part' },
  ],
  [
    'allow without rules',
    'SecurityPolicy.gateway.envoyproxy.io',
    { authorization: { defaultAction: 'Allow' } },
    { authorization: 'off' },
  ],
  [
    'TLS to backends, not verified',
    'BackendConfigPolicy.gateway.kgateway.dev',
    { tls: { insecureSkipVerify: true } },
    { 'backend-tls': 'unverified' },
  ],
  ['unsecured', 'ContentSecurityPolicy.microgateway.airlock.com', { unsecured: {} }, { waf: 'off' }],
  ['retries 0', 'BackendTrafficPolicy.gateway.envoyproxy.io', { retry: { numRetries: 0 } }, { retry: 'off' }],
  ['PERMISSIVE', 'PeerAuthentication.security.istio.io', { mtls: { mode: 'PERMISSIVE' } }, { 'mesh-mtls': 'optional' }],
  ['body limit 0', 'ClientSettingsPolicy.gateway.nginx.org', { body: { maxSize: '0' } }, { 'request-size': 'off' }],
  [
    'oidc with a way around, no jwt',
    'SecurityPolicy.gateway.envoyproxy.io',
    { oidc: { passThroughAuthHeader: true } },
    { authentication: 'optional' },
  ],
  [
    'oidc optional beside a strict API key: the strict one counts',
    'SecurityPolicy.gateway.envoyproxy.io',
    { jwt: { optional: true, providers: [{ name: 'x' }] }, apiKeyAuth: { credentialRefs: [{ name: 'k' }] } },
    { authentication: 'full' },
  ],
  [
    'AllowInsecureFallback',
    'Gateway.gateway.networking.k8s.io',
    {
      tls: {
        frontend: { default: { validation: { mode: 'AllowInsecureFallback', caCertificateRefs: [{ name: 'ca' }] } } },
      },
    },
    { 'client-certificate': 'optional' },
  ],
  [
    'IAP switched off',
    'GCPBackendPolicy.networking.gke.io',
    { default: { iap: { enabled: false } } },
    { authentication: 'off' },
  ],
];

describe('a spec', () => {
  it.each(examples)('%s', (_title, name, spec, cells) => {
    const [kind = '', ...group] = name.split('.');
    const states = fieldStates(concernsOf({ group: group.join('.'), kind })?.fields ?? [], spec, holds);
    const found = Object.keys(cells).map((concern) => {
      const { state = 'none', strength = '' } = states.get(concern as ConcernName) ?? {};
      return [concern, state === 'in-force' ? strength : state];
    });
    expect(Object.fromEntries(found)).toEqual(cells);
  });

  it('without the fields that a weakness is about is not weakly in force', () => {
    const fields = concernsOf({ group: 'kuadrant.io', kind: 'AuthPolicy' })?.fields ?? [];
    const spec = { when: [{ predicate: 'true' }], rules: { response: { unauthorized: { code: 403 } } } };
    expect(fieldStates(fields, spec, holds).get('authentication')).toBeUndefined();
  });

  it('that a condition cannot be evaluated for is not known', () => {
    const fields = [{ concern: 'authentication', pointer: '/login', inForce: 'spec.login > 1' }] as const;
    expect(fieldStates(fields, { login: 'yes' }, holds).get('authentication')?.state).toBe('unknown');
  });

  it('sets a concern by a field with any value but false and an empty list', () => {
    const fields = [{ concern: 'rate-limit', pointer: '/limits/*/rate' }] as const;
    const stateFor = (spec: JsonObject) => fieldStates(fields, spec, holds).get('rate-limit')?.state;
    expect(stateFor({ limits: [{}, { rate: 1 }] })).toBe('in-force');
    expect(stateFor({ limits: { a: { rate: {} } } })).toBe('in-force');
    for (const limits of [[], [{ rate: false }], [{ rate: [] }], [{ rate: null }], 'rate']) {
      expect(stateFor({ limits })).toBeUndefined();
    }
  });
});
