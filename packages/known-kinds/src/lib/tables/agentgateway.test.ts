import { describe, expect, it } from 'vitest';
import { gateway, object, ref, route, worldOf } from './world.fixture.ts';

const policy = (path: string, spec: object, age = 0) =>
  object('agentgateway.dev/v1alpha1 AgentgatewayPolicy', path, spec, { age });
const main = 'HTTPRoute a/r#main';

describe('targets of agentgateway', () => {
  const frontend = (maxBufferSize: number, more: object = {}) => ({ frontend: { http: { maxBufferSize }, ...more } });
  const tls = { handshakeTimeout: '1s' };
  const base = [gateway('a/g', { x: 80, y: 81 }), route('a/r')];
  const whole = policy('a/whole', { targetRefs: [ref('Gateway', 'g')], ...frontend(1, { tls }) });
  const [onX, onY] = [frontend(1, { tls }), frontend(2, { tls })];
  const onPort81 = { specs: { 'Gateway a/g#x': onX, 'Gateway a/g#y': onY, [main]: onX, [`${main} (2)`]: onY } };

  it('are the listeners with a port', () => {
    const onPort = policy('a/port', { targetRefs: [ref('Gateway', 'g', { port: 81 })], ...frontend(2) }, 3);
    const { specs, outcomes, issues } = worldOf(...base, whole, onPort);
    expect({ specs }).toEqual(onPort81);
    expect(outcomes).toEqual({ 'a/port': 'enforced', 'a/whole': 'partly-enforced' });
    expect(issues).toEqual([]);
  });

  it('are the selected listeners with a port', () => {
    const labelled = { ...base[0], metadata: { name: 'g', namespace: 'a', labels: { app: 'x' } } } as (typeof base)[0];
    const selector = { group: 'gateway.networking.k8s.io', kind: 'Gateway', matchLabels: { app: 'x' }, port: 81 };
    const onPort = policy('a/port', { targetSelectors: [selector], ...frontend(2) }, 3);
    expect(worldOf(labelled as NonNullable<typeof labelled>, route('a/r'), whole, onPort).specs).toEqual(
      onPort81.specs,
    );
  });

  it('are the ports of a Service, by number', () => {
    const ports = [
      { name: 'web', port: 80 },
      { name: 'alt', port: 8080 },
    ];
    const service = { group: '', kind: 'Service', name: 's' };
    const backend = (connectTimeout: string) => ({ backend: { tcp: { connectTimeout } } });
    const { specs, outcomes } = worldOf(
      gateway('a/g'),
      route('a/r', [{ backendRefs: [{ name: 's', port: 8080 }] }, { backendRefs: [{ name: 's', port: 80 }] }]),
      object('v1 Service', 'a/s', { ports }),
      policy('a/p', { targetRefs: [{ ...service, sectionName: '8080' }], ...backend('1s') }),
      policy('a/q', { targetRefs: [service], ...backend('2s') }),
    );
    expect(specs).toEqual({ 'Service a/s#web': backend('2s'), 'Service a/s#alt': backend('1s') });
    expect(outcomes).toEqual({ 'a/p': 'enforced', 'a/q': 'partly-enforced' });
  });
});

