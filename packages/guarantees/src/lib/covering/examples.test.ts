import { describe, expect, it } from 'vitest';
import { cellText, coverageOf } from './coverage.fixture.ts';

const group = 'gateway.networking.k8s.io';
const onGateway = `targetRefs: [{ group: ${group}, kind: Gateway, name: public }]`;
const onRoute = `targetRefs: [{ group: ${group}, kind: HTTPRoute, name: cart }]`;

/** A Gateway with a route, and more objects: each is one line of YAML after its `apiVersion`, kind and name. */
function shop(gatewayClass: string, ...more: readonly string[]): string {
  return [
    `{ apiVersion: ${group}/v1, kind: Gateway, metadata: { name: public, namespace: shop }, spec: { gatewayClassName: ${gatewayClass}, listeners: [{ name: web, port: 80, protocol: HTTP }] } }`,
    `{ apiVersion: ${group}/v1, kind: HTTPRoute, metadata: { name: cart, namespace: shop }, spec: { parentRefs: [{ name: public }], rules: [{ backendRefs: [{ name: cart, port: 80 }] }] } }`,
    ...more,
  ].join('\n---\n');
}

const policy = (kind: string, name: string, spec: string): string =>
  `{ apiVersion: ${kind.replace(/^(.*) /, '$1, kind: ')}, metadata: { name: ${name}, namespace: shop }, spec: { ${spec} } }`;

const eg = (name: string, spec: string) => policy('gateway.envoyproxy.io/v1alpha1 SecurityPolicy', name, spec);
const kgateway = (name: string, spec: string) => policy('gateway.kgateway.dev/v1alpha1 TrafficPolicy', name, spec);
const kuadrant = (name: string, spec: string) => policy('kuadrant.io/v1 AuthPolicy', name, spec);
const jwt = 'jwt: { providers: [{ name: login, remoteJWKS: { uri: "https://login.example.com/jwks" } }] }';

describe('the login of a Gateway', () => {
  it('is lost where a policy of a route replaces the whole policy', () => {
    const rows = coverageOf(
      shop(
        'eg',
        eg('login', `${onGateway}, ${jwt}`),
        eg('cors', `${onRoute}, cors: { allowOrigins: ["https://a.example.com"] }`),
      ),
    );
    expect(cellText(rows, 'authentication')).toBe('lost SecurityPolicy shop/login /jwt → SecurityPolicy shop/cors');
    expect(rows[0]?.cells.get('authentication')?.because).toContain('mergeType is not set');
    expect(cellText(rows, 'cors')).toBe('own full SecurityPolicy shop/cors /cors');
  });

  it('is not lost where the route has its own login', () => {
    const rows = coverageOf(
      shop('eg', eg('login', `${onGateway}, ${jwt}`), eg('basic', `${onRoute}, basicAuth: { users: { name: users } }`)),
    );
    expect(cellText(rows, 'authentication')).toBe('own full SecurityPolicy shop/basic /basicAuth');
    expect(rows[0]?.cells.get('authentication')?.replaces).toMatchObject({ name: 'shop/login' });
  });

  it('is inherited where the policies are merged', () => {
    const rows = coverageOf(
      shop(
        'eg',
        eg('login', `${onGateway}, ${jwt}`),
        eg('cors', `${onRoute}, mergeType: StrategicMerge, cors: { allowOrigins: ["https://a.example.com"] }`),
      ),
    );
    expect(cellText(rows, 'authentication')).toBe('inherited full SecurityPolicy shop/login /jwt');
  });

  it('that is optional is not a full login', () => {
    const rows = coverageOf(
      shop('eg', eg('login', `${onGateway}, ${jwt.replace('jwt: {', 'jwt: { optional: true,')}`)),
    );
    expect(cellText(rows, 'authentication')).toBe('inherited optional SecurityPolicy shop/login /jwt');
  });

  it('can be switched off by a route', () => {
    const off = kgateway('open', `${onRoute}, jwtAuth: { disable: {} }`);
    const rows = coverageOf(
      shop('kgateway', kgateway('login', `${onGateway}, jwtAuth: { extensionRef: { name: jwt } }`), off),
    );
    expect(cellText(rows, 'authentication')).toBe('off TrafficPolicy shop/open /jwtAuth/disable');
    expect(cellText(coverageOf(shop('kgateway', off)), 'authentication')).toBe(
      'none TrafficPolicy shop/open /jwtAuth/disable',
    );
  });

  it('is switched off by an anonymous rule of a route', () => {
    const login = kuadrant(
      'login',
      `${onGateway.replace('targetRefs: [', 'targetRef: ').replace(/\]$/, '')}, defaults: { rules: { authentication: { jwt: { jwt: { issuerUrl: "https://login.example.com" } } } } }`,
    );
    const open = kuadrant(
      'open',
      `${onRoute.replace('targetRefs: [', 'targetRef: ').replace(/\]$/, '')}, rules: { authentication: { all: { anonymous: {} } } }`,
    );
    expect(cellText(coverageOf(shop('istio', login, open)), 'authentication')).toBe(
      'off AuthPolicy shop/open /rules/authentication',
    );
  });
});

