import { effectivePolicies } from '@policy-machinery/effective-policy';
import { type DataPlane, Gateway, GRPCRoute, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { formatHidden, formatRequest, type Guarantee, replay, verifiedKind, verify } from '../../index.ts';

const AuthPolicy = definePolicyKind({
  group: 'example.com',
  version: 'v1',
  kind: 'AuthPolicy',
  targets: [Gateway, HTTPRoute, HTTPRoute.sections.rule],
  effectiveTargets: [HTTPRoute.sections.rule, GRPCRoute.sections.rule],
  spec: z.object({ issuer: z.string() }).partial(),
});
const { gateway, httpRoute, service, policy } = createFixtures({ namespace: 'shop' });
const dataPlane: DataPlane = { sharedHostnames: 'allowed', hostnamePrecedence: 'route' };
const path = (value: string, type = 'PathPrefix') => ({ path: { type, value } });
const edge = gateway('edge', { listeners: [{ name: 'http', port: 80 }] });
const shop = httpRoute('shop', { parents: [edge] });
const login = (on: KubernetesObject | readonly [KubernetesObject, string]) =>
  policy(AuthPolicy, 'login', { on: on as KubernetesObject, spec: { issuer: 'a' } });
const otherRoute = (kind: string, name: string, spec: object): KubernetesObject => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind,
  metadata: { namespace: 'shop', name },
  spec: { parentRefs: [{ name: 'edge' }], ...spec },
});

function verdictOn(objects: readonly KubernetesObject[], guarantee: Omit<Guarantee, 'name'>) {
  const topology = createTopology({ targetKinds: gatewayApi({ dataPlane }), policyKinds: [AuthPolicy] });
  topology.apply({ upsert: [edge, ...objects] });
  const kinds = [verifiedKind(effectivePolicies(topology, AuthPolicy))];
  const [verdict] = verify({ topology, kinds }, [{ name: 'g', ...guarantee }]);
  if (verdict === undefined) throw new Error('no verdict');
  for (const example of verdict.counterexamples) {
    expect(replay(topology, example)?.winner?.route).toBe(example.contender.route);
  }
  return verdict;
}

/** The answer, followed by the requests that break the guarantee, or what hides whether there are any. */
function answerOn(objects: readonly KubernetesObject[], guarantee: Omit<Guarantee, 'name'>): readonly string[] {
  const verdict = verdictOn(objects, guarantee);
  return [verdict.answer, ...verdict.counterexamples.map(formatRequest), ...formatHidden(verdict)];
}

