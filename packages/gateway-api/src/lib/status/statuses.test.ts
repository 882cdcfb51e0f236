import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import {
  cluster,
  clusterWith,
  gateway,
  listenerSet,
  namespace,
  referenceGrant,
  route,
  service,
} from '../gateway-api.fixture.ts';
import { gatewayApi } from '../gateway-api.ts';
import { Secret } from '../kinds/secret.ts';
import type { DataPlane } from '../listeners/data-plane.ts';
import { gatewayStatus, listenerStatuses } from './gateway-status.ts';
import { routeStatuses } from './route-statuses.ts';

const infra = 'infra';
const everyone = { namespaces: { from: 'All' } };
const http = (name: string, spec: object = {}) => ({
  name,
  port: 80,
  protocol: 'HTTP',
  allowedRoutes: everyone,
  ...spec,
});
const edge = (...listeners: readonly object[]) => gateway('edge', { listeners }, infra);
const parent = { name: 'edge', namespace: infra };
const httpRoute = (name: string, spec: object = {}, inNamespace = infra) =>
  route('HTTPRoute', name, { parentRefs: [parent], ...spec }, inNamespace);

const edgeLocator = 'gateway.gateway.networking.k8s.io:infra/edge';

/** The conditions of each listener as `http Accepted=True/Accepted …`, but for Programmed. */
function listenersIn(locator: string, ...resources: readonly KubernetesObject[]): readonly string[] {
  return listenerStatuses(clusterWithSecrets(...resources), locator).map(({ name, conditions }) =>
    [name, ...conditions.filter(({ type }) => type !== 'Programmed').map(shown)].join(' '),
  );
}

function shown({ type, status, reason }: { type: string; status: string; reason: string }): string {
  return `${type}=${status}/${reason}`;
}

function clusterWithSecrets(...resources: readonly KubernetesObject[]) {
  const topology = createTopology({ targetKinds: [...gatewayApi(), Secret] });
  topology.apply({ upsert: resources });
  return topology;
}

const pem = btoa('-----BEGIN CERTIFICATE-----');
const secret = (name: string, inNamespace = infra, data?: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: inNamespace },
  ...(data === undefined ? {} : { data }),
});
const https = (name: string, certificateRef: object, spec: object = {}) =>
  http(name, { port: 443, protocol: 'HTTPS', tls: { certificateRefs: [certificateRef] }, ...spec });
const good = 'Accepted=True/Accepted Conflicted=False/NoConflicts ResolvedRefs=True/ResolvedRefs';
const lacking = (reason: string) => `Accepted=True/Accepted Conflicted=False/NoConflicts ResolvedRefs=False/${reason}`;
const conflicted = (reason: string) =>
  `Accepted=False/${reason} Conflicted=True/${reason} ResolvedRefs=True/ResolvedRefs`;
const unsupported = (reason: string) =>
  `Accepted=False/${reason} Conflicted=False/NoConflicts ResolvedRefs=True/ResolvedRefs`;
const toSecrets = (name?: string) => [{ group: '', kind: 'Secret', ...(name === undefined ? {} : { name }) }];