// As in frontend_policies, listener_frontend_policies and gateway_policies of store/binds.rs.
describe('listeners of agentgateway, with or without routes', () => {
  const accessLog = { accessLog: { filter: 'x' } };
  const tracing = { tracing: { backendRef: { name: 'o', port: 4317 } } };
  const cors = { cors: { allowOrigins: ['x'] } };
  const onGateway = { targetRefs: [ref('Gateway', 'g')] };

  it('have the frontend of all policies, field by field', () => {
    const { specs, outcomes } = worldOf(
      gateway('a/g'),
      policy('a/p', { ...onGateway, frontend: accessLog }),
      policy('a/q', { ...onGateway, frontend: tracing }, 1),
    );
    expect(specs).toEqual({ 'Gateway a/g#http': { frontend: { ...accessLog, ...tracing } } });
    expect(outcomes).toEqual({ 'a/p': 'enforced', 'a/q': 'enforced' });
  });

  it('have the phase before routing, also on a ListenerSet', () => {
    const open = {
      ...gateway('a/g'),
      spec: { ...(gateway('a/g').spec as object), allowedListeners: { namespaces: { from: 'All' } } },
    };
    const set = object('gateway.networking.k8s.io/v1 ListenerSet', 'a/ls', {
      parentRef: { name: 'g' },
      listeners: [{ name: 'l', port: 81, protocol: 'HTTP' }],
    });
    const before = policy('a/p', { targetRefs: [ref('ListenerSet', 'ls')], traffic: { phase: 'PreRouting', ...cors } });
    const { specs } = worldOf(open, set, before, policy('a/q', { ...onGateway, frontend: accessLog }));
    expect(specs).toEqual({
      'Gateway a/g#http': { frontend: accessLog },
      'ListenerSet a/ls#l': { frontend: accessLog, preRouting: cors },
    });
  });

  it('have neither traffic nor backends, which need a route', () => {
    const { specs, outcomes } = worldOf(
      gateway('a/g'),
      policy('a/p', { ...onGateway, traffic: cors }),
      policy('a/q', { ...onGateway, backend: { tcp: { connectTimeout: '1s' } } }),
    );
    expect(specs).toEqual({});
    expect(outcomes).toEqual({ 'a/p': 'not-in-any-path', 'a/q': 'not-in-any-path' });
  });
});

// As in the rules of its definition.
describe('targets that agentgateway refuses', () => {
  const service = { group: '', kind: 'Service', name: 's' };
  const selected = { group: '', kind: 'Service', matchLabels: { app: 'x' } };
  const backend = { backend: { tcp: { connectTimeout: '1s' } } };
  const frontend = { frontend: { http: { maxBufferSize: 1 } } };

  it.each<[string, object, string]>([
    [
      'the name of a port',
      { targetRefs: [{ ...service, sectionName: 'web' }], ...backend },
      'targetRefs/0/sectionName',
    ],
    [
      'the name of a port in a selector',
      { targetSelectors: [{ ...selected, sectionName: 'web' }], ...backend },
      'targetSelectors/0/sectionName',
    ],
    [
      'a port beyond 65535',
      { targetRefs: [{ ...service, sectionName: '65536' }], ...backend },
      'targetRefs/0/sectionName',
    ],
    ['a port of the backend', { targetRefs: [{ ...service, port: 80 }], ...backend }, 'targetRefs/0/port'],
    [
      'a port beside settings of the backend',
      { targetRefs: [ref('Gateway', 'g'), ref('Gateway', 'h', { port: 80 })], ...frontend, ...backend },
      'targetRefs/1/port',
    ],
    ['routes, for frontend', { targetRefs: [ref('HTTPRoute', 'r')], ...frontend }, 'targetRefs/0/kind'],
    ['ListenerSets, for frontend', { targetRefs: [ref('ListenerSet', 'l')], ...frontend }, 'targetRefs/0/kind'],
    [
      'listeners, for settings of the whole Gateway',
      { targetRefs: [ref('Gateway', 'g', { sectionName: 'http' })], ...frontend },
      'targetRefs/0/sectionName',
    ],
    ['Services, for traffic', { targetRefs: [service], traffic: { timeouts: { request: '1s' } } }, 'targetRefs/0/kind'],
    [
      'selected Services, for traffic',
      { targetSelectors: [selected], traffic: { timeouts: { request: '1s' } } },
      'targetSelectors/0/kind',
    ],
    [
      'routes, before routing',
      { targetRefs: [ref('HTTPRoute', 'r')], traffic: { phase: 'PreRouting', cors: {} } },
      'targetRefs/0/kind',
    ],
    ['Services, for AI', { targetRefs: [service], backend: { ai: { defaults: [] } } }, 'targetRefs/0/kind'],
    ['Services, for MCP', { targetRefs: [service], backend: { mcp: { guardrails: {} } } }, 'targetRefs/0/kind'],
    [
      'parts of a backend, for MCP',
      {
        targetRefs: [{ group: 'agentgateway.dev', kind: 'AgentgatewayBackend', name: 'b', sectionName: 't' }],
        backend: { mcp: { guardrails: {} } },
      },
      'targetRefs/0/sectionName',
    ],
    ['of several kinds', { targetRefs: [ref('HTTPRoute', 'r'), service], ...backend }, 'targetRefs'],
    ['named and selected', { targetRefs: [service], targetSelectors: [selected], ...backend }, 'targetSelectors'],
    [
      'any, for settings after routing before it',
      { targetRefs: [ref('Gateway', 'g')], traffic: { phase: 'PreRouting', retry: { attempts: 1 } } },
      'traffic/phase',
    ],
    [
      'any, with two authentications',
      {
        targetRefs: [ref('Gateway', 'g')],
        traffic: { jwtAuthentication: {} },
        backend: { mcp: { authentication: {} } },
      },
      'backend/mcp/authentication',
    ],
  ])('are %s', (_, spec, pointer) => {
    const { outcomes, issues, specs } = worldOf(
      gateway('a/g'),
      route('a/r', [{ backendRefs: [{ name: 's', port: 80 }] }]),
      { ...object('v1 Service', 'a/s', { ports: [{ name: 'web', port: 80 }] }, { labels: { app: 'x' } }) },
      policy('a/p', spec),
    );
    expect(outcomes).toEqual({ 'a/p': 'invalid' });
    expect(issues).toContainEqual(expect.objectContaining({ severity: 'error', pointer: `/spec/${pointer}` }));
    expect(specs).toEqual({});
  });
});

