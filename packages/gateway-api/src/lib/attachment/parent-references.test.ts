import { formatIssue, type KubernetesObject } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { cluster, clusterWith, gateway, linksOf, namespace, pathsTo, route } from '../gateway-api.fixture.ts';
import type { GatewayApiOptions } from './options.ts';

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

  it('name the reason why a route is without a parent', () => {
    const { issues } = cluster(edge({ name: 'l', protocol: 'HTTP', allowedRoutes: undefined }), shop('HTTPRoute'));
    expect(issues.map(formatIssue)).toMatchInlineSnapshot(`
      [
        "warning: reference to Gateway infra/edge#l (the listener takes routes from namespace "infra" only, not from "shop") was refused; allow it there, or correct the reference (httproute.gateway.networking.k8s.io:shop/r /spec/parentRefs/0) [refused-reference]",
      ]
    `);
  });
});

describe('the status of a route', () => {
  const listeners = edge(
    { name: 'a', port: 80, protocol: 'HTTP' },
    { name: 'b', port: 81, protocol: 'HTTP' },
    { name: 'tcp', port: 82, protocol: 'TCP' },
  );
  const ours = 'example.com/ours';
  const accepted = (status: string, more: object = {}) => ({ type: 'Accepted', status, reason: 'NotToday', ...more });
  const status = (parentRef: object, condition: object, controllerName = ours) => ({
    parents: [{ parentRef, controllerName, conditions: [condition] }],
  });
  const linked = (spec: object, given: unknown, options: GatewayApiOptions = {}, ...more: KubernetesObject[]) => {
    const shopRoute = shop('HTTPRoute', spec);
    const withStatus = { ...shopRoute, metadata: { ...shopRoute.metadata, generation: 2 }, status: given };
    const withClass = { ...listeners, spec: { ...(listeners.spec as object), gatewayClassName: 'c' } };
    const topology = clusterWith(options, withClass, withStatus, ...more);
    return { listeners: listenersOf(topology), reasons: [...new Set(reasonsOf(topology))] };
  };
  const whole = { name: 'edge', namespace: 'infra' };
  const bySpec = { listeners: ['a', 'b'], reasons: ['NotAllowedByListeners'] };
  const refused = { listeners: [], reasons: ['NotToday'] };

  it.each([
    ['accepts a parent', {}, status(whole, accepted('True')), bySpec],
    [
      'accepts a parent, written out in full',
      {},
      status({ ...whole, group: 'gateway.networking.k8s.io', kind: 'Gateway' }, accepted('True')),
      bySpec,
    ],
    ['refuses a parent', {}, status(whole, accepted('False')), refused],
    ['refuses a parent now', {}, status(whole, accepted('False', { observedGeneration: 2 })), refused],
    [
      'refused a parent in an earlier generation',
      {},
      status(whole, accepted('False', { observedGeneration: 1 })),
      bySpec,
    ],
    ['has not decided yet', {}, status(whole, accepted('Unknown')), bySpec],
    ['is missing', {}, undefined, bySpec],
    ['is garbage', {}, { parents: [5, { parentRef: 'x' }, { parentRef: whole, conditions: 'x' }] }, bySpec],
    ['refuses another part', {}, status({ ...whole, sectionName: 'a' }, accepted('False')), bySpec],
    ['refuses a Gateway of another namespace', {}, status({ name: 'edge' }, accepted('False')), bySpec],
    [
      'refuses the part',
      { parentRefs: [{ ...whole, sectionName: 'b', port: 81 }] },
      status({ ...whole, sectionName: 'b', port: 81 }, accepted('False')),
      refused,
    ],
  ])('decides about parents, or else the specs do: it %s', (_, spec, given, expected) => {
    expect(linked(spec, given)).toEqual(expected);
  });

  const tcp = { parentRefs: [{ ...whole, sectionName: 'tcp' }] };

  it.each([
    ['the listener that the route names', tcp, { ...whole, sectionName: 'tcp' }, ['tcp']],
    ['the listeners that the specs select', {}, whole, ['a', 'b']],
    ['all listeners if the specs select none', { hostnames: ['a.example'] }, whole, ['a', 'b', 'tcp']],
  ])('links an accepted route below %s', (_, spec, parentRef, names) => {
    const named = (it: object) => ({ ...it, hostname: 'b.example' });
    const [a, b, other] = [80, 81]
      .map((port, index) => ({ name: 'ab'[index], port, protocol: 'HTTP' }))
      .concat([{ name: 'tcp', port: 82, protocol: 'TCP' }]);
    const gatewayOf = 'hostnames' in spec ? edge(named(a as object), named(b as object), other as object) : listeners;
    const topology = clusterWith({}, gatewayOf, {
      ...shop('HTTPRoute', spec),
      status: status(parentRef, accepted('True')),
    });
    expect(listenersOf(topology)).toEqual(names);
  });

  const theirs = 'example.com/theirs';
  const both = {
    parents: [...status(whole, accepted('False'), theirs).parents, ...status(whole, accepted('True')).parents],
  };
  const classOf = (controllerName: string): KubernetesObject => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: 'c' },
    spec: { controllerName },
  });

  it.each<[string, GatewayApiOptions, string | undefined, object]>([
    ['any, if the class is not known', {}, undefined, bySpec],
    ['the controller of the class', {}, theirs, refused],
    ['the controller of the class, whatever is stated', { controllerName: theirs }, ours, bySpec],
    ['the stated controller, if the class is not known', { controllerName: theirs }, undefined, refused],
    ['none if only specs count', { attachment: 'spec' }, theirs, bySpec],
    ['none if the statuses are planned', { statuses: true }, theirs, bySpec],
  ])('is the status of one controller: %s', (_, options, controllerName, expected) => {
    const classes = controllerName === undefined ? [] : [classOf(controllerName)];
    expect(linked({}, both, options, ...classes)).toEqual(expected);
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

  it('looks up the status by the name of the Gateway', () => {
    const refused = { conditions: [{ type: 'Accepted', status: 'False' }] };
    const given = { parents: [{ parentRef: { name: 'two', namespace: 'infra' }, ...refused }] };
    const defaultedRoute = { ...defaulted({ useDefaultGateways: 'All' }), status: given };
    expect(linksOf(clusterWith({ defaultGateways: true }, ...gateways, defaultedRoute))).toEqual([one]);
  });
});
