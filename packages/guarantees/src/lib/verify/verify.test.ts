import { effectivePolicies } from '@policy-machinery/effective-policy';
import { type DataPlane, Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology, formatTarget } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  formatCounterexample,
  formatHidden,
  formatRequest,
  type Guarantee,
  replay,
  typeOfSchema,
  verifiedKind,
  verify,
} from '../../index.ts';

const definition = {
  group: 'example.com',
  version: 'v1',
  kind: 'AuthPolicy',
  targets: [Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule],
  effectiveTargets: [HTTPRoute.sections.rule],
  spec: z.object({ issuer: z.string() }).partial(),
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
} as const;
const AuthPolicy = definePolicyKind(definition);
const specType = typeOfSchema({ type: 'object', properties: { issuer: { type: 'string' } } });
const { gateway, httpRoute, policy } = createFixtures({ namespace: 'shop' });
const path = (value: string, type = 'PathPrefix') => ({ path: { type, value } });
const authenticated: Guarantee = { name: 'authenticated', holds: 'has(policies.AuthPolicy)' };

function verdictOn(
  objects: readonly KubernetesObject[],
  guarantee = authenticated,
  dataPlane: DataPlane = {},
  kind = AuthPolicy,
) {
  const topology = createTopology({ targetKinds: gatewayApi({ dataPlane }), policyKinds: [kind] });
  topology.apply({ upsert: objects });
  const kinds = [verifiedKind(effectivePolicies(topology, kind), specType)];
  const [verdict] = verify({ topology, kinds }, [guarantee]);
  if (verdict === undefined) throw new Error('no verdict');
  for (const example of verdict.counterexamples) {
    const { isTaken, route } = example.contender;
    expect(replay(topology, example)?.winner?.route).toBe(isTaken ? route : undefined);
  }
  const requests = verdict.counterexamples.map(
    (example) => `${formatRequest(example)} of ${formatTarget(example.cause)}`,
  );
  return { ...verdict, requests };
}

