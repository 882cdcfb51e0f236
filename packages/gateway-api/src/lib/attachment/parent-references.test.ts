import { formatIssue, type KubernetesObject } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { cluster, clusterWith, gateway, linksOf, namespace, pathsTo, route } from '../gateway-api.fixture.ts';

const parentRefs = [{ name: 'edge', namespace: 'infra' }];
const everyone = { namespaces: { from: 'All' } };

/** Returns a Gateway in infra, whose listeners admit routes of all namespaces by default. */
const edge = (...listeners: readonly object[]) =>
  gateway('edge', { listeners: listeners.map((listener) => ({ allowedRoutes: everyone, ...listener })) }, 'infra');
const shop = (kind: string, spec: object = {}) => route(kind, 'r', { parentRefs, ...spec }, 'shop');

/** The names of the listeners that the route hangs below. */
const listenersOf = (topology: Topology): readonly string[] =>
  linksOf(topology).flatMap((link) => /#(\S+) > \w+Route/.exec(link)?.[1] ?? []);
const reasonsOf = (topology: Topology) => topology.refused.map(({ reason }) => reason);

describe('the hostnames of a listener and of a route (H-09)', () => {
  it.each<[string | undefined, readonly string[] | undefined, boolean]>([
    [undefined, undefined, true],
    [undefined, ['a.example.com'], true],
    ['a.example.com', undefined, true],
    ['a.example.com', [], true],
    ['a.example.com', ['a.example.com'], true],
    ['a.example.com', ['b.example.com'], false],
    ['a.example.com', ['b.example.com', 'a.example.com'], true],
    ['a.example.com', ['*.example.com'], true],
    ['*.example.com', ['a.example.com'], true],
    ['*.example.com', ['a.b.example.com'], true],
    ['*.example.com', ['example.com'], false],
    ['*.example.com', ['*.example.com'], true],
    ['*.example.com', ['*.b.example.com'], true],
    ['*.b.example.com', ['*.example.com'], true],
    ['*.b.example.com', ['*.c.example.com'], false],
    ['*.example.com', ['a.example.org'], false],
    ['A.Example.com', ['a.eXample.COM'], true],
  ])('%s and %j', (hostname, hostnames, isLinked) => {
    const protocols = { HTTPRoute: 'HTTP', GRPCRoute: 'HTTPS', TLSRoute: 'TLS' };
    for (const [kind, protocol] of Object.entries(protocols)) {
      const topology = cluster(edge({ name: 'l', protocol, hostname }), shop(kind, { hostnames }));
      expect(listenersOf(topology)).toEqual(isLinked ? ['l'] : []);
      expect(reasonsOf(topology)).toEqual(isLinked ? [] : ['NoMatchingListenerHostname']);
    }
  });

  it('do not matter to routes without hostnames', () => {
    const listeners = [{ name: 'l', protocol: 'TCP', hostname: 'a.example.com' }];
    expect(listenersOf(cluster(edge(...listeners), shop('TCPRoute', { hostnames: ['b.example.com'] })))).toEqual(['l']);
  });

  it('choose among the listeners of a Gateway', () => {
    const topology = cluster(
      edge(
        { name: 'a', protocol: 'HTTP', hostname: 'a.example.com' },
        { name: 'wild', protocol: 'HTTP', hostname: '*.example.com' },
        { name: 'other', protocol: 'HTTP', hostname: '*.example.org' },
        { name: 'all', protocol: 'HTTP' },
      ),
      shop('HTTPRoute', { hostnames: ['a.example.com'] }),
    );
    expect(listenersOf(topology)).toEqual(['a', 'wild', 'all']);
    expect(topology.issues).toEqual([]);
  });
});

describe('the section of a parent reference', () => {
  const listeners = [
    { name: 'a', protocol: 'HTTP' },
    { name: 'b', protocol: 'HTTP', port: 81 },
  ];

  it.each<[string, object, readonly string[]]>([
    ['a name', { sectionName: 'b' }, ['b']],
    ['a port', { port: 81 }, ['b']],
    ['a name and the port of another listener', { sectionName: 'a', port: 81 }, []],
    ['no name and no port', { sectionName: null, port: null }, ['a', 'b']],
    ['what is no name', { sectionName: 7 }, []],
    ['what is no name, and a port', { sectionName: ['b'], port: 81 }, []],
  ])('with %s is each listener that it fits', (_, section, expected) => {
    const ofSection = parentRefs.map((ref) => ({ ...ref, ...section }));
    expect(listenersOf(cluster(edge(...listeners), shop('HTTPRoute', { parentRefs: ofSection })))).toEqual(expected);
  });
});

describe('the protocol of a listener and the kind of a route (H-09)', () => {
  it.each([
    ['HTTP', ['HTTPRoute', 'GRPCRoute']],
    ['HTTPS', ['HTTPRoute', 'GRPCRoute']],
    ['TLS', ['TLSRoute', 'TCPRoute']],
    ['TCP', ['TCPRoute']],
    ['UDP', ['UDPRoute']],
    ['example.com/quic', ['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute', 'UDPRoute']],
    ['QUIC', []],
    [undefined, []],
  ])('%s takes %j', (protocol, kinds) => {
    const all = ['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute', 'UDPRoute'];
    const taken = all.filter((kind) => listenersOf(cluster(edge({ name: 'l', protocol }), shop(kind))).length > 0);
    expect(taken).toEqual(kinds);
  });
});

describe('allowedRoutes of a listener (H-09)', () => {
  const selector = { matchLabels: { open: 'yes' } };

  it.each<[string, object | undefined, boolean, boolean]>([
    ['nothing, which means Same', undefined, true, false],
    ['Same', { namespaces: { from: 'Same' } }, true, false],
    ['All', everyone, true, true],
    ['None', { namespaces: { from: 'None' } }, false, false],
    ['Selector', { namespaces: { from: 'Selector', selector } }, false, true],
    ['Selector without one', { namespaces: { from: 'Selector' } }, false, false],
    ['the kind', { ...everyone, kinds: [{ kind: 'HTTPRoute' }] }, true, true],
    ['another kind', { ...everyone, kinds: [{ kind: 'GRPCRoute' }] }, false, false],
  ])('%s', (_, allowedRoutes, fromInfra, fromShop) => {
    const linked = (inNamespace: string) => {
      const topology = cluster(
        edge({ name: 'l', protocol: 'HTTP', allowedRoutes }),
        route('HTTPRoute', 'r', { parentRefs }, inNamespace),
        namespace('infra'),
        namespace('shop', { open: 'yes' }),
      );
      return listenersOf(topology).length > 0;
    };
    expect([linked('infra'), linked('shop')]).toEqual([fromInfra, fromShop]);
  });

  it('follow the labels of the namespace', () => {
    const listener = { name: 'l', protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'Selector', selector } } };
    const topology = cluster(edge(listener), shop('HTTPRoute'), namespace('shop'));
    expect(listenersOf(topology)).toEqual([]);
    topology.apply({ upsert: [namespace('shop', { open: 'yes' })] });
    expect(listenersOf(topology)).toEqual(['l']);
    topology.apply({ upsert: [namespace('shop', { open: 'no' })] });
    expect(listenersOf(topology)).toEqual([]);
  });

  it('name the reason why a route has no parent', () => {
    const { issues } = cluster(edge({ name: 'l', protocol: 'HTTP', allowedRoutes: undefined }), shop('HTTPRoute'));
    expect(issues.map(formatIssue)).toMatchInlineSnapshot(`
      [
        "warning: reference to Gateway infra/edge#l (the listener takes routes from namespace "infra" only, not from "shop") was refused; allow it there, or correct the reference (httproute.gateway.networking.k8s.io:shop/r /spec/parentRefs/0) [refused-reference]",
      ]
    `);
  });
});