describe('delegation of agentgateway', () => {
  const child = (name: string, labels: Record<string, string>) =>
    object('gateway.networking.k8s.io/v1 HTTPRoute', `b/${name}`, { rules: [{ name: 'main' }] }, { labels });
  const parent = (name: string) =>
    route('a/r', [
      { name: 'main', backendRefs: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name, namespace: 'b' }] },
    ]);
  const onGateway = policy('a/p', { targetRefs: [ref('Gateway', 'g')], traffic: { retry: { attempts: 1 } } });
  const reached = (name: string) =>
    Object.keys(
      worldOf(gateway('a/g'), parent(name), child('one', { app: 'x' }), child('two', { 'a.b/c': 'x=y' }), onGateway)
        .specs,
    ).filter((target) => target !== main);

  it.each([
    ['a name', 'one', ['HTTPRoute b/one#main']],
    ['all', '*', ['HTTPRoute b/one#main', 'HTTPRoute b/two#main']],
    ['a label in place of the name', 'app=x', ['HTTPRoute b/one#main']],
    ['a label whose value has the sign', 'a.b/c=x=y', ['HTTPRoute b/two#main']],
    ['a label of none', 'app=z', []],
  ])('is by %s', (_, name, expected) => {
    expect(reached(name)).toEqual(expected);
  });
});

describe('ancestors of agentgateway', () => {
  it('are Gateways, also for policies through a ListenerSet', () => {
    const above = gateway('a/g');
    const open = { ...above, spec: { ...(above.spec as object), allowedListeners: { namespaces: { from: 'All' } } } };
    const set = object('gateway.networking.k8s.io/v1 ListenerSet', 'a/ls', {
      parentRef: { name: 'g' },
      listeners: [{ name: 'l', port: 81, protocol: 'HTTP' }],
    });
    const below = object('gateway.networking.k8s.io/v1 HTTPRoute', 'a/r', {
      parentRefs: [{ ...ref('ListenerSet', 'ls') }],
      rules: [{ name: 'main' }],
    });
    const onRoute = policy('a/p', { targetRefs: [ref('HTTPRoute', 'r')], traffic: { retry: { attempts: 1 } } });
    const { outcomes, ancestors } = worldOf(open, set, below, onRoute);
    expect({ outcomes, ancestors }).toEqual({ outcomes: { 'a/p': 'enforced' }, ancestors: { 'a/p': ['Gateway a/g'] } });
  });
});