describe('listenerStatuses', () => {
  it.each<[string, readonly object[], readonly string[], readonly KubernetesObject[]]>([
    ['an HTTP listener', [http('a')], [good], []],
    [
      'a protocol that Gateway API does not have',
      [http('a', { protocol: 'INVALID' })],
      [unsupported('UnsupportedProtocol')],
      [],
    ],
    [
      'a TLS mode that Gateway API does not have',
      [http('a', { protocol: 'TLS', tls: { mode: 'Sometimes' } })],
      [unsupported('UnsupportedValue')],
      [],
    ],
    ['a hostname that is none', [http('a', { hostname: '-' })], [unsupported('UnsupportedValue')], []],
    [
      'one hostname twice',
      [http('a', { hostname: 'a.com' }), http('b', { hostname: 'a.com' })],
      Array(2).fill(conflicted('HostnameConflict')),
      [],
    ],
    [
      'two protocols at one port',
      [http('a'), http('b', { protocol: 'TCP' })],
      Array(2).fill(conflicted('ProtocolConflict')),
      [],
    ],
    [
      'two hostnames at one port',
      [http('a', { hostname: 'a.com' }), http('b', { hostname: 'b.com' })],
      [good, good],
      [],
    ],
    [
      'only kinds of routes that it cannot take',
      [http('a', { allowedRoutes: { kinds: [{ kind: 'InvalidRoute' }] } })],
      [lacking('InvalidRouteKinds')],
      [],
    ],
    [
      'TCPRoutes where TLS is passed through',
      [
        http('a', {
          protocol: 'TLS',
          tls: { mode: 'Passthrough' },
          allowedRoutes: { kinds: [{ kind: 'TLSRoute' }, { kind: 'TCPRoute' }] },
        }),
      ],
      [lacking('InvalidRouteKinds')],
      [],
    ],
    [
      'a certificate that exists',
      [https('a', { name: 'c' })],
      [good],
      [secret('c', infra, { 'tls.crt': pem, 'tls.key': pem })],
    ],
    ['a certificate whose data the topology was not given', [https('a', { name: 'c' })], [good], [secret('c')]],
    ['a certificate that does not exist', [https('a', { name: 'c' })], [lacking('InvalidCertificateRef')], []],
    [
      'a certificate of another group',
      [https('a', { group: 'wrong.example.com', kind: 'Secret', name: 'c' })],
      [lacking('InvalidCertificateRef')],
      [secret('c')],
    ],
    [
      'a certificate of another kind',
      [https('a', { group: '', kind: 'WrongKind', name: 'c' })],
      [lacking('InvalidCertificateRef')],
      [secret('c')],
    ],
    [
      'a certificate that is none',
      [https('a', { name: 'c' })],
      [lacking('InvalidCertificateRef')],
      [secret('c', infra, { 'tls.crt': btoa('Hello'), 'tls.key': pem })],
    ],
    [
      'a certificate of another namespace',
      [https('a', { name: 'c', namespace: 'vault' })],
      [lacking('RefNotPermitted')],
      [secret('c', 'vault')],
    ],
    [
      'a certificate of another namespace that one for another Secret grants',
      [https('a', { name: 'c', namespace: 'vault' })],
      [lacking('RefNotPermitted')],
      [secret('c', 'vault'), referenceGrant('vault', [{ kind: 'Gateway', namespace: infra }], toSecrets('d'))],
    ],
    [
      'a certificate of another namespace that is granted',
      [https('a', { name: 'c', namespace: 'vault' })],
      [good],
      [secret('c', 'vault'), referenceGrant('vault', [{ kind: 'Gateway', namespace: infra }], toSecrets())],
    ],
    [
      'a certificate that is not needed',
      [http('a', { protocol: 'TLS', tls: { mode: 'Passthrough', certificateRefs: [{ name: 'c' }] } })],
      [good],
      [],
    ],
  ])('has the conditions of a Gateway with %s', (_, listeners, expected, others) => {
    const told = listenersIn(edgeLocator, edge(...listeners), ...others);
    expect(told.map((it) => it.replace(/^\S+ /, ''))).toEqual(expected);
  });

  it('omits conditions that the topology cannot know', () => {
    const topology = cluster(edge(https('a', { name: 'c' }), http('b', { port: 9, protocol: 'example.com/quic' })));
    const told = listenerStatuses(topology, edgeLocator).map(({ conditions }) => conditions.map(shown));
    expect(told).toEqual([
      [
        'Accepted=True/Accepted',
        'Conflicted=False/NoConflicts',
        'ResolvedRefs=Unknown/Pending',
        'Programmed=Unknown/Pending',
      ],
      [
        'Accepted=Unknown/Pending',
        'Conflicted=False/NoConflicts',
        'ResolvedRefs=True/ResolvedRefs',
        'Programmed=Unknown/Pending',
      ],
    ]);
  });

  it('reports that invalid listeners are not programmed', () => {
    const listeners = [http('a'), http('b', { protocol: 'TCP' }), https('c', { name: 'lost' })];
    const told = listenerStatuses(clusterWithSecrets(edge(...listeners)), edgeLocator).map(({ conditions }) =>
      conditions.filter(({ type }) => type === 'Programmed').map(shown),
    );
    expect(told).toEqual([
      ['Programmed=False/ProtocolConflict'],
      ['Programmed=False/ProtocolConflict'],
      ['Programmed=False/Invalid'],
    ]);
  });

  it.each<[string, object, readonly string[]]>([
    ['HTTP', {}, ['HTTPRoute', 'GRPCRoute']],
    ['HTTPS', { protocol: 'HTTPS' }, ['HTTPRoute', 'GRPCRoute']],
    ['TLS that it ends', { protocol: 'TLS', tls: { mode: 'Terminate' } }, ['TLSRoute', 'TCPRoute']],
    ['TLS that it passes through', { protocol: 'TLS', tls: { mode: 'Passthrough' } }, ['TLSRoute']],
    ['UDP', { protocol: 'UDP' }, ['UDPRoute']],
    ['an unknown protocol', { protocol: 'INVALID' }, []],
    [
      'kinds that it cannot take, and one that it can',
      { allowedRoutes: { kinds: [{ kind: 'InvalidRoute' }, { kind: 'HTTPRoute' }] } },
      ['HTTPRoute'],
    ],
  ])('names the kinds of routes of %s', (_, spec, expected) => {
    const [status] = listenerStatuses(cluster(edge(http('a', spec))), edgeLocator);
    expect(status?.supportedKinds).toEqual(expected.map((kind) => ({ group: 'gateway.networking.k8s.io', kind })));
  });

  it('names only kinds of routes in the topology', () => {
    const targetKinds = gatewayApi().filter(({ kind }) => kind !== 'GRPCRoute');
    const topology = createTopology({ targetKinds });
    topology.apply({ upsert: [edge(http('a', { allowedRoutes: { kinds: [{ kind: 'GRPCRoute' }] } }))] });
    expect(listenerStatuses(topology, edgeLocator)).toMatchObject([{ supportedKinds: [] }]);
  });

  it('counts the routes of each listener, even of an invalid one', () => {
    const listeners = [
      http('open'),
      http('own', { port: 81, allowedRoutes: { namespaces: { from: 'Same' } } }),
      http('picky', { port: 82, hostname: 'a.com' }),
      https('lost', { name: 'lost' }),
    ];
    const topology = clusterWithSecrets(
      edge(...listeners),
      httpRoute('all', { hostnames: ['a.com'] }),
      httpRoute('foreign', { hostnames: ['b.com'] }, 'shop'),
      httpRoute('one', {
        parentRefs: [{ name: 'edge', sectionName: 'own' }],
        rules: [{ backendRefs: [{ name: 'no' }] }],
      }),
    );
    const counts = listenerStatuses(topology, edgeLocator).map(({ name, attachedRoutes }) => [name, attachedRoutes]);
    expect(counts).toEqual([
      ['open', 2],
      ['own', 2],
      ['picky', 1],
      ['lost', 2],
    ]);
  });

  it('is undefined for a target without listeners', () => {
    const topology = cluster(httpRoute('r'));
    for (const locator of ['httproute.gateway.networking.k8s.io:infra/r', edgeLocator]) {
      expect(listenerStatuses(topology, locator)).toEqual([]);
      expect(gatewayStatus(topology, locator)).toBeUndefined();
    }
  });
});