describe("gatewayApi({ attachment: 'status' })", () => {
  const listeners = edge(
    { name: 'a', port: 80, protocol: 'HTTP' },
    { name: 'b', port: 81, protocol: 'HTTP' },
    { name: 'tcp', port: 82, protocol: 'TCP' },
  );
  const status = (parentRef: object, accepted: string, controllerName = 'example.com/ours') => ({
    parents: [{ parentRef, controllerName, conditions: [{ type: 'Accepted', status: accepted, reason: 'NotToday' }] }],
  });
  const linked = (spec: object, given: unknown, controllerName?: string) => {
    const options = { attachment: 'status', ...(controllerName === undefined ? {} : { controllerName }) } as const;
    const topology = clusterWith(options, listeners, { ...shop('HTTPRoute', spec), status: given });
    return { listeners: listenersOf(topology), reasons: [...new Set(reasonsOf(topology))] };
  };
  const whole = { name: 'edge', namespace: 'infra' };

  it.each([
    ['accepted', {}, status(whole, 'True'), ['a', 'b'], ['NotAllowedByListeners']],
    [
      'accepted, written out in full',
      {},
      status({ ...whole, group: 'gateway.networking.k8s.io', kind: 'Gateway' }, 'True'),
      ['a', 'b'],
      ['NotAllowedByListeners'],
    ],
    ['not accepted', {}, status(whole, 'False'), [], ['NotToday']],
    ['not spoken of', {}, undefined, [], ['Pending']],
    ['garbage', {}, { parents: [5, { parentRef: 'x' }, { parentRef: whole, conditions: 'x' }] }, [], ['Pending']],
    ['accepted for another part', {}, status({ ...whole, sectionName: 'a' }, 'True'), [], ['Pending']],
    [
      'accepted for the part',
      { parentRefs: [{ ...whole, sectionName: 'b', port: 81 }] },
      status({ ...whole, sectionName: 'b', port: 81 }, 'True'),
      ['b'],
      [],
    ],
    ['accepted in another namespace', {}, status({ name: 'edge' }, 'True'), [], ['Pending']],
  ])('links a parent that is %s', (_, spec, given, names, reasons) => {
    expect(linked(spec, given)).toEqual({ listeners: names, reasons });
  });

  it('counts the statuses of one controller on demand', () => {
    const both = {
      parents: [...status(whole, 'False', 'example.com/theirs').parents, ...status(whole, 'True').parents],
    };
    expect(linked({}, both).listeners).toEqual(['a', 'b']);
    expect(linked({}, both, 'example.com/ours').listeners).toEqual(['a', 'b']);
    expect(linked({}, both, 'example.com/theirs').listeners).toEqual([]);
  });
});

