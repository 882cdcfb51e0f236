import { gatewayStatus, routeStatuses, traceRequest } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { findPolicyKinds } from '../find/find-policy-kinds.ts';
import { dataPlaneOf, dataPlanes } from './data-planes.ts';
import { gateway, object, ref, route, worldOf } from './world.fixture.ts';

const gatewayClass = (controllerName: string) =>
  object('gateway.networking.k8s.io/v1 GatewayClass', 'c', { controllerName });
/** An older HTTPRoute and a younger GRPCRoute with one hostname, each with a policy. */
const routes = [
  gateway('a/g'),
  route('a/h'),
  object(
    'gateway.networking.k8s.io/v1 GRPCRoute',
    'a/r',
    { parentRefs: [{ name: 'g' }], hostnames: ['a.h.example'], rules: [{ name: 'main' }] },
    { age: 9 },
  ),
  ...['HTTPRoute h', 'GRPCRoute r'].map((target) => {
    const [kind = '', name = ''] = target.split(' ');
    const spec = { targetRefs: [ref(kind, name)], retry: { numRetries: 2 } };
    return object('gateway.envoyproxy.io/v1alpha1 BackendTrafficPolicy', `a/p${name}`, spec);
  }),
];

/** What the younger route's condition `Accepted` is, and the outcomes of the policies on both. */
function answersFor(...resources: readonly KubernetesObject[]) {
  const { targetKinds } = findPolicyKinds({ resources });
  const topology = createTopology({ targetKinds });
  topology.apply({ upsert: resources });
  const [parent] = routeStatuses(topology, 'grpcroute.gateway.networking.k8s.io:a/r');
  const accepted = parent?.conditions.find(({ type }) => type === 'Accepted');
  const { outcomes } = worldOf(...resources);
  return [accepted?.status, outcomes['a/ph'], outcomes['a/pr']];
}

describe('an HTTPRoute and a GRPCRoute with one hostname', () => {
  const answers = {
    allowed: ['True', 'enforced', 'enforced'],
    refused: ['False', 'enforced', 'not-in-any-path'],
    both: ['Unknown', 'enforced', 'undecided'],
  };

  it.each(dataPlanes)('at the Gateways of $system', ({ controllers, sharedHostnames }) => {
    for (const domain of controllers) {
      expect(answersFor(gatewayClass(`${domain}/controller`), ...routes)).toEqual(
        answers[sharedHostnames?.value ?? 'both'],
      );
    }
  });

  it('are undecided at the Gateways of other controllers, and without the GatewayClass', () => {
    expect(answersFor(gatewayClass('example.com/controller'), ...routes)).toEqual(answers.both);
    expect(answersFor(...routes)).toEqual(answers.both);
  });

  it.each([
    ['comes after the routes', [...routes, gatewayClass('gateway.envoyproxy.io/c')], 'True'],
    ['belongs to another controller from then on', [...routes, gatewayClass('traefik.io/c')], 'False'],
    ['names no controller', [...routes, object('gateway.networking.k8s.io/v1 GatewayClass', 'c', {})], 'Unknown'],
  ])('follow a GatewayClass that %s', (_, resources, expected) => {
    const { targetKinds } = findPolicyKinds({ resources });
    const topology = createTopology({ targetKinds });
    topology.apply({ upsert: [gatewayClass('gateway.envoyproxy.io/first')] });
    for (const resource of resources) topology.apply({ upsert: [resource] });
    const [parent] = routeStatuses(topology, 'grpcroute.gateway.networking.k8s.io:a/r');
    expect(parent?.conditions[0]?.status).toBe(expected);
  });

  it('are decided by the Gateway of a ListenerSet', () => {
    const { spec, ...set } = object('gateway.networking.k8s.io/v1 ListenerSet', 'a/set', {
      parentRef: { name: 'g' },
      listeners: [{ name: 'more', port: 81, protocol: 'HTTP' }],
    });
    const open = { allowedListeners: { namespaces: { from: 'Same' } } };
    const toSet = { parentRefs: [{ ...ref('ListenerSet', 'set') }] };
    const moved = routes.map((it) => {
      if (it.kind === 'Gateway') return { ...it, spec: { ...(it.spec as object), ...open } };
      return it.kind.endsWith('Route') ? { ...it, spec: { ...(it.spec as object), ...toSet } } : it;
    }) as readonly KubernetesObject[];
    for (const [controller, expected] of [
      ['traefik.io', answers.refused],
      ['istio.io', answers.allowed],
    ] as const) {
      const resources = [gatewayClass(`${controller}/c`), { ...set, spec } as KubernetesObject, ...moved];
      expect(answersFor(...resources)).toEqual(expected);
    }
  });
});