// As in store/binds.rs of the proxy.
describe('authorization of agentgateway', () => {
  const rule = (expression: string) => ({ action: 'Allow', policy: { matchExpressions: [expression] } });
  const base = [gateway('a/g'), route('a/r')];

  it.each([
    ['traffic', 'authorization', { traffic: { authorization: rule('a') } }, { traffic: { authorization: rule('b') } }],
    [
      'preRouting',
      'authorization',
      { traffic: { phase: 'PreRouting', authorization: rule('a') } },
      { traffic: { phase: 'PreRouting', authorization: rule('b') } },
    ],
    [
      'frontend',
      'networkAuthorization',
      { frontend: { networkAuthorization: 1 } },
      { frontend: { networkAuthorization: 2 } },
    ],
  ])('of %s counts of all policies, by their names', (part, field, one, other) => {
    const targetRefs = [ref('Gateway', 'g')];
    const { specs, outcomes } = worldOf(
      ...base,
      policy('a/p', { targetRefs, ...one }),
      policy('a/q', { targetRefs, ...other }),
    );
    expect(specs[main]).toHaveProperty([part, field, 'a/p']);
    expect(specs[main]).toHaveProperty([part, field, 'a/q']);
    expect(outcomes).toEqual({ 'a/p': 'enforced', 'a/q': 'enforced' });
  });

  it('counts of all levels, except for those that a less specific policy excludes', () => {
    const onRoute = policy('a/q', { targetRefs: [ref('HTTPRoute', 'r')], traffic: { authorization: rule('b') } });
    const onGateway = (strategy?: object) =>
      policy('a/p', { targetRefs: [ref('Gateway', 'g')], ...strategy, traffic: { authorization: rule('a') } });
    const authorization = (world: ReturnType<typeof worldOf>) => world.specs[main];
    expect(authorization(worldOf(...base, onGateway(), onRoute))).toEqual({
      traffic: { authorization: { 'a/p': rule('a'), 'a/q': rule('b') } },
    });
    const exclusive = worldOf(...base, onGateway({ strategy: { inheritance: 'Override' } }), onRoute);
    expect(authorization(exclusive)).toEqual({ traffic: { authorization: { 'a/p': rule('a') } } });
    expect(exclusive.outcomes).toEqual({ 'a/p': 'enforced', 'a/q': 'overridden' });
  });
});

describe('the phases of agentgateway', () => {
  it('are merged each by itself, and Override is for the phase after routing', () => {
    const cors = (origin: string) => ({ cors: { allowOrigins: [origin] } });
    const onGateway = { targetRefs: [ref('Gateway', 'g')] };
    const { specs, outcomes } = worldOf(
      gateway('a/g'),
      route('a/r'),
      policy('a/pre', {
        ...onGateway,
        strategy: { inheritance: 'Override' },
        traffic: { phase: 'PreRouting', ...cors('g') },
      }),
      policy('a/listener', {
        targetRefs: [ref('Gateway', 'g', { sectionName: 'http' })],
        traffic: { phase: 'PreRouting', ...cors('l') },
      }),
      policy('a/post', { ...onGateway, traffic: { phase: 'PostRouting', ...cors('post') } }),
    );
    expect(specs).toEqual({
      'Gateway a/g#http': { preRouting: cors('l') },
      [main]: { preRouting: cors('l'), traffic: cors('post') },
    });
    expect(outcomes).toEqual({ 'a/pre': 'overridden', 'a/listener': 'enforced', 'a/post': 'enforced' });
  });
});

