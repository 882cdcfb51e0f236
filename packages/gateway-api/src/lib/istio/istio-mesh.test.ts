import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, formatPath, type Topology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type IstioMeshOptions, istioMesh } from './istio-mesh.ts';

type Labels = Readonly<Record<string, string>>;

const object = (apiVersion: string, kind: string, name: string, labels: Labels = {}, spec = {}): KubernetesObject => {
  const [own = '', namespace] = name.split('/').reverse();
  return { apiVersion, kind, metadata: { name: own, ...(namespace && { namespace }), labels }, spec };
};
const namespace = (name: string, labels?: Labels) => object('v1', 'Namespace', name, labels);
const pod = (name: string, labels?: Labels) => object('v1', 'Pod', name, labels);
const service = (name: string, labels?: Labels) => object('v1', 'Service', name, labels);
const entry = (name: string, labels?: Labels) => object('networking.istio.io/v1', 'ServiceEntry', name, labels);
const gateway = (name: string, gatewayClassName: string, labels?: Labels, listeners: readonly object[] = []) =>
  object('gateway.networking.k8s.io/v1', 'Gateway', name, labels, { gatewayClassName, listeners });
const waypointClass = object('gateway.networking.k8s.io/v1', 'GatewayClass', 'istio-waypoint');

function mesh(options: IstioMeshOptions, ...upsert: readonly KubernetesObject[]): Topology {
  const topology = createTopology({ targetKinds: istioMesh(options) });
  topology.apply({ upsert: [namespace('istio-system'), waypointClass, ...upsert] });
  return topology;
}

const pathsIn = (topology: Topology, locator: string) => [...topology.pathsTo(locator)].map((path) => formatPath(path));
const pathsTo = (locator: string, ...resources: readonly KubernetesObject[]) =>
  pathsIn(mesh({}, ...(resources.some(isShop) ? [] : [namespace('shop')]), ...resources), locator);
const isShop = ({ kind, metadata }: KubernetesObject) => kind === 'Namespace' && metadata.name === 'shop';

describe('istioMesh', () => {
  it('has workloads below their Namespace, and Namespaces below the mesh', () => {
    expect(pathsTo('pod:shop/cart', pod('shop/cart'), pod('shop/list'))).toEqual([
      'Mesh istio-system > Namespace shop > Pod shop/cart',
    ]);
  });

  it('has Gateways there too, and the Pods that run them below, but no classes', () => {
    const label = { 'gateway.networking.k8s.io/gateway-name': 'edge' };
    const resources = [
      gateway('shop/edge', 'istio'),
      pod('shop/edge-1', label),
      object('gateway.networking.k8s.io/v1', 'GatewayClass', 'istio'),
    ];
    expect(pathsTo('pod:shop/edge-1', ...resources)).toEqual([
      'Mesh istio-system > Namespace shop > Gateway shop/edge > Pod shop/edge-1',
    ]);
  });

  it('has a Namespace as soon as anything in it is known, and the actual one once that is there', () => {
    const topology = mesh({}, pod('shop/cart'));
    expect(pathsIn(topology, 'pod:shop/cart')).toEqual(['Mesh istio-system > Namespace shop > Pod shop/cart']);
    const proved = topology.get('namespace:shop')?.resource;
    topology.apply({ upsert: [pod('shop/a'), pod('shop/list')] });
    expect(topology.get('namespace:shop')?.resource).toBe(proved);
    const actual = namespace('shop', { team: 'shop' });
    topology.apply({ upsert: [actual] });
    expect(topology.get('namespace:shop')?.resource).toBe(actual);
    topology.apply({ remove: ['namespace:shop', 'pod:shop/a', 'pod:shop/cart', 'pod:shop/list'] });
    expect(topology.get('namespace:shop')).toBeUndefined();
  });

  it('names the mesh by its root namespace, which does not need a Namespace', () => {
    const options = { rootNamespace: 'mesh-config' };
    expect(pathsIn(mesh(options, namespace('shop'), pod('shop/a'), pod('mesh-config/b')), 'pod:shop/a')).toEqual([
      'Mesh mesh-config > Namespace shop > Pod shop/a',
    ]);
    expect(mesh(options, namespace('shop')).get('mesh.mesh.policy-machinery:mesh-config')).toBeUndefined();
  });

  it('has the Pod templates of manifests as workloads with that option', () => {
    const deployment = object('apps/v1', 'Deployment', 'shop/cart', {}, { template: {} });
    const topology = mesh({ workloads: 'templates' }, namespace('shop'), deployment);
    expect(pathsIn(topology, 'pod:shop/cart-*')).toEqual(['Mesh istio-system > Namespace shop > Pod shop/cart-*']);
  });
});

