import { describe, expect, it } from 'vitest';
import { runWith } from './run.fixture.ts';

const routing = 'gateway.networking.k8s.io';
const policy = (name: string, namespace: string, target: string, spec: string) =>
  `{ apiVersion: gateway.envoyproxy.io/v1alpha1, kind: SecurityPolicy, metadata: { name: ${name}${namespace} }, spec: { targetRefs: [{ group: ${routing}, ${target} }], ${spec} } }`;
const jwt = 'jwt: { providers: [{ name: login, remoteJWKS: { uri: "https://login.example.com/jwks" } }] }';
const cors = 'cors: { allowOrigins: ["https://www.example.com"] }';

/** A Gateway with a login, and a route; a policy may be attached to the route, because one of both does not name its namespace. */
const shop = (namespaces: { readonly route: string; readonly policy: string }, spec = cors) =>
  [
    `{ apiVersion: ${routing}/v1, kind: Gateway, metadata: { name: public, namespace: infra }, spec: { gatewayClassName: eg, listeners: [{ name: web, port: 80, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }] } }`,
    `{ apiVersion: ${routing}/v1, kind: HTTPRoute, metadata: { name: cart${namespaces.route} }, spec: { parentRefs: [{ name: public, namespace: infra }], hostnames: [shop.example.com], rules: [{ name: all }] } }`,
    policy('own', namespaces.policy, 'kind: HTTPRoute, name: cart', spec),
  ].join('\n---\n');
const login = `\n---\n${policy('login', ', namespace: infra', 'kind: Gateway, name: public', jwt)}`;

describe.each([
  ['a policy', 'shop/cart', { route: ', namespace: shop', policy: '' }],
  ['a route', 'default/cart', { route: '', policy: ', namespace: shop' }],
])('where %s does not name its namespace', (_what, route, namespaces) => {
  const ask = async (stdin: string, ...args: readonly string[]) => {
    const { stdout, stderr, exitCode } = await runWith([...args, '-f', '-'], { stdin });
    return { text: `${stdout}${stderr}`, exitCode };
  };
  const own = `SecurityPolicy ${namespaces.policy === '' ? 'default' : 'shop'}/own`;

  it.each([
    [['explain', `httproute/${route}`], `Undecided whether attached\n  ${own}  undecided`],
    [['get', 'httproutes'], `${own} (undecided)`],
    [['get', 'gateways'], `${own} (undecided)`],
    [['tree'], `HTTPRoute ${route}  SecurityPolicy own (undecided)`],
    [['request', 'http://shop.example.com/'], 'is not known to meet a policy'],
    [['reach', own], `${own}\nundecided: `],
  ])('%j leaves the policy undecided', async (args, expected) => {
    const { text } = await ask(shop(namespaces), ...args);
    expect(text).toContain(expected);
    expect(text).not.toMatch(/No policy|does not affect/);
  });

  it.each([
    ['which would replace the login of the Gateway', shop(namespaces) + login],
    ['which would be the only login', shop(namespaces, jwt)],
  ])('coverage does not know whether requests meet the policy, %s', async (_effect, manifests) => {
    const asked = ['coverage', '--concern', 'authentication', '--uncovered', '--fail-on', 'uncovered:authentication'];
    const { text, exitCode } = await ask(manifests, ...asked);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      `? HTTPRoute ${route} not known: SecurityPolicy ${namespaces.policy === '' ? 'default' : 'shop'}/own may be attached to HTTPRoute ${route}`,
    );
    expect(exitCode).toBe(4);
  });

  it('coverage knows that a policy without a login is none', async () => {
    const { exitCode } = await ask(shop(namespaces), 'coverage', '--fail-on', 'uncovered:authentication');
    expect(exitCode).toBe(1);
  });
});

describe('where both name their namespaces', () => {
  it('a policy of another namespace is known not to be attached', async () => {
    const namespaces = { route: ', namespace: shop', policy: ', namespace: other' };
    const stdin = shop(namespaces) + login;
    const { stdout: routes } = await runWith(['get', 'httproutes', '-f', '-'], { stdin });
    const { stdout, exitCode } = await runWith(['coverage', '-f', '-', '--fail-on', 'uncovered:authentication'], {
      stdin,
    });
    expect(routes).not.toContain('undecided');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('All requests of 1 route meet authentication.');
  });
});