describe('gatewayApi({ defaultGateways: true }) (H-09)', () => {
  const http = { name: 'http', protocol: 'HTTP', allowedRoutes: everyone };
  const openGateway = (name: string, defaultScope?: string) =>
    gateway(name, { listeners: [http, { ...http, name: 'tcp', protocol: 'TCP' }], defaultScope }, 'infra');
  const gateways = [
    openGateway('one', 'All'),
    openGateway('two', 'All'),
    openGateway('three'),
    openGateway('no', 'None'),
  ];
  const defaulted = (spec: object): KubernetesObject => route('HTTPRoute', 'r', spec, 'shop');
  const one = 'Gateway infra/one#http > HTTPRoute shop/r';
  const two = 'Gateway infra/two#http > HTTPRoute shop/r';
  const three = 'Gateway infra/three#http > HTTPRoute shop/r';

  it.each([
    ['all of them', { useDefaultGateways: 'All' }, [one, two]],
    ['none, if it does not ask', {}, []],
    ['none, if it says so', { useDefaultGateways: 'None' }, []],
    [
      'others besides',
      { useDefaultGateways: 'All', parentRefs: [{ name: 'three', namespace: 'infra' }] },
      [one, three, two],
    ],
    ['each once', { useDefaultGateways: 'All', parentRefs: [{ name: 'one', namespace: 'infra' }] }, [one, two]],
  ])('links a route below %s', (_, spec, expected) => {
    const topology = clusterWith({ defaultGateways: true }, ...gateways, defaulted(spec));
    expect(linksOf(topology)).toEqual(expected);
    expect(pathsTo(topology, 'HTTPRoute shop/r')).toHaveLength(Math.max(1, expected.length));
  });

  it('is off by default', () => {
    expect(linksOf(cluster(...gateways, defaulted({ useDefaultGateways: 'All' })))).toEqual([]);
  });

  it('follows changes of default Gateways, and reports a scope without any', () => {
    const topology = clusterWith(
      { defaultGateways: true },
      openGateway('one'),
      defaulted({ useDefaultGateways: 'All' }),
    );
    expect(topology.unresolved.map(({ missing }) => missing)).toEqual(['gateway.gateway.networking.k8s.io:?']);
    topology.apply({ upsert: [openGateway('one', 'All')] });
    expect(linksOf(topology)).toEqual([one]);
  });

  it('looks up the status by the name of the Gateway, if statuses decide', () => {
    const accepted = { conditions: [{ type: 'Accepted', status: 'True' }] };
    const given = { parents: [{ parentRef: { name: 'two', namespace: 'infra' }, ...accepted }] };
    const options = { defaultGateways: true, attachment: 'status' } as const;
    const defaultedRoute = { ...defaulted({ useDefaultGateways: 'All' }), status: given };
    expect(linksOf(clusterWith(options, ...gateways, defaultedRoute))).toEqual([two]);
  });
});