describe('the waypoints of istioMesh', () => {
  const use = (name: string, where?: string): Labels => ({
    'istio.io/use-waypoint': name,
    ...(where && { 'istio.io/use-waypoint-namespace': where }),
  });
  const waypoint = (name: string, labels?: Labels, ...listeners: readonly object[]) =>
    gateway(name, 'istio-waypoint', labels, listeners);
  const served = 'GatewayClass istio-waypoint > Gateway shop/w > Service shop/cart';
  const all = { name: 'mesh', allowedRoutes: { namespaces: { from: 'All' } } };

  it('are below their class, and not below their Namespace (I-03)', () => {
    expect(pathsTo('gateway.gateway.networking.k8s.io:shop/w', waypoint('shop/w'))).toEqual([
      'GatewayClass istio-waypoint > Gateway shop/w',
    ]);
  });

  const tunnel = { name: 'mesh', port: 15008, protocol: 'HBONE' };

  it.each([
    ['Gateways of another class, with a listener of the mesh', 'own-waypoint', tunnel, true],
    ['no Gateways between clusters, which have such a listener', 'istio-east-west', tunnel, false],
    ['no Gateways with other listeners', 'istio', { name: 'http', port: 80, protocol: 'HTTP' }, false],
  ])('are %s', (_, gatewayClassName, listener, isWaypoint) => {
    const resources = [gateway('shop/w', gatewayClassName, {}, [listener])];
    const inNamespace = 'Mesh istio-system > Namespace shop > Gateway shop/w';
    expect(pathsTo('gateway.gateway.networking.k8s.io:shop/w', ...resources)).toEqual([
      isWaypoint ? 'Gateway shop/w' : inNamespace,
    ]);
  });

  it.each<[string, readonly KubernetesObject[], boolean]>([
    ['its label says so', [service('shop/cart', use('w')), waypoint('shop/w')], true],
    ['its Namespace says so', [namespace('shop', use('w')), service('shop/cart'), waypoint('shop/w')], true],
    [
      'its label names another',
      [namespace('shop', use('w')), service('shop/cart', use('x')), waypoint('shop/w')],
      false,
    ],
    ['its label opts out', [namespace('shop', use('w')), service('shop/cart', use('none')), waypoint('shop/w')], false],
    ['nothing says so', [service('shop/cart'), waypoint('shop/w')], false],
    ['the Gateway is not a waypoint', [service('shop/cart', use('w')), gateway('shop/w', 'istio')], false],
    [
      'it is for workloads',
      [service('shop/cart', use('w')), waypoint('shop/w', { 'istio.io/waypoint-for': 'workload' })],
      false,
    ],
    ['it is for all', [service('shop/cart', use('w')), waypoint('shop/w', { 'istio.io/waypoint-for': 'all' })], true],
  ])('serve a Service if %s', (_, resources, isServed) => {
    expect(pathsTo('service:shop/cart', ...resources)).toEqual([isServed ? served : 'Service shop/cart']);
  });

  it.each<[string, Labels, Labels, readonly object[], boolean]>([
    ['by its label, if a listener allows it', use('w', 'infra'), {}, [all], true],
    ['by its Namespace, if a listener allows it', {}, use('w', 'infra'), [all], true],
    ['by its Namespace, not without a listener that allows it', {}, use('w', 'infra'), [{ name: 'mesh' }], false],
    ['not without a listener that allows it', use('w', 'infra'), {}, [{ name: 'mesh' }], false],
    ['not if its label names no namespace', use('w'), {}, [all], false],
    ['not if the label of its Namespace names none', {}, use('w'), [all], false],
  ])('serve a Service of another namespace %s', (_, ofService, ofNamespace, listeners, isServed) => {
    const topology = mesh(
      {},
      namespace('infra'),
      namespace('shop', ofNamespace),
      service('shop/cart', ofService),
      waypoint('infra/w', {}, ...listeners),
    );
    const expected = isServed
      ? 'GatewayClass istio-waypoint > Gateway infra/w > Service shop/cart'
      : 'Service shop/cart';
    expect(pathsIn(topology, 'service:shop/cart')).toEqual([expected]);
  });

  it('are above a Service once, even if its Namespace names them in several ways', () => {
    const labels = use('w', 'shop');
    expect(
      pathsTo('service:shop/cart', namespace('shop', labels), service('shop/cart'), waypoint('shop/w', {}, all)),
    ).toEqual([served]);
  });

  it('serve ServiceEntries in the same way', () => {
    const locator = 'serviceentry.networking.istio.io:shop/tax';
    expect(pathsTo(locator, namespace('shop', use('w')), entry('shop/tax'), waypoint('shop/w'))).toEqual([
      'GatewayClass istio-waypoint > Gateway shop/w > ServiceEntry shop/tax',
    ]);
  });

  it('report why they refuse a Service that names them', () => {
    const topology = mesh({}, namespace('shop'), service('shop/cart', use('w')), gateway('shop/w', 'istio'));
    expect(topology.refused.map(({ reason }) => reason)).toEqual(['NoWaypoint']);
  });

  it('follow the labels of Namespaces', () => {
    const topology = mesh({}, namespace('shop'), service('shop/cart'), waypoint('shop/w'));
    expect(pathsIn(topology, 'service:shop/cart')).toEqual(['Service shop/cart']);
    topology.apply({ upsert: [namespace('shop', use('w'))] });
    expect(pathsIn(topology, 'service:shop/cart')).toEqual([served]);
  });
});