describe('an AgentgatewayBackend', () => {
  const backend = { group: 'agentgateway.dev', kind: 'AgentgatewayBackend', name: 'b' };
  const base = [gateway('a/g'), route('a/r', [{ name: 'main', backendRefs: [backend] }])];
  const object_ = (spec: object) => object('agentgateway.dev/v1alpha1 AgentgatewayBackend', 'a/b', spec);
  const sni = (name: string) => ({ backend: { tls: { sni: name } } });

  it.each<[string, object, string]>([
    ['an MCP server', { mcp: { targets: [{ name: 't' }] } }, 't'],
    ['the only provider of models', { ai: { provider: { openai: {} } } }, 'backend'],
    ['one of the providers', { ai: { groups: [{ providers: [{ name: 'x' }, { name: 'y' }] }] } }, 'y'],
  ])('has a section for %s', (_, spec, sectionName) => {
    const { specs, issues } = worldOf(
      ...base,
      object_(spec),
      policy('a/p', { targetRefs: [{ ...backend, sectionName }], ...sni('p') }),
    );
    expect(issues).toEqual([]);
    expect(specs).toEqual({ [`AgentgatewayBackend a/b#${sectionName}`]: sni('p') });
  });

  it.each([{ static: { host: 'x', port: 1 } }, { mcp: { targets: [{ name: 'u' }] } }])(
    'lacks other sections: %j',
    (spec) => {
      const { issues } = worldOf(
        ...base,
        object_(spec),
        policy('a/p', { targetRefs: [{ ...backend, sectionName: 't' }], ...sni('p') }),
      );
      expect(issues).toMatchObject([{ code: 'missing-section', pointer: '/spec/targetRefs/0' }]);
    },
  );

  // As in internal_backend_policies of store/binds.rs, and in its callers.
  it('has the policies of routes before its own, except for those on its sections', () => {
    const tcp = (connectTimeout: string) => ({ tcp: { connectTimeout } });
    const on = (path: string, target: object, sniOf: string, more: object = {}) =>
      policy(path, { targetRefs: [target], backend: { ...sni(sniOf).backend, ...more } });
    const { specs, outcomes } = worldOf(
      ...base,
      object_({ mcp: { targets: [{ name: 't' }, { name: 'u' }] } }),
      on('a/gateway', ref('Gateway', 'g'), 'gateway', tcp('1s')),
      on('a/whole', backend, 'whole', { health: { x: 1 }, ...tcp('2s') }),
      on('a/route', ref('HTTPRoute', 'r'), 'route'),
      on('a/section', { ...backend, sectionName: 't' }, 'section'),
    );
    const merged = (name: string) => ({ backend: { ...sni(name).backend, health: { x: 1 }, ...tcp('2s') } });
    expect(specs).toMatchObject({
      'AgentgatewayBackend a/b': merged('route'),
      'AgentgatewayBackend a/b#t': merged('section'),
      'AgentgatewayBackend a/b#u': merged('route'),
    });
    expect(outcomes['a/route']).toBe('partly-enforced');
  });

  it('has the settings of backends alone, as Services have', () => {
    const settings = {
      traffic: { timeouts: { request: '1s' } },
      frontend: { http: { maxBufferSize: 1 } },
      ...sni('x'),
    };
    const s = { name: 's', port: 80 };
    const { specs } = worldOf(
      gateway('a/g'),
      route('a/r', [{ name: 'main', backendRefs: [backend, s] }]),
      object_({ static: { host: 'x', port: 1 } }),
      object('v1 Service', 'a/s', { ports: [{ name: 'web', port: 80 }] }),
      policy('a/p', { targetRefs: [ref('Gateway', 'g')], ...settings }),
    );
    expect(specs).toEqual({
      'Gateway a/g#http': { frontend: settings.frontend },
      [main]: { frontend: settings.frontend, traffic: settings.traffic },
      'AgentgatewayBackend a/b': sni('x'),
      'Service a/s#web': sni('x'),
    });
  });

  it.each<[string, readonly object[], object]>([
    [
      'if all backends set it',
      [backend],
      { outcomes: { 'a/p': 'overridden' }, specs: { 'AgentgatewayBackend a/b': sni('own') } },
    ],
    [
      'unless a backend is not in the input',
      [backend, { name: 's', port: 80 }],
      { outcomes: { 'a/p': 'partly-enforced' }, specs: { [main]: sni('x'), 'AgentgatewayBackend a/b': sni('own') } },
    ],
  ])('overrides the setting of a route, %s', (_, backendRefs, expected) => {
    const world = worldOf(
      gateway('a/g'),
      route('a/r', [{ name: 'main', backendRefs }]),
      object_({ static: { host: 'x', port: 1 }, policies: { tls: { sni: 'own' } } }),
      policy('a/p', { targetRefs: [ref('HTTPRoute', 'r')], ...sni('x') }),
    );
    expect(world).toMatchObject(expected);
  });

  it("prevails with its inline policies, a section's over the whole object's, and joins authorization", () => {
    const policies = (name: string, more: object = {}) => ({ tls: { sni: name }, ...more });
    const { specs } = worldOf(
      ...base,
      object_({
        mcp: { targets: [{ name: 't', static: { policies: policies('section') } }, { name: 'u' }] },
        policies: policies('whole', { mcp: { authorization: { action: 'Deny' } } }),
      }),
      policy('a/p', {
        targetRefs: [backend],
        backend: {
          ...sni('policy').backend,
          tcp: { connectTimeout: '1s' },
          mcp: { authorization: { action: 'Allow' } },
        },
      }),
      policy('a/q', { targetRefs: [{ ...backend, sectionName: 'u' }], ...sni('on u') }),
    );
    const tcp = { connectTimeout: '1s' };
    const mcp = { authorization: { 'a/p': { action: 'Allow' }, 'AgentgatewayBackend a/b': { action: 'Deny' } } };
    expect(specs).toEqual({
      'AgentgatewayBackend a/b': { backend: { tls: { sni: 'whole' }, tcp, mcp } },
      'AgentgatewayBackend a/b#t': { backend: { tls: { sni: 'section' }, tcp, mcp } },
      'AgentgatewayBackend a/b#u': { backend: { tls: { sni: 'on u' }, tcp, mcp } },
    });
  });
});