describe('a token of Istio', () => {
  const istio = (kind: string, name: string, spec: string) =>
    policy(`security.istio.io/v1 ${kind}`, name, `${onGateway}, ${spec}`);
  const tokens = istio('RequestAuthentication', 'tokens', 'jwtRules: [{ issuer: "https://login.example.com" }]');
  const asked = istio('AuthorizationPolicy', 'asked', 'rules: [{ from: [{ source: { requestPrincipals: ["*"] } }] }]');
  const all = istio('AuthorizationPolicy', 'all', 'rules: [{}]');

  it.each([
    ['is optional alone', [tokens], 'inherited optional', 'none'],
    ['is required if a policy asks for it', [tokens, asked], 'inherited full', 'inherited full'],
    ['is optional again if another policy allows everything', [tokens, asked, all], 'inherited optional', 'off'],
  ])('%s', (_name, policies, authentication, authorization) => {
    const rows = coverageOf(shop('istio', ...policies));
    expect(cellText(rows, 'authentication')).toMatch(new RegExp(`^${authentication}`));
    expect(cellText(rows, 'authorization')).toMatch(new RegExp(`^${authorization}`));
  });

  it('is not a permission if a policy only refuses some requests', () => {
    const rows = coverageOf(
      shop(
        'istio',
        istio('AuthorizationPolicy', 'few', 'action: DENY, rules: [{ to: [{ operation: { paths: [/admin] } }] }]'),
      ),
    );
    expect(cellText(rows, 'authorization')).toMatch(/^inherited part/);
  });
});