describe('changes of a mesh', () => {
  const use = (...values: readonly string[]) =>
    fc.constantFrom<Labels>({}, ...values.map((value) => ({ 'istio.io/use-waypoint': value })));
  const run = fc.constantFrom<Labels>({}, { 'gateway.networking.k8s.io/gateway-name': 'g' });
  const space = fc.constantFrom('shop', 'infra');
  const resource = fc.oneof(
    fc
      .tuple(space, use('g', 'none'), fc.constantFrom<Labels>({}, { 'istio.io/use-waypoint-namespace': 'infra' }))
      .map(([name, labels, where]) => namespace(name, { ...labels, ...where })),
    fc.tuple(space, run).map(([where, labels]) => pod(`${where}/p`, labels)),
    fc.tuple(space, use('g', 'none')).map(([where, labels]) => service(`${where}/s`, labels)),
    fc.tuple(space, use('g')).map(([where, labels]) => entry(`${where}/e`, labels)),
    fc
      .tuple(space, fc.constantFrom('istio', 'istio-waypoint'), fc.constantFrom('Same', 'All'))
      .map(([where, name, from]) => gateway(`${where}/g`, name, {}, [{ allowedRoutes: { namespaces: { from } } }])),
  );
  const change = fc.record({ resource, isRemoved: fc.boolean() });

  const all = (topology: Topology) =>
    [...topology.targets].map(({ locator }) => [locator, pathsIn(topology, locator)] as const).sort();

  it('have the same results as starting over', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const topology = mesh({});
        const there = new Map<string, KubernetesObject>();
        for (const { resource, isRemoved } of changes) {
          const { kind, metadata } = resource;
          const key = `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
          if (isRemoved) there.delete(key);
          else there.set(key, resource);
          topology.apply(isRemoved ? { remove: [resource] } : { upsert: [resource] });
          expect(all(topology)).toEqual(all(mesh({}, ...there.values())));
        }
      }),
    );
  });
});
