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
  const onPort81 = { specs: { [main]: frontend(1, { tls }), [`${main} (2)`]: frontend(2, { tls }) } };

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
  it('are Gateways, also of what is attached through a ListenerSet', () => {
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