describe('verify', () => {
  const edge = gateway('public', { listeners: ['http', { name: 'https', protocol: 'HTTPS' }] });

  it('finds a listener without a policy', () => {
    const cart = httpRoute('cart', { parents: [edge] });
    const login = policy(AuthPolicy, 'login', { on: [edge, 'https'], spec: { defaults: { issuer: 'a' } } });
    expect(verdictOn([edge, cart, login])).toMatchObject({
      answer: 'broken',
      classes: 2,
      requests: ['GET http://example.com/ of Gateway shop/public#http'],
    });
  });

  it('reports only the policies of the guarantee', () => {
    const cart = httpRoute('cart', { parents: [edge] });
    const login = policy(AuthPolicy, 'login', { on: edge, spec: { defaults: { issuer: 'a' } } });
    const verdict = verdictOn([edge, cart, login], { name: 'tls', holds: 'listener.protocol == "HTTPS"' });
    const [example] = verdict.counterexamples;
    expect(example && formatCounterexample(verdict, example)).toBe(
      'GET http://example.com/ is taken by HTTPRoute shop/cart#rule-1 and meets no policy that the guarantee is about',
    );
  });

  it('finds a policy with a vanished target, and one with a typo in its second target', () => {
    const [cart, pay] = ['cart', 'pay'].map((name) =>
      httpRoute(name, { parents: [edge], hostnames: [`${name}.test`] }),
    );
    const login = policy(AuthPolicy, 'login', { on: cart as KubernetesObject, spec: { defaults: { issuer: 'a' } } });
    const targetRefs = (login.spec as { targetRefs: readonly object[] }).targetRefs;
    const typo = {
      ...login,
      spec: { ...(login.spec as object), targetRefs: [...targetRefs, { ...targetRefs[0], name: 'pya' }] },
    };
    const objects = [edge, cart, pay, typo] as KubernetesObject[];
    expect(verdictOn(objects)).toMatchObject({ requests: ['GET http://pay.test/ of HTTPRoute shop/pay'] });
    expect(verdictOn(objects.filter((object) => object !== cart)).requests).toEqual([
      'GET http://pay.test/ of Gateway shop/public',
    ]);
  });

  it('names the narrowest place of all requests that meet the same wrong policies', () => {
    const web = gateway('web');
    const rules = (name: string) => ({
      ...httpRoute(name, { parents: [web], hostnames: [`${name}.test`] }),
      spec: {
        parentRefs: [{ name: 'web' }],
        hostnames: [`${name}.test`],
        rules: ['/a', '/bb'].map((value) => ({ name: `at${value.slice(1)}`, matches: [path(value)] })),
      },
    });
    const [cart, pay] = [rules('cart'), rules('pay')];
    const issuers = { name: 'issuers', holds: 'policies.AuthPolicy.spec.issuer == "house"' };
    const set = (issuer: string, on: NonNullable<NonNullable<Parameters<typeof policy>[2]>['on']>) =>
      policy(AuthPolicy, issuer, { on, spec: { defaults: { issuer } } });
    const house = set('house', web);
    expect(verdictOn([web, cart, pay, house, set('own', cart)], issuers).requests).toEqual([
      'GET http://cart.test/a of HTTPRoute shop/cart',
    ]);
    expect(verdictOn([web, cart, pay, house, set('own', [cart, 'atbb'])], issuers).requests).toEqual([
      'GET http://cart.test/bb of HTTPRoute shop/cart#atbb',
    ]);
    expect(verdictOn([web, cart, pay, set('foreign', web)], issuers)).toMatchObject({
      requests: ['GET http://pay.test/a of Gateway shop/web#http'],
      counterexamples: [{ classes: 4, isWhole: true }],
    });
  });

  describe('a route of a listener with an only host that another listener takes', () => {
    const split = gateway('split', { listeners: ['all', { name: 'cart', hostname: 'cart.test' }] });
    const login = policy(AuthPolicy, 'login', { on: [split, 'cart'], spec: { defaults: { issuer: 'a' } } });
    const at = (name: string, listener: string, value: string): KubernetesObject => ({
      ...httpRoute(name),
      spec: {
        parentRefs: [{ name: 'split', sectionName: listener }],
        hostnames: ['cart.test'],
        rules: [{ matches: [path(value, 'Exact')] }],
      } as never,
    });

    it.each<[isolation: NonNullable<DataPlane['listenerIsolation']>, path: string, expected: object]>([
      ['supported', '/open', { answer: 'holds', hiddenBy: [] }],
      ['unsupported', '/open', { answer: 'undecided', hiddenBy: [{ dependsOn: 'listener isolation' }] }],
      ['both', '/open', { answer: 'undecided', hiddenBy: [{ dependsOn: 'listener isolation' }] }],
      ['both', '/cart', { answer: 'holds', hiddenBy: [] }],
    ])(
      'takes no requests where isolation is %s, or else may take those that no other route takes: %s',
      (listenerIsolation, value, expected) => {
        const objects = [split, login, at('a-cart', 'cart', '/cart'), at('other', 'all', value)];
        expect(verdictOn(objects, authenticated, { listenerIsolation })).toMatchObject(expected);
      },
    );

    it.each<[answer: string, which: string, more: readonly KubernetesObject[]]>([
      ['broken', 'both routes', []],
      ['undecided', 'the route of one listener', [login]],
    ])('is %s if isolation decides the listener, and the requests are open at %s', (answer, _, more) => {
      const objects = [split, at('a-first', 'all', '/open'), at('later', 'cart', '/open'), ...more];
      expect(verdictOn(objects, authenticated, { listenerIsolation: 'both' }).answer).toBe(answer);
    });
  });

  it.each<[misdirected: NonNullable<DataPlane['misdirectedRequests']>, path: string, doubt: readonly string[]]>([
    ['refused', '/a', []],
    ['served', '/a', ['misdirected request', 'the data plane serves such requests']],
    ['both', '/a', ['server name', 'the data plane may serve such requests']],
    ['both', '/other', ['server name', 'the data plane may serve such requests']],
  ])(
    'if requests for another host than the server name are %s, a wildcard listener takes %s of a host: %j',
    (misdirectedRequests, value, [dependsOn, said]) => {
      const tls = { protocol: 'HTTPS', port: 443, tls: { certificateRefs: [{ name: 'c' }] } };
      const listeners = [
        { name: 'all', ...tls },
        { name: 'cart', hostname: 'cart.test', ...tls },
      ];
      const split = gateway('split', { listeners });
      const login = policy(AuthPolicy, 'login', { on: [split, 'cart'], spec: { defaults: { issuer: 'a' } } });
      const at = (name: string, sectionName: string, path: string) => ({
        ...httpRoute(name),
        spec: {
          parentRefs: [{ name: 'split', sectionName }],
          rules: [{ matches: [{ path: { value: path } }] }],
        } as never,
      });
      const guarantee = { name: 'g', holds: 'request.host != "cart.test" || has(policies.AuthPolicy)' };
      const dataPlane = {
        listenerIsolation: 'supported',
        claimsWithoutCertificate: 'kept',
        misdirectedRequests,
      } as const;
      const routes = [at('cart', 'cart', '/'), at('all', 'all', value)];
      expect(verdictOn([split, ...routes], guarantee, dataPlane).answer).toBe('broken'); // For the host that is the server name.
      const verdict = verdictOn([split, login, ...routes], guarantee, dataPlane);
      expect(verdict.answer).toBe(dependsOn === undefined ? 'holds' : 'undecided');
      expect(verdict.hiddenBy.map((it) => it.dependsOn)).toEqual(dependsOn === undefined ? [] : [dependsOn]);
      expect(formatHidden(verdict)).toEqual(said === undefined ? [] : [expect.stringContaining(said)]);
    },
  );

  it.each<[listener: string, tls: object, dataPlane: DataPlane, dependsOn: string | undefined]>([
    ['does not have tls', {}, {}, 'missing tls'],
    ['does not have tls', {}, { listenersWithoutTls: 'accepted' }, undefined],
    ['may lack its certificate', { tls: { certificateRefs: [{ name: 'c' }] } }, {}, 'missing certificate'],
    [
      'may lack its certificate',
      { tls: { certificateRefs: [{ name: 'c' }] } },
      { claimsWithoutCertificate: 'kept' },
      undefined,
    ],
  ])('is undecided if a listener that %s may leave requests to another one: %j %j', (_, tls, known, dependsOn) => {
    const isTwin = 'tls' in tls;
    const secure = (name: string, more: object) => ({
      name,
      port: 443,
      protocol: 'HTTPS',
      hostname: 'cart.test',
      ...more,
    });
    const spec = { gatewayClassName: 'c', allowedListeners: { namespaces: { from: 'All' } } };
    const wide = secure('wide', { hostname: '*.test', tls: {} });
    const edge = {
      ...gateway('edge'),
      spec: { ...spec, listeners: [secure('cart', tls), ...(isTwin ? [] : [wide])] },
    } as unknown as KubernetesObject;
    const set = {
      ...edge,
      kind: 'ListenerSet',
      metadata: { ...edge.metadata, name: 'set' },
      spec: { parentRef: { name: 'edge' }, listeners: [secure('cart', tls)] },
    } as unknown as KubernetesObject;
    const at = (name: string, parent: object): KubernetesObject => ({
      ...httpRoute(name),
      spec: { parentRefs: [parent], hostnames: ['cart.test'], rules: [{ name: 'main' }] } as never,
    });
    const first = at('first', { name: 'edge', sectionName: 'cart' });
    const next = at('next', isTwin ? { kind: 'ListenerSet', name: 'set' } : { name: 'edge', sectionName: 'wide' });
    const login = policy(AuthPolicy, 'login', { on: first, spec: { defaults: { issuer: 'a' } } });
    const objects = [edge, ...(isTwin ? [set] : []), first, next, login];
    const verdict = verdictOn(objects, authenticated, {
      listenerIsolation: 'supported',
      misdirectedRequests: 'refused',
      ...known,
    });
    expect(verdict.answer).toBe(dependsOn === undefined ? 'holds' : 'undecided');
    expect(verdict.hiddenBy.map((it) => `${it.route.ref.name} ${it.dependsOn}`)).toEqual(
      dependsOn === undefined ? [] : expect.arrayContaining([`next ${dependsOn}`]),
    );
  });

  it('finds an override that does not prevail', () => {
    const cart = httpRoute('cart', { parents: [edge] });
    const house = policy(AuthPolicy, 'house', { on: edge, spec: { overrides: { issuer: 'house' } } });
    const guarantee = {
      name: 'house',
      holds: 'policies.AuthPolicy.origins.exists(o, o.name == "house" && o.stanza == "overrides")',
    };
    expect(verdictOn([edge, cart, house], guarantee)).toMatchObject({ answer: 'holds', classes: 2 });
    const own = policy(AuthPolicy, 'own', { on: [edge, 'http'], spec: { overrides: { issuer: 'own' } } });
    const lost = { name: 'lost', holds: '!has(policies.AuthPolicy) || policies.AuthPolicy.lost.size() == 0' };
    expect(verdictOn([edge, cart, house, own], lost)).toMatchObject({ answer: 'broken' });
  });

  it('leaves guarantees undecided that depend on a value of the route that may prevail', () => {
    const kind = definePolicyKind({
      ...definition,
      ownValue: () => undefined,
      undecidedOwnValue: () => ({ issuer: 'own' }),
    });
    const cart = httpRoute('cart', { parents: [edge] });
    const login = policy(kind, 'login', { on: cart, spec: { defaults: { issuer: 'a' } } });
    const verdictFor = (holds: string) => verdictOn([edge, cart, login], { name: 'issuer', holds }, {}, kind);
    expect(verdictFor('has(policies.AuthPolicy)').answer).toBe('holds');
    const verdict = verdictFor('policies.AuthPolicy.spec.issuer == "a"');
    expect(verdict.answer).toBe('undecided');
    expect(formatHidden(verdict)).toEqual([
      'the policies of requests of HTTPRoute shop/cart are not known: values that the route sets itself may prevail over policies: AuthPolicy shop/login',
    ]);
  });

  describe('two policies of one target without creation times', () => {
    const cart = httpRoute('cart', { parents: [edge] });
    const ageless = (name: string) => {
      const { metadata, ...it } = policy(AuthPolicy, name, { on: cart, spec: { defaults: { issuer: name } } });
      const { creationTimestamp: _, ...rest } = metadata;
      return { ...it, metadata: rest } as KubernetesObject;
    };
    const aged = (object: KubernetesObject, year: number): KubernetesObject => ({
      ...object,
      metadata: { ...object.metadata, creationTimestamp: `${year}-01-01T00:00:00Z` },
    });
    const [one, two] = [ageless('one'), ageless('two')];
    const issuer = (text: string): Guarantee => ({ name: 'issuer', holds: `policies.AuthPolicy.spec.issuer ${text}` });
    const answerOf = (guarantee: Guarantee, ...policies: readonly KubernetesObject[]) =>
      verdictOn([edge, cart, ...policies], guarantee).answer;

    it('leave guarantees undecided that hold for one of them, and name both', () => {
      const verdict = verdictOn([edge, cart, one, two], issuer('== "one"'));
      expect(verdict.answer).toBe('undecided');
      expect(formatHidden(verdict)).toEqual([
        'the policies of requests of HTTPRoute shop/cart are not known: the ages of AuthPolicy shop/one, AuthPolicy shop/two decide',
      ]);
    });

    it('decide guarantees with the same answer whichever is older', () => {
      expect(answerOf(authenticated, one, two)).toBe('holds');
      expect(answerOf(issuer('in ["one", "two"]'), one, two)).toBe('holds');
      expect(answerOf(issuer('== "three"'), one, two)).toBe('broken');
    });

    it('leave undecided which requests a guarantee is about', () => {
      const where = 'policies.AuthPolicy.spec.issuer == "one"';
      expect(answerOf({ name: 'a', holds: 'false', requests: { where } }, one, two)).toBe('undecided');
      expect(answerOf({ name: 'a', holds: 'false', except: [{ where }] }, one, two)).toBe('undecided');
      expect(answerOf({ name: 'a', holds: 'true', except: [{ where }] }, one, two)).toBe('holds');
    });

    it('are decided by their ages', () => {
      expect(answerOf(issuer('== "one"'), aged(one, 2020), aged(two, 2021))).toBe('holds');
      expect(answerOf(issuer('== "one"'), aged(one, 2021), aged(two, 2020))).toBe('broken');
      expect(answerOf(issuer('== "one"'), one, aged(two, 2020))).toBe('undecided');
    });

    it('leave two requests to the same route equal', () => {
      const guarantee = {
        name: 'same',
        holds: '!other.taken || policies.AuthPolicy.spec == other.policies.AuthPolicy.spec',
        other: { withoutHeaders: ['x'] },
      };
      expect(answerOf(guarantee, one, two)).toBe('holds');
    });
  });

  it('does not consider a rule that is shadowed', () => {
    const first = httpRoute('first', { parents: [edge], rules: [{ matches: [path('/a')] }] });
    const second = httpRoute('second', { parents: [edge], rules: [{ matches: [path('/a'), path('/a/')] }] });
    const login = policy(AuthPolicy, 'login', { on: first, spec: { defaults: { issuer: 'a' } } });
    expect(verdictOn([edge, first, second, login])).toMatchObject({ answer: 'holds', classes: 2 });
  });

  const safe = httpRoute('safe', { parents: [edge] });
  const open = httpRoute('open', { parents: [edge], rules: [{ matches: [path('/a.*', 'RegularExpression')] }] });

  it.each([
    [
      'has(policies.AuthPolicy) || (route.name == "open" && request.method != "DELETE")',
      'DELETE http://any/any/any/any',
    ],
    ['has(policies.AuthPolicy) || (route.name == "open" && request.path != "/b")', 'GET http://any/b'],
    ['has(policies.AuthPolicy) || (request.method != (route.name == "open" ? "DELETE" : "PATCH"))', undefined],
  ])('finds a request that breaks %s whichever of two rules takes it: %s', (holds, request) => {
    const { answer, counterexamples } = verdictOn([edge, safe, open], { name: 'g', holds });
    expect(answer).toBe(request === undefined ? 'undecided' : 'broken');
    expect(counterexamples.map(formatRequest)).toEqual(request === undefined ? [] : [request]);
  });

  it('names the regular expression that hides the answer', () => {
    const login = policy(AuthPolicy, 'login', { on: safe, spec: { defaults: { issuer: 'a' } } });
    const { answer, hiddenBy } = verdictOn([edge, safe, open, login]);
    expect(answer).toBe('undecided');
    expect(hiddenBy.map(({ pointer, expression }) => [pointer, expression])).toContainEqual([
      '/spec/rules/0/matches/0/path',
      '/a.*',
    ]);
  });

  it('finds policies without effect', () => {
    const cart = httpRoute('cart', { parents: [edge] });
    const [login, lost] = [edge, httpRoute('gone')].map((on, index) =>
      policy(AuthPolicy, `p${index}`, { on, spec: { defaults: { issuer: 'a' } } }),
    ) as [KubernetesObject, KubernetesObject];
    const guarantee: Guarantee = { name: 'effect', about: 'policies', holds: 'policy.requests > 0' };
    expect(verdictOn([edge, cart, login, lost], guarantee)).toMatchObject({
      answer: 'broken',
      policies: [{ policy: 'authpolicy.example.com:shop/p1' }],
    });
  });

  it.each([
    ['has(policies.AuthPolcy)', 'policies does not have the field AuthPolcy'],
    ['policies.AuthPolicy.spec.isuer == "a"', 'policies.AuthPolicy.spec does not have the field isuer'],
    ['policies.AuthPolicy.spec.issuer == 1', 'policies.AuthPolicy.spec.issuer is a string, and the value a int'],
    ['route.nam == "a"', 'route does not have the field nam'],
  ])('refuses %s when it is compiled', (holds, message) => {
    expect(() => verdictOn([], { name: 'faulty', holds })).toThrow(message);
  });
});