const set = (name: string, listeners: readonly object[], inNamespace = infra): KubernetesObject => {
  const it = listenerSet(name, { parentRef: parent, listeners }, inNamespace);
  return { ...it, metadata: { ...it.metadata, creationTimestamp: '2026-01-01T00:00:00Z' } };
};
const setLocator = (name: string, inNamespace = infra) =>
  `listenerset.gateway.networking.k8s.io:${inNamespace}/${name}`;
const edgeFor = (from: object | undefined, ...listeners: readonly object[]) =>
  gateway('edge', { listeners, ...(from && { allowedListeners: { namespaces: from } }) }, infra);

describe('gatewayStatus', () => {
  const accepted = (locator: string, ...resources: readonly KubernetesObject[]) => {
    const status = gatewayStatus(clusterWithSecrets(...resources), locator);
    return [status?.conditions.map(shown).join(' '), status?.attachedListenerSets];
  };
  const valid = 'Accepted=True/Accepted Programmed=Unknown/Pending';
  const partly = 'Accepted=True/ListenersNotValid Programmed=Unknown/Pending';
  const unknown = 'Accepted=Unknown/Pending Programmed=Unknown/Pending';
  const not = (reason: string) => `Accepted=False/${reason} Programmed=False/${reason}`;

  it.each<[string, readonly object[], string]>([
    ['valid listeners only', [http('a')], valid],
    ['a valid listener and one that is not', [http('a'), http('b', { port: 1111, protocol: 'INVALID' })], partly],
    ['no valid listener', [http('b', { port: 1111, protocol: 'INVALID' })], not('ListenersNotValid')],
    ['listeners without their certificates', [https('a', { name: 'lost' })], valid],
    ['listeners with protocols of implementations', [http('a', { protocol: 'HBONE' })], unknown],
    [
      'one of these and one that is not valid',
      [http('a', { protocol: 'HBONE' }), http('b', { protocol: 'X' })],
      unknown,
    ],
    ['one of these and a valid one', [http('a', { protocol: 'HBONE' }), http('b', { port: 81 })], valid],
  ])('reports whether a Gateway with %s is accepted', (_, listeners, expected) => {
    expect(accepted(edgeLocator, edge(...listeners))).toEqual([expected, 0]);
  });

  it.each<[string, object | undefined, string, string]>([
    ['none, by default', undefined, infra, not('NotAllowed')],
    ['none', { from: 'None' }, infra, not('NotAllowed')],
    ['those of its namespace', { from: 'Same' }, infra, valid],
    ['those of its namespace only', { from: 'Same' }, 'shop', not('NotAllowed')],
    ['those of selected namespaces', { from: 'Selector', selector: { matchLabels: { open: 'yes' } } }, 'shop', valid],
    [
      'those of other namespaces only',
      { from: 'Selector', selector: { matchLabels: { open: 'yes' } } },
      infra,
      not('NotAllowed'),
    ],
  ])('reports whether a ListenerSet is accepted by a Gateway that admits %s', (_, from, inNamespace, expected) => {
    const resources = [edgeFor(from, http('a')), set('more', [http('b', { port: 81 })], inNamespace)];
    const all = [...resources, namespace(infra), namespace('shop', { open: 'yes' })];
    expect(accepted(setLocator('more', inNamespace), ...all)).toEqual([expected, undefined]);
    expect(accepted(edgeLocator, ...all)).toEqual([valid, expected === valid ? 1 : 0]);
  });

  it.each<[string, object, object, string]>([
    ['hostname', http('c', { hostname: 'c.com' }), http('d', { hostname: 'd.com' }), 'HostnameConflict'],
    ['protocol', http('c', { protocol: 'TCP' }), http('d', { protocol: 'TCP' }), 'ProtocolConflict'],
  ])('accepts ListenerSets with a listener that is in no conflict: %s', (_, first, second, reason) => {
    const own = (name: string) => http(name, { hostname: `${name}.com` });
    const resources = [
      edgeFor({ from: 'Same' }, own('gateway'), own('c')),
      set('set-1', [own('own-1'), first, own('d')]),
      set('set-2', [first]),
      set('set-3', [own('own-3'), second]),
      set('set-4', [second]),
    ];
    const of = (name: string) => accepted(setLocator(name), ...resources)[0];
    expect(['set-1', 'set-2', 'set-3', 'set-4'].map(of)).toEqual([
      partly,
      not('ListenersNotValid'),
      partly,
      not('ListenersNotValid'),
    ]);
    expect(accepted(edgeLocator, ...resources)).toEqual([valid, 2]);
    const inFirst = listenersIn(setLocator('set-1'), ...resources);
    expect(inFirst).toEqual([`own-1 ${good}`, `c ${conflicted(reason)}`, `d ${good}`]);
  });

  it('accepts no ListenerSet without a listener that has its certificates', () => {
    const certificateRef = { name: 'c', namespace: 'vault' };
    const resources = [
      edgeFor({ from: 'Same' }, http('a')),
      set('more', [https('b', certificateRef)]),
      secret('c', 'vault'),
    ];
    const grant = (kind: string) => referenceGrant('vault', [{ kind, namespace: infra }], toSecrets());
    expect(accepted(setLocator('more'), ...resources, grant('Gateway'))[0]).toBe(not('ListenersNotValid'));
    expect(accepted(setLocator('more'), ...resources, grant('ListenerSet'))[0]).toBe(valid);
  });

  it('accepts no ListenerSet of a Gateway that is not accepted, or not there', () => {
    const more = set('more', [http('b', { port: 81 })]);
    const invalid = edgeFor({ from: 'Same' }, http('a', { protocol: 'INVALID' }));
    for (const resources of [[invalid, more], [more]]) {
      expect(accepted(setLocator('more'), ...resources)[0]).toBe(not('ParentNotAccepted'));
    }
  });
});