describe('an expression about requests', () => {
  const authenticated = 'has(policies.AuthPolicy)';
  const cart = httpRoute('cart', { parents: [edge], rules: [{ name: 'cart', matches: [path('/cart')] }] });
  const dashboards = httpRoute('dashboards', { parents: [edge], rules: [{ matches: [path('/admin')] }] });
  const hosts = httpRoute('hosts', { parents: [edge], hostnames: ['*.example.com'] });

  it.each<[string, readonly KubernetesObject[], Omit<Guarantee, 'name'>, readonly string[]]>([
    [
      'a method that no match asks for',
      [shop],
      { holds: `request.method != "DELETE" || ${authenticated}` },
      ['broken', 'DELETE http://example.com/'],
    ],
    [
      'methods that all routes take',
      [shop],
      { holds: 'request.method in ["GET", "HEAD"]' },
      ['broken', 'POST http://example.com/'],
    ],
    [
      'a path below the prefix of a match',
      [shop],
      { requests: { where: 'request.path.under("/admin")' }, holds: authenticated },
      ['broken', 'GET http://example.com/admin'],
    ],
    [
      'a path that another route takes',
      [shop, dashboards, login(dashboards)],
      { holds: `!request.path.under("/admin") || ${authenticated}` },
      ['holds'],
    ],
    [
      'the same path, as an exception',
      [shop, dashboards, login(dashboards)],
      { except: [{ where: '!request.path.under("/admin")' }], holds: authenticated },
      ['holds'],
    ],
    [
      'the paths outside',
      [shop, dashboards, login(dashboards)],
      { holds: `request.path.under("/admin") || ${authenticated}` },
      ['broken', 'GET http://example.com/'],
    ],
    ['one path', [shop], { holds: 'request.path != "/healthz"' }, ['broken', 'GET http://example.com/healthz']],
    ['a path that no match takes', [cart], { holds: 'request.path != "/healthz"' }, ['holds']],
    [
      'a host below a wildcard',
      [hosts],
      { holds: 'request.host != "shop.example.com"' },
      ['broken', 'GET http://shop.example.com/'],
    ],
    ['hosts below a wildcard', [hosts], { holds: 'request.host.under("*.example.com")' }, ['holds']],
    ['hosts in upper case', [hosts], { holds: 'request.host.under("*.Example.com")' }, ['holds']],
    [
      'a header',
      [shop],
      { holds: 'request.header("X-Debug") == null' },
      ['broken', 'GET http://example.com/ x-debug: any'],
    ],
    [
      'a value of a header',
      [shop],
      { holds: 'request.header("x-debug") != "any"' },
      ['broken', 'GET http://example.com/ x-debug: any'],
    ],
    [
      'a query parameter',
      [shop],
      { holds: 'request.query("debug") != "1"' },
      ['broken', 'GET http://example.com/?debug=1'],
    ],
    [
      'requests of which some are taken by a rule with a policy',
      [cart, login([cart, 'cart'])],
      { holds: `request.path == "/cart" || !request.path.under("/cart")` },
      ['broken', 'GET http://example.com/cart/any'],
    ],
    [
      'a host that a label names',
      [shop],
      { holds: 'request.host == route.labels.host' },
      ['broken', 'GET http://example.com/'],
    ],
    [
      'a fault that some requests do not have',
      [shop],
      { requests: { where: 'request.path == "/a"' }, holds: 'request.path == "/a"' },
      ['holds'],
    ],
    [
      'both sides of a comparison',
      [shop],
      { holds: 'request.path.under("/a") == request.path.under("/a")' },
      ['holds'],
    ],
  ])('is about %s', (_, objects, guarantee, expected) => {
    expect(answerOn(objects, guarantee)).toEqual(expected);
  });

  it('reads a host from the label of an object', () => {
    const labelled = (host: string) => ({ ...hosts, metadata: { ...hosts.metadata, labels: { domain: host } } });
    const guarantee = { holds: 'request.host.under("*." + route.labels.domain)' };
    expect(answerOn([labelled('example.com')], guarantee)).toEqual(['holds']);
    expect(answerOn([labelled('any.example.com')], guarantee)).toEqual(['broken', 'GET http://any2.example.com/']);
  });

  it.each<[string, Omit<Guarantee, 'name'>, string]>([
    [
      'one namespace',
      { holds: 'request.host != "shop.example.com" || route.namespace == "payments"' },
      'GET http://shop.example.com/',
    ],
    [
      'the namespace in its name',
      { requests: { hostnames: ['*.example.com'] }, holds: 'request.host == route.namespace + ".example.com"' },
      'GET http://any.example.com/',
    ],
    [
      'the namespace that a label names',
      { requests: { hostnames: ['*.example.com'] }, holds: 'request.host == route.namespaceLabels["host"]' },
      'GET http://any.example.com/',
    ],
  ])('guarantees that a host is served by %s', (_, guarantee, request) => {
    const labels = { host: 'shop.example.com' };
    const namespace: KubernetesObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } };
    expect(answerOn([namespace, hosts], guarantee)).toEqual(['broken', request]);
    const own = httpRoute('own', { parents: [edge], hostnames: ['shop.example.com'] });
    const isOfPayments = guarantee.holds.includes('payments');
    expect(answerOn([namespace, own], guarantee)[0]).toBe(isOfPayments ? 'broken' : 'holds');
  });

  it('knows that all gRPC calls have the method POST', () => {
    const calls = otherRoute('GRPCRoute', 'calls', { rules: [{}] });
    expect(answerOn([calls], { holds: 'request.method == "POST"' })).toEqual(['holds']);
    expect(answerOn([calls], { requests: { methods: ['GET'] }, holds: 'false' })).toEqual(['holds']);
    expect(
      answerOn([shop, calls], { requests: { where: 'request.path == "/a/b"' }, holds: 'request.method == "POST"' }),
    ).toEqual(['broken', 'GET http://example.com/a/b']);
  });

  it('is false of connections without HTTP, apart from their host', () => {
    const tls = gateway('tls', {
      listeners: [{ name: 'tls', port: 443, protocol: 'TLS', tls: { mode: 'Passthrough' } }],
    });
    const route = otherRoute('TLSRoute', 'tls', {
      parentRefs: [{ name: 'tls' }],
      hostnames: ['a.example.com'],
      rules: [{}],
    });
    const holdsOn = (holds: string) => answerOn([tls, route], { holds })[0];
    expect(holdsOn('request.method == "GET"')).toBe('broken');
    expect(holdsOn('!request.path.under("/")')).toBe('holds');
    expect(holdsOn('request.host == "a.example.com"')).toBe('holds');
  });

  it('leaves a backend of the weight 0 out', () => {
    const backends = (weight: number) => ({
      ...shop,
      spec: {
        parentRefs: [{ name: 'edge' }],
        rules: [
          {
            backendRefs: [
              { name: 'old', port: 80, weight },
              { name: 'new', port: 80 },
            ],
          },
        ],
      },
    });
    const services = ['old', 'new'].map((name) => service(name));
    const guarantee = { holds: 'backend.name != "old"' };
    expect(answerOn([backends(1), ...services], guarantee)[0]).toBe('broken');
    expect(answerOn([backends(0), ...services], guarantee)).toEqual(['holds']);
  });

  it.each([
    ['holds', { holds: `!request.path.under("/a") || ${authenticated}` }],
    ['where', { requests: { where: 'request.path.under("/a")' }, holds: authenticated }],
  ])('is undecided where a regular expression decides whether a match takes such requests, in %s', (_, guarantee) => {
    const hidden = httpRoute('hidden', { parents: [edge], rules: [{ matches: [path('/a.*', 'RegularExpression')] }] });
    expect(answerOn([hidden], guarantee)).toEqual([
      'undecided',
      'HTTPRoute shop/hidden /spec/rules/0/matches/0/path depends on the regular expression /a.*',
    ]);
  });

  it.each<[string, Omit<Guarantee, 'name'>]>([
    ['holds', { holds: 'request.path.under(match.path + "?")' }],
    ['where', { requests: { where: 'request.path.under(match.path + "?")' }, holds: 'true' }],
    ['an exception', { except: [{ where: 'request.path.under(match.path + "?")' }], holds: 'true' }],
  ])('is undecided where it fails, in %s', (_, guarantee) => {
    expect(answerOn([shop], guarantee)).toEqual([
      'undecided',
      'the expression fails: a path begins with / and ends before ? and #: /cart',
    ]);
  });

  it('is undecided where it distinguishes too many sets of requests', () => {
    const headers = Array.from({ length: 10 }, (_, index) => `(request.header("h${index}") == "1")`);
    expect(answerOn([shop], { holds: headers.join(' == ') })).toEqual([
      'undecided',
      'the expression fails: the expressions distinguish more than 1000 sets of requests; split the guarantee',
    ]);
  });

  it('says whether all requests of the cause break it', () => {
    const isWholeFor = (holds: string) => verdictOn([shop], { holds }).counterexamples.map(({ isWhole }) => isWhole);
    expect(isWholeFor(authenticated)).toEqual([true]);
    expect(isWholeFor('request.method == "GET"')).toEqual([false]);
  });

  it('is about the request of a comparison; the other one is a copy', () => {
    const header = { headers: [{ name: 'x-canary', value: 'always' }] };
    const rules = [
      { name: 'next', matches: [header] },
      { name: 'now', matches: ['/'] },
    ];
    const canary = httpRoute('canary', { parents: [edge], rules });
    const other = { withoutHeaders: ['x-canary'] };
    const alike = '!other.taken || has(policies.AuthPolicy) == has(other.policies.AuthPolicy)';
    const objects = [canary, login([canary, 'now'])];
    expect(answerOn(objects, { other, holds: `request.path != "/cart" || ${alike}` })).toEqual([
      'broken',
      'GET http://example.com/cart x-canary: always',
    ]);
    expect(answerOn(objects, { other, holds: `request.header("x-canary") != null || ${alike}` })).toEqual(['holds']);
    expect(answerOn(objects, { other, requests: { where: 'request.method == "PUT"' }, holds: alike })).toEqual([
      'broken',
      'PUT http://example.com/ x-canary: always',
    ]);
  });

  it.each([
    [
      'request.hostname == "a"',
      'request does not have hostname; use request.host, or match.hostname for the hostname of a match',
    ],
    ['request.pathType == "Exact"', 'request does not have pathType; use match.pathType'],
    ['request.path.startsWith("/a")', 'request.path can only be tested; write request.path == "/cart"'],
    ['request.path == "cart"', 'a path begins with /'],
    ['request.method == "get"', 'methods are in upper case: GET'],
    ['request.host.under("example.com")', 'request.host.under takes a wildcard: *.example.com'],
    [
      'request.host == "*.example.com"',
      'a request does not have a wildcard as its host; write request.host.under("*.example.com")',
    ],
  ])('is refused if it reads %s', (holds, message) => {
    expect(() => verdictOn([], { holds })).toThrow(message);
  });
});