describe('a guarantee about requests that no rule takes', () => {
  const edge = gateway('public', { listeners: [{ name: 'http', hostname: '*.example.com' }] });
  const login = policy(AuthPolicy, 'login', { on: edge, spec: { defaults: { issuer: 'a' } } });
  const healthz: Guarantee = {
    name: 'healthz',
    requests: { hostnames: ['shop.example.com'], paths: [{ type: 'Exact', value: '/healthz' }] },
    holds: 'taken && !has(policies.AuthPolicy)',
  };
  const routeTo = (...matches: readonly JsonObject[]) =>
    httpRoute('shop', { parents: [edge], hostnames: ['shop.example.com'], rules: [{ matches }] });

  it.each([
    ['without any route', [], 'broken', ['GET http://shop.example.com/healthz of Gateway shop/public']],
    [
      'with a route for one method',
      [routeTo({ ...path('/healthz'), method: 'GET' })],
      'broken',
      ['POST http://shop.example.com/healthz of Gateway shop/public'],
    ],
    ['with a route', [routeTo(path('/'))], 'holds', []],
  ] as const)('%s', (_title, routes, answer, requests) => {
    const verdict = verdictOn([edge, ...routes], healthz);
    expect(verdict).toMatchObject({ answer, requests });
  });

  it('says that no rule takes the request', () => {
    const verdict = verdictOn([edge, login], healthz);
    const [example] = verdict.counterexamples;
    expect(example && formatCounterexample(verdict, example)).toBe(
      'GET http://shop.example.com/healthz is taken by no rule at Gateway shop/public',
    );
  });

  it('is also about hosts that no listener takes', () => {
    const elsewhere = { ...healthz, requests: { hostnames: ['shop.example.org'] } };
    expect(verdictOn([edge, routeTo(path('/'))], elsewhere)).toMatchObject({
      answer: 'broken',
      requests: ['GET http://shop.example.org/ of Gateway shop/public'],
    });
  });
});