describe('two HTTPRoutes with the same in common with the hostname of a listener', () => {
  const withHostname = (hostname: string, age: number, path: string) => {
    const spec = { parentRefs: [{ name: 'g' }], hostnames: [hostname], rules: [{ name: 'main' }] };
    return object('gateway.networking.k8s.io/v1 HTTPRoute', path, spec, { age });
  };
  const routes = [
    object('gateway.networking.k8s.io/v1 Gateway', 'a/g', {
      gatewayClassName: 'c',
      listeners: [{ name: 'foo', port: 80, protocol: 'HTTP', hostname: '*.foo.example' }],
    }),
    withHostname('*.foo.example', 9, 'a/specific'),
    withHostname('*.example', 1, 'a/older'),
  ];
  /** The names of the routes that may take a request. */
  function takersFor(...resources: readonly KubernetesObject[]): readonly (string | undefined)[] {
    const topology = createTopology({ targetKinds: findPolicyKinds({ resources }).targetKinds });
    topology.apply({ upsert: resources });
    return traceRequest(topology, { host: 'x.foo.example', path: '/long', port: 80 }).flatMap(({ winner, undecided }) =>
      [winner, ...undecided].map((match) => match?.route.ref.name),
    );
  }
  const answers = { route: ['specific'], intersection: ['older'], both: ['older', 'specific'] };

  it.each(dataPlanes)('at the Gateways of $system', ({ controllers, hostnamePrecedence }) => {
    for (const domain of controllers) {
      const takers = takersFor(gatewayClass(`${domain}/controller`), ...routes);
      expect(takers).toEqual(answers[hostnamePrecedence?.value ?? 'both']);
    }
  });

  it('may both take a request at the Gateways of other controllers, and without the GatewayClass', () => {
    expect(takersFor(gatewayClass('example.com/controller'), ...routes)).toEqual(answers.both);
    expect(takersFor(...routes)).toEqual(answers.both);
  });
});