describe('routeStatuses', () => {
  const statusesOf = (of: KubernetesObject, ...resources: readonly KubernetesObject[]) =>
    routeStatuses(
      cluster(of, ...resources),
      `${of.kind.toLowerCase()}.gateway.networking.k8s.io:${of.metadata.namespace}/${of.metadata.name}`,
    );
  const told = (...args: Parameters<typeof statusesOf>) =>
    statusesOf(...args).map(({ conditions }) => conditions.map(shown).join(' '));
  const accepted = 'Accepted=True/Accepted ResolvedRefs=True/ResolvedRefs';
  const rejected = (reason: string) => `Accepted=False/${reason} ResolvedRefs=True/ResolvedRefs`;
  const unresolved = (reason: string) => `Accepted=True/Accepted ResolvedRefs=False/${reason}`;

  it.each<[string, readonly object[], KubernetesObject, string]>([
    ['of its namespace', [http('a', { allowedRoutes: {} })], httpRoute('r'), accepted],
    [
      'that takes routes of its own namespace only',
      [http('a', { allowedRoutes: {} })],
      httpRoute('r', {}, 'shop'),
      rejected('NotAllowedByListeners'),
    ],
    ['of another namespace that takes all', [http('a')], httpRoute('r', {}, 'shop'), accepted],
    [
      'for other kinds only',
      [http('a', { protocol: 'TLS', tls: { mode: 'Passthrough' } })],
      httpRoute('r'),
      rejected('NotAllowedByListeners'),
    ],
    [
      'of another protocol',
      [http('a')],
      route('TCPRoute', 'r', { parentRefs: [parent] }, infra),
      rejected('NotAllowedByListeners'),
    ],
    [
      'with other hostnames',
      [http('a', { hostname: 'a.com' })],
      httpRoute('r', { hostnames: ['b.com'] }),
      rejected('NoMatchingListenerHostname'),
    ],
    [
      'with other hostnames, and listeners that do not take it',
      [http('a', { hostname: 'a.com' }), http('b', { port: 81, allowedRoutes: { kinds: [{ kind: 'GRPCRoute' }] } })],
      httpRoute('r', { hostnames: ['b.com'] }),
      rejected('NoMatchingListenerHostname'),
    ],
    [
      'with one of its hostnames',
      [http('a', { hostname: 'a.com' })],
      httpRoute('r', { hostnames: ['b.com', 'a.com'] }),
      accepted,
    ],
    [
      'without the section that it names',
      [http('a')],
      httpRoute('r', { parentRefs: [{ ...parent, sectionName: 'b' }] }),
      rejected('NoMatchingParent'),
    ],
    [
      'without the port that it names',
      [http('a')],
      httpRoute('r', { parentRefs: [{ ...parent, port: 81 }] }),
      rejected('NoMatchingParent'),
    ],
    [
      'whose section that it names has another port',
      [http('a'), http('b', { port: 81 })],
      httpRoute('r', { parentRefs: [{ ...parent, sectionName: 'a', port: 81 }] }),
      rejected('NoMatchingParent'),
    ],
    ['in conflict with itself', [http('a'), http('b')], httpRoute('r'), accepted],
  ])('reports whether a route is accepted by a Gateway %s', (_, listeners, of, expected) => {
    expect(told(of, edge(...listeners))).toEqual([expected]);
  });

  it('does so for each parent separately, as the route names it', () => {
    const toSet = { group: 'gateway.networking.k8s.io', kind: 'ListenerSet', name: 'more' };
    const parentRefs = [{ name: 'edge', sectionName: 'lost' }, toSet, { name: 'nowhere' }];
    const of = httpRoute('r', { parentRefs });
    const resources = [edgeFor({ from: 'Same' }, http('a')), set('more', [http('b', { port: 81 })])];
    expect(statusesOf(of, ...resources).map(({ parentRef }) => parentRef)).toEqual(parentRefs);
    expect(told(of, ...resources)).toEqual([rejected('NoMatchingParent'), accepted, rejected('NoMatchingParent')]);
  });

  it.each<[string, object, string, readonly KubernetesObject[]]>([
    ['exists', { name: 's', port: 80 }, accepted, [service('s', [{ port: 80 }], infra)]],
    ['does not exist', { name: 's', port: 80 }, unresolved('BackendNotFound'), []],
    [
      'is of an unknown kind',
      { group: 'unknown.example.com', kind: 'NonExistent', name: 's' },
      unresolved('InvalidKind'),
      [],
    ],
    [
      'is of a kind that is no backend',
      { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge' },
      unresolved('InvalidKind'),
      [],
    ],
    [
      'is of another namespace',
      { name: 's', namespace: 'shop', port: 80 },
      unresolved('RefNotPermitted'),
      [service('s', [{ port: 80 }], 'shop')],
    ],
    [
      'is of another namespace, whether or not it exists',
      { name: 's', namespace: 'shop', port: 80 },
      unresolved('RefNotPermitted'),
      [],
    ],
    [
      'is of another namespace, and granted',
      { name: 's', namespace: 'shop', port: 80 },
      accepted,
      [
        service('s', [{ port: 80 }], 'shop'),
        referenceGrant('shop', [{ kind: 'HTTPRoute', namespace: infra }], [{ group: '', kind: 'Service' }]),
      ],
    ],
    [
      'is of another kind that the topology knows',
      { group: 'example.com', kind: 'Bucket', name: 'b' },
      unresolved('BackendNotFound'),
      [],
    ],
  ])(
    'reports whether the references of a route are resolved, where a backend %s',
    (_, backendRef, expected, others) => {
      const rules = [{ backendRefs: [] }, { backendRefs: [backendRef] }];
      expect(told(httpRoute('r', { rules }), edge(http('a')), ...others)).toEqual([expected]);
      const filters = [{ type: 'RequestMirror', requestMirror: { backendRef } }];
      expect(told(httpRoute('r', { rules: [{ filters }] }), edge(http('a')), ...others)).toEqual([expected]);
    },
  );

  it('reports resolved references also if the route is not accepted', () => {
    const of = httpRoute('r', { hostnames: ['b.com'], rules: [{ backendRefs: [{ name: 's', port: 80 }] }] });
    const resources = [edge(http('a', { hostname: 'a.com' })), service('s', [{ port: 80 }], infra)];
    expect(told(of, ...resources)).toEqual([rejected('NoMatchingListenerHostname')]);
    expect(told(of, resources[0] as KubernetesObject)).toEqual([
      'Accepted=False/NoMatchingListenerHostname ResolvedRefs=False/BackendNotFound',
    ]);
  });

  it('answers for each of very many parents', () => {
    const parentRefs = Array.from({ length: 40 }, (_, index) => ({
      ...parent,
      sectionName: index % 2 === 0 ? 'a' : 'b',
    }));
    const counted = new Map<string, number>();
    for (const it of told(httpRoute('r', { parentRefs }), edge(http('a')))) counted.set(it, (counted.get(it) ?? 0) + 1);
    expect([...counted]).toEqual([
      [accepted, 20],
      [rejected('NoMatchingParent'), 20],
    ]);
  });

  it('names the default Gateways of a route', () => {
    const resources = ['a', 'b'].map((name) =>
      gateway(name, { defaultScope: 'All', listeners: [http('l', name === 'a' ? {} : { hostname: 'b.com' })] }, infra),
    );
    const of = httpRoute('r', { parentRefs: [], useDefaultGateways: 'All', hostnames: ['a.com'] });
    const topology = clusterWith({ defaultGateways: true }, of, ...resources);
    const statuses = routeStatuses(topology, 'httproute.gateway.networking.k8s.io:infra/r');
    expect(statuses.map(({ parentRef, conditions }) => [parentRef.name, shown(conditions[0] as never)])).toEqual([
      ['a', 'Accepted=True/Accepted'],
      ['b', 'Accepted=False/NoMatchingListenerHostname'],
    ]);
  });

  it.each([
    ['does not permit the set', { from: 'None' }],
    ['does not exist', undefined],
  ])('accepts no route below a ListenerSet if its Gateway %s, and counts none', (_, from) => {
    const gateways =
      from === undefined ? [] : [gateway('edge', { listeners: [], allowedListeners: { namespaces: from } }, infra)];
    const set = listenerSet('set', { parentRef: parent, listeners: [http('a')] }, infra);
    const below = httpRoute('r', { parentRefs: [{ kind: 'ListenerSet', name: 'set' }] });
    const topology = cluster(...gateways, set, below);
    const [status] = routeStatuses(topology, 'httproute.gateway.networking.k8s.io:infra/r');
    expect(status?.conditions.map(shown)[0]).toBe('Accepted=False/NoMatchingParent');
    const [listener] = listenerStatuses(topology, 'listenerset.gateway.networking.k8s.io:infra/set');
    expect(listener?.attachedRoutes).toBe(0);
    topology.apply({
      upsert: [gateway('edge', { listeners: [], allowedListeners: { namespaces: { from: 'All' } } }, infra)],
    });
    expect(routeStatuses(topology, 'httproute.gateway.networking.k8s.io:infra/r')[0]?.conditions.map(shown)[0]).toBe(
      'Accepted=True/Accepted',
    );
  });

  it.each<[DataPlane, string, string, number]>([
    [{ sharedHostnames: 'refused' }, 'Accepted=True/Accepted', 'Accepted=False/HostnameConflict', 1],
    [{ sharedHostnames: 'allowed' }, 'Accepted=True/Accepted', 'Accepted=True/Accepted', 2],
    [{}, 'Accepted=True/Accepted', 'Accepted=Unknown/Pending', 2],
  ])('accepts an HTTPRoute and a GRPCRoute with one hostname like the data plane: %o', (dataPlane, ...expected) => {
    const aged = (resource: KubernetesObject, year: number) => ({
      ...resource,
      metadata: { ...resource.metadata, creationTimestamp: `${year}-01-01T00:00:00Z` },
    });
    const grpcRoute = route('GRPCRoute', 'a', { parentRefs: [parent] }, infra);
    const resources = [edge(http('a')), aged(httpRoute('older'), 2025), aged(grpcRoute, 2026)];
    const topology = clusterWith({ dataPlane }, ...resources);
    const ofRoute = (kind: string, name: string) =>
      routeStatuses(topology, `${kind}.gateway.networking.k8s.io:infra/${name}`).map(
        ({ conditions }) => conditions.map(shown)[0],
      );
    const statuses = [...ofRoute('httproute', 'older'), ...ofRoute('grpcroute', 'a')];
    expect([...statuses, listenerStatuses(topology, edgeLocator)[0]?.attachedRoutes]).toEqual(expected);
  });

  describe('with delegation', () => {
    const toChild = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'child', namespace: 'shop' };
    const delegating = httpRoute('parent', { rules: [{ backendRefs: [toChild] }] });
    const toParent = { kind: 'HTTPRoute', group: 'gateway.networking.k8s.io', name: 'parent', namespace: infra };
    const statuses = (spec: object, ...others: readonly KubernetesObject[]) =>
      routeStatuses(
        clusterWith(
          { delegation: true },
          edge(http('a')),
          ...others,
          route('HTTPRoute', 'child', { rules: [{}], ...spec }, 'shop'),
        ),
        'httproute.gateway.networking.k8s.io:shop/child',
      ).map(({ parentRef, conditions }) => [parentRef, ...conditions.map(shown)]);

    it.each([
      ['*', 'True/ResolvedRefs'],
      ['app=cart', 'True/ResolvedRefs'],
      ['gone', 'False/BackendNotFound'],
    ])('resolves a parent that selects no child, not one that names a missing one: %s', (name, expected) => {
      const parent = httpRoute('parent', { rules: [{ backendRefs: [{ ...toChild, namespace: 'empty', name }] }] });
      const topology = clusterWith({ delegation: true }, edge(http('a')), parent);
      const [status] = routeStatuses(topology, `httproute.gateway.networking.k8s.io:${infra}/parent`);
      expect(status?.conditions.map(shown)).toContain(`ResolvedRefs=${expected}`);
    });

    it('accepts a child that names its parent', () => {
      expect(statuses({ parentRefs: [toParent] }, delegating)).toEqual([
        [toParent, 'Accepted=True/Accepted', 'ResolvedRefs=True/ResolvedRefs'],
      ]);
    });

    it('has an entry for each parent of a child that names none', () => {
      expect(statuses({}, delegating)).toEqual([
        [toParent, 'Accepted=True/Accepted', 'ResolvedRefs=True/ResolvedRefs'],
      ]);
      expect(statuses({})).toEqual([]);
    });

    it.each<[string, object, readonly KubernetesObject[], string]>([
      ['does not delegate to it', {}, [httpRoute('parent')], 'NoMatchingParent'],
      ['does not exist', {}, [], 'NoMatchingParent'],
      [
        'has matches that none of its own repeat',
        {},
        [httpRoute('parent', { rules: [{ matches: [{ path: { value: '/a' } }], backendRefs: [toChild] }] })],
        'NoMatchingParent',
      ],
      ['would have to share hostnames with it', { hostnames: ['a.b'] }, [delegating], 'UnsupportedValue'],
    ])('does not accept a child if the parent %s', (_, spec, others, reason) => {
      expect(statuses({ parentRefs: [toParent], ...spec }, ...others).map(([, accepted]) => accepted)).toEqual([
        `Accepted=False/${reason}`,
      ]);
    });
  });

  it('is empty for a target that is not a route', () => {
    expect(routeStatuses(cluster(edge(http('a'))), edgeLocator)).toEqual([]);
  });
});