describe('a guarantee about rules that shadow others', () => {
  const edge = gateway('public', { namespace: 'infra' });
  const noShadowing: Guarantee = {
    name: 'no-shadowing',
    other: { shadowed: true },
    holds: 'route.namespace == other.route.namespace',
  };
  const routeOf = (namespace: string, ...matches: readonly JsonObject[]) =>
    httpRoute('own', { namespace, parents: [edge], hostnames: ['example.com'], rules: [{ matches }] });

  it('finds a request that rules of two namespaces match', () => {
    const verdict = verdictOn([edge, routeOf('a', path('/')), routeOf('b', path('/shop'))], noShadowing);
    const [example] = verdict.counterexamples;
    expect(verdict.answer).toBe('broken');
    expect(example && formatCounterexample(verdict, example)).toContain(
      'GET http://example.com/shop is taken by HTTPRoute b/own#rule-1 and meets no policy that the guarantee is about, while it would otherwise be taken by HTTPRoute a/own#rule-1',
    );
  });

  it.each([
    ['rules of one namespace', [routeOf('a', path('/'), path('/shop'))]],
    ['paths apart', [routeOf('a', path('/a')), routeOf('b', path('/b'))]],
    [
      'methods apart',
      [routeOf('a', { ...path('/'), method: 'GET' }), routeOf('b', { ...path('/shop'), method: 'POST' })],
    ],
  ])('holds for %s', (_what, routes) => {
    expect(verdictOn([edge, ...routes], noShadowing).answer).toBe('holds');
  });
});