// As in translator/conversion.go and translator/builtin_helpers.go.
describe('the own fields of a rule, for agentgateway', () => {
  const timeouts = { request: '1s' };
  const cors = { allowOrigins: ['https://policy.example'] };
  const headerModifiers = { request: { remove: ['p'] }, response: { remove: ['p'] } };
  const others = { hostRewrite: { mode: 'Auto' }, directResponse: { status: 200, body: 'p' } };
  const traffic = { timeouts, retry: { attempts: 1, backoff: '1s' }, cors, headerModifiers, ...others };
  const filter = (type: string, field: string, value: object) => ({ type, [field]: value });

  it.each<[string, object, object]>([
    ['timeouts', { timeouts: { request: '44s' } }, { timeouts: { request: '44s' } }],
    ['timeouts, which are one setting', { timeouts: { backendRequest: '4s' } }, { timeouts: { backendRequest: '4s' } }],
    ['timeouts, unless they are zero', { timeouts: { request: '0s' } }, {}],
    ['retries', { retry: { attempts: 9 } }, { retry: { attempts: 9 } }],
    ['retries, unless there are none', { retry: { attempts: 0 } }, {}],
    ['CORS', { filters: [filter('CORS', 'cors', { allowOrigins: ['x'] })] }, { cors: { allowOrigins: ['x'] } }],
    [
      'another host',
      { filters: [filter('URLRewrite', 'urlRewrite', { hostname: 'x' })] },
      { hostRewrite: { mode: 'None' } },
    ],
    [
      'another host, and not another path',
      { filters: [filter('URLRewrite', 'urlRewrite', { path: { type: 'ReplaceFullPath', replaceFullPath: '/' } })] },
      {},
    ],
    [
      'a redirect, which precedes direct responses',
      { filters: [filter('RequestRedirect', 'requestRedirect', { statusCode: 301 })] },
      { directResponse: { status: 301 } },
    ],
    [
      'changes of headers of one direction',
      {
        filters: [
          filter('RequestHeaderModifier', 'requestHeaderModifier', { remove: ['a'] }),
          filter('RequestHeaderModifier', 'requestHeaderModifier', { remove: ['b'] }),
        ],
      },
      { headerModifiers: { ...headerModifiers, request: { remove: ['a', 'b'] } } },
    ],
  ])('prevail over policies: %s', (_, rule, own) => {
    const onRoute = policy('a/p', { targetRefs: [ref('HTTPRoute', 'r')], traffic });
    const { specs } = worldOf(gateway('a/g'), route('a/r', [{ name: 'main', ...rule }]), onRoute);
    expect(specs).toEqual({ [main]: { traffic: { ...traffic, ...own } } });
  });

  it('yield to a policy that excludes more specific settings', () => {
    const authoritative = policy('a/p', {
      targetRefs: [ref('Gateway', 'g')],
      strategy: { inheritance: 'Override' },
      traffic: { timeouts },
    });
    const rule = { name: 'main', timeouts: { request: '44s' }, retry: { attempts: 9 } };
    const { specs } = worldOf(gateway('a/g'), route('a/r', [rule]), authoritative);
    expect(specs).toEqual({ [main]: { traffic: { timeouts, retry: { attempts: 9 } } } });
  });
});