describe('dataPlaneOf', () => {
  it('knows nothing of controllers that the table does not have', () => {
    expect([dataPlaneOf(), dataPlaneOf('example.com/a'), dataPlaneOf('')]).toEqual([{}, {}, {}]);
  });

  it('leaves the isolation of listeners open that earlier releases do not have', () => {
    const facts = ['kgateway.dev/x', 'gateway.nginx.org/x', 'microgateway.airlock.com/x'].map(dataPlaneOf);
    expect(facts.map(({ listenerIsolation }) => listenerIsolation)).toEqual([undefined, undefined, undefined]);
    expect(dataPlaneOf('gateway.envoyproxy.io/x').listenerIsolation).toBe('supported');
  });

  it('takes no refusal of misdirected requests from the report of a single version', () => {
    const sources = dataPlanes.map(({ misdirectedRequests: it }) => (it?.value === 'refused' ? it.source : ''));
    expect(sources.filter((source) => source.includes('/conformance/reports/'))).toEqual([]);
  });

  it('has a source for each fact', () => {
    for (const { system, controllers, ...facts } of dataPlanes) {
      const sources = Object.values(facts).map(({ source }) => source);
      expect([system, sources.length]).not.toEqual([system, 0]);
      expect(sources).toEqual(sources.map(() => expect.stringMatching(/^https:\/\//)));
    }
  });
});

describe('an HTTPS listener without tls', () => {
  const listeners = [{ name: 'https', port: 443, protocol: 'HTTPS' }];
  const edge = object('gateway.networking.k8s.io/v1 Gateway', 'a/g', { gatewayClassName: 'c', listeners });

  it.each([
    ['gateway.envoyproxy.io/gatewayclass-controller', 'False', 'no requests'],
    ['istio.io/gateway-controller', 'False', 'no requests'],
    ['example.com/controller', 'Unknown', 'requests'],
  ])('takes requests as its data plane says: %s', (controllerName, accepted, requests) => {
    const resources = [gatewayClass(controllerName), edge];
    const { targetKinds } = findPolicyKinds({ resources });
    const topology = createTopology({ targetKinds });
    topology.apply({ upsert: resources });
    const [listener] = gatewayStatus(topology, 'gateway.gateway.networking.k8s.io:a/g')?.listeners ?? [];
    expect(listener?.conditions.find(({ type }) => type === 'Accepted')?.status).toBe(accepted);
    const [answer] = traceRequest(topology, { host: 'a.h.example' });
    expect(answer?.listener === undefined ? 'no requests' : 'requests').toBe(requests);
  });

  it.each([
    ['gateway.envoyproxy.io/gatewayclass-controller', 'False NoConflicts'],
    ['gateway.nginx.org/nginx-gateway-controller', 'False NoConflicts'],
    ['example.com/controller', 'True HostnameConflict'],
  ])('conflicts with another listener only where it is accepted: %s', (controllerName, conflict) => {
    const secure = { ...listeners[0], name: 'secure', tls: {} };
    const both = object('gateway.networking.k8s.io/v1 Gateway', 'a/g', {
      gatewayClassName: 'c',
      listeners: [...listeners, secure],
    });
    const resources = [gatewayClass(controllerName), both];
    const topology = createTopology({ targetKinds: findPolicyKinds({ resources }).targetKinds });
    topology.apply({ upsert: resources });
    const [, second] = gatewayStatus(topology, 'gateway.gateway.networking.k8s.io:a/g')?.listeners ?? [];
    const conflicted = second?.conditions.find(({ type }) => type === 'Conflicted');
    expect(`${conflicted?.status} ${conflicted?.reason}`).toBe(conflict);
  });
});

describe('a listener behind one that may lack its certificate', () => {
  const secure = {
    ...{ name: 'secure', port: 443, protocol: 'HTTPS', hostname: 'a.h.example' },
    tls: { certificateRefs: [{ name: 'server' }] },
  };
  const spec = { gatewayClassName: 'c', listeners: [secure], allowedListeners: { namespaces: { from: 'All' } } };
  const parent = (kind: string, name: string) => ({ parentRefs: [{ kind, name }], rules: [{ name: 'main' }] });
  const resources = [
    object('gateway.networking.k8s.io/v1 Gateway', 'a/g', spec),
    object('gateway.networking.k8s.io/v1 ListenerSet', 'a/s', { parentRef: { name: 'g' }, listeners: [secure] }),
    object('gateway.networking.k8s.io/v1 HTTPRoute', 'a/first', parent('Gateway', 'g')),
    object('gateway.networking.k8s.io/v1 HTTPRoute', 'a/second', parent('ListenerSet', 's')),
  ];

  it.each([
    ['gateway.nginx.org/nginx-gateway-controller', 'True HostnameConflict', 'first', []],
    ['gateway.envoyproxy.io/gatewayclass-controller', 'True HostnameConflict', undefined, ['first', 'second']],
    ['example.com/controller', 'True HostnameConflict', undefined, ['first', 'second']],
  ])('takes requests as its data plane says: %s', (controllerName, conflict, winner, undecided) => {
    const all = [gatewayClass(controllerName), ...resources];
    const topology = createTopology({ targetKinds: findPolicyKinds({ resources: all }).targetKinds });
    topology.apply({ upsert: all });
    const [listener] = gatewayStatus(topology, 'listenerset.gateway.networking.k8s.io:a/s')?.listeners ?? [];
    const conflicted = listener?.conditions.find(({ type }) => type === 'Conflicted');
    expect(`${conflicted?.status} ${conflicted?.reason}`).toBe(conflict);
    const [answer] = traceRequest(topology, { host: 'a.h.example' });
    expect(answer?.winner?.route.ref.name).toBe(winner);
    expect(answer?.undecided.map(({ route }) => route.ref.name).sort()).toEqual(undecided);
  });
});

describe('a path that is a regular expression beside a prefix', () => {
  const match = (type: string, value: string) => ({ path: { type, value } });
  const both = object('gateway.networking.k8s.io/v1 HTTPRoute', 'a/h', {
    parentRefs: [{ name: 'g' }],
    rules: [
      { name: 'prefix', matches: [match('PathPrefix', '/cart')] },
      { name: 'expression', matches: [match('RegularExpression', '/cart/.*')] },
    ],
  });

  it.each([
    ['gateway.envoyproxy.io/gatewayclass-controller', 'expression', 0],
    ['istio.io/gateway-controller', 'prefix', 0],
    ['example.com/controller', 'expression', 1],
  ])('is first, second or undecided as its data plane says: %s', (controllerName, winner, undecided) => {
    const resources = [gatewayClass(controllerName), gateway('a/g'), both];
    const topology = createTopology({ targetKinds: findPolicyKinds({ resources }).targetKinds });
    topology.apply({ upsert: resources });
    const regularExpression = (pattern: string) => (text: string) => new RegExp(`^(?:${pattern})$`).test(text);
    const options = { regularExpression, regularExpressionPaths: 'both' } as const;
    const [answer] = traceRequest(topology, { path: '/cart/1' }, options);
    expect([answer?.winner?.rule?.section?.name, answer?.undecided.length]).toEqual([winner, undecided]);
  });
});