describe('other concerns', () => {
  it('are report-only if a route adds a dry run to the limit of its Gateway', () => {
    const limit = (name: string, spec: string) => policy('gateway.nginx.org/v1alpha1 RateLimitPolicy', name, spec);
    const rows = coverageOf(
      shop(
        'nginx',
        limit(
          'limit',
          `${onGateway}, rateLimit: { local: { rules: [{ rate: 1r/s, zoneSize: 10m, key: $binary_remote_addr }] } }`,
        ),
        limit('dry', `${onRoute}, rateLimit: { dryRun: true }`),
      ),
    );
    expect(cellText(rows, 'rate-limit')).toMatch(/report-only/);
  });

  it.each([
    [10, 'inherited part'],
    [0, 'inherited full'],
  ])('are in force for a part, if a backend of weight %d has none', (weight, cell) => {
    const tls = policy(
      'gateway.networking.k8s.io/v1 BackendTLSPolicy',
      'tls',
      'targetRefs: [{ group: "", kind: Service, name: a }], validation: { hostname: a.example.com, wellKnownCACertificates: System }',
    );
    const services = ['a', 'b'].map(
      (name) =>
        `{ apiVersion: v1, kind: Service, metadata: { name: ${name}, namespace: shop }, spec: { ports: [{ port: 443 }] } }`,
    );
    const rows = coverageOf(
      shop('eg', tls, ...services).replace(
        'backendRefs: [{ name: cart, port: 80 }]',
        `backendRefs: [{ name: a, port: 443, weight: 90 }, { name: b, port: 443, weight: ${weight} }]`,
      ),
    );
    expect(cellText(rows, 'backend-tls')).toBe(`${cell} BackendTLSPolicy shop/tls /validation`);
    if (weight > 0) expect(rows[0]?.cells.get('backend-tls')?.because).toBe('90 of 100 requests');
  });

  it('are not known where a filter is not read', () => {
    const filter =
      'filters: [{ type: ExtensionRef, extensionRef: { group: traefik.io, kind: Middleware, name: login } }], backendRefs';
    const rows = coverageOf(shop('traefik').replace('backendRefs', filter));
    for (const concern of ['authentication', 'authorization', 'rate-limit'] as const) {
      expect(cellText(rows, concern)).toBe('unknown Middleware shop/login');
    }
  });

  it('cannot be checked in TLS that is passed through', () => {
    const rows = coverageOf(
      `{ apiVersion: ${group}/v1, kind: Gateway, metadata: { name: public, namespace: shop }, spec: { gatewayClassName: eg, listeners: [{ name: tls, port: 443, protocol: TLS, tls: { mode: Passthrough } }] } }
---
{ apiVersion: ${group}/v1, kind: TLSRoute, metadata: { name: cart, namespace: shop }, spec: { hostnames: [a.example.com], parentRefs: [{ name: public }], rules: [{ backendRefs: [{ name: cart, port: 443 }] }] } }
---
${eg('login', `${onGateway}, oidc: { provider: { issuer: "https://login.example.com" }, clientID: shop, clientSecret: { name: secret } }`)}`,
    );
    expect(cellText(rows, 'client-tls')).toMatch(/^inherited passthrough Gateway/);
    expect(rows[0]?.cells.get('authentication')).toMatchObject({
      state: 'none',
      because: 'it cannot be checked here: the Gateway does not see HTTP',
    });
  });
});

describe('a field that names another object', () => {
  const extension = (spec: string) => policy('gateway.kgateway.dev/v1alpha1 GatewayExtension', 'idp', spec);
  const naming = (field: string) => kgateway('login', `${onGateway}, ${field}: { extensionRef: { name: idp } }`);
  const [jwtAuth, extAuth] = [naming('jwtAuth'), naming('extAuth')];

  it.each([
    [
      'that is strict',
      jwtAuth,
      ['jwt: { validationMode: Strict }'],
      'inherited full TrafficPolicy shop/login /jwtAuth',
    ],
    [
      'that lets clients without credentials pass',
      jwtAuth,
      ['jwt: { validationMode: AllowMissing }'],
      'inherited optional TrafficPolicy shop/login /jwtAuth',
    ],
    ['without a mode, whose default is not known', jwtAuth, ['jwt: {}'], 'unknown TrafficPolicy shop/login /jwtAuth'],
    [
      'that lets requests pass while its service fails',
      extAuth,
      ['extAuth: { failOpen: true }'],
      'inherited fail-open TrafficPolicy shop/login /extAuth',
    ],
    ['that is not in the input', jwtAuth, [], 'unknown TrafficPolicy shop/login /jwtAuth'],
  ])('is in force as far as the object, here one %s', (_, login, specs, expected) => {
    const rows = coverageOf(shop('kg', login, ...specs.map(extension)));
    expect(cellText(rows, 'authentication')).toBe(expected);
  });

  it('has the missing object as its reason', () => {
    const because = coverageOf(shop('kg', jwtAuth))[0]?.cells.get('authentication')?.because;
    expect(because).toBe('it names GatewayExtension shop/idp, which is not in this input');
  });
});
