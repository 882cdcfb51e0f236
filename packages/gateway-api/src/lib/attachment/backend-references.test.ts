import { type KubernetesObject, objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { cluster, clusterWith, linksOf, referenceGrant, route, service } from '../gateway-api.fixture.ts';
import { gatewayApi } from '../gateway-api.ts';

const stock = service('stock', [{ name: 'web', port: 80 }], 'warehouse');
const toStock = { name: 'stock', namespace: 'warehouse', port: 80 };
const shopRoute = (kind: string, ...rules: readonly object[]) => route(kind, 'r', { rules }, 'shop');
const fromShop = (kind = 'HTTPRoute') => ({ kind, namespace: 'shop' });
const services = { group: '', kind: 'Service' };

describe('backendRefs to another namespace (T-24, T-25)', () => {
  it.each([
    ['any Service', referenceGrant('warehouse', [fromShop()], [services]), true],
    ['this Service', referenceGrant('warehouse', [fromShop()], [{ ...services, name: 'stock' }]), true],
    ['another Service', referenceGrant('warehouse', [fromShop()], [{ ...services, name: 'prices' }]), false],
    [
      'one of several',
      referenceGrant('warehouse', [fromShop('TCPRoute'), fromShop()], [{ ...services, name: 'prices' }, services]),
      true,
    ],
    ['another kind of route', referenceGrant('warehouse', [fromShop('GRPCRoute')], [services]), false],
    ['routes elsewhere', referenceGrant('warehouse', [{ ...fromShop(), namespace: 'x' }], [services]), false],
    ['another kind of backend', referenceGrant('warehouse', [fromShop()], [{ group: '', kind: 'Secret' }]), false],
    ['any Service, given by the referrer', referenceGrant('shop', [fromShop()], [services]), false],
  ])('with a grant of %s', (_, grant, isLinked) => {
    const topology = cluster(stock, grant, shopRoute('HTTPRoute', { backendRefs: [toStock] }));
    expect(linksOf(topology)).toEqual(isLinked ? ['HTTPRoute shop/r#rule-1 > Service warehouse/stock#web'] : []);
    expect(topology.refused.map(({ reason }) => reason)).toEqual(isLinked ? [] : ['RefNotPermitted']);
  });

  it('end when the grant is revoked, for every kind of route', () => {
    for (const kind of ['HTTPRoute', 'GRPCRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute']) {
      const grant = referenceGrant('warehouse', [fromShop(kind)], [services]);
      const topology = cluster(stock, grant, shopRoute(kind, { backendRefs: [toStock] }));
      expect(linksOf(topology)).toHaveLength(1);
      topology.apply({ remove: [grant] });
      expect(linksOf(topology)).toEqual([]);
    }
  });

  it('report the missing grant and not the Service', () => {
    const told = (...resources: readonly KubernetesObject[]) => {
      const { issues, unresolved, refused } = cluster(...resources, shopRoute('HTTPRoute', { backendRefs: [toStock] }));
      return { issues, unresolved, refused: refused.map(({ to, message }) => [to, message]) };
    };
    expect(told(stock)).toEqual(told());
    expect(told(stock).unresolved).toEqual([]);
  });
});

describe('backendRefs to another namespace, of routes in a mesh (GEP-1294)', () => {
  const toGateway = { name: 'edge' };
  const toService = { group: '', kind: 'Service', name: 'stock', namespace: 'warehouse' };
  const linked = (mesh: boolean, parentRefs: unknown) => {
    const hung = route('HTTPRoute', 'r', { parentRefs, rules: [{ backendRefs: [toStock] }] }, 'shop');
    return linksOf(clusterWith({ mesh }, stock, hung)).some((link) => link.startsWith('HTTPRoute'));
  };

  it.each([
    ['a Service', true, [toService], true],
    ['two Services', true, [toService, { ...toService, port: 80 }], true],
    ['a Service and a Gateway', true, [toService, toGateway], false],
    ['a Service and what is no parent', true, [toService, { kind: 'Service' }], false],
    ['a Gateway', true, [toGateway], false],
    ['nothing', true, [], false],
    ['a Service, where there is no mesh', false, [toService], false],
  ])('need a grant unless they are for a mesh only: parents are %s', (_, mesh, parentRefs, expected) => {
    expect(linked(mesh, parentRefs)).toBe(expected);
  });
});

describe('request mirrors', () => {
  const mirror = (name: string, namespace?: string) => ({
    type: 'RequestMirror',
    requestMirror: { backendRef: { name, port: 80, ...(namespace === undefined ? {} : { namespace }) } },
  });
  const links = (...rules: readonly object[]) => {
    const backends = ['cart', 'shadow', 'copy'].map((name) => service(name, [{ port: 80 }], 'shop'));
    return linksOf(cluster(...backends, stock, shopRoute('HTTPRoute', ...rules)));
  };
  const toCart = { name: 'cart', port: 80 };

  it('are backends of their rule', () => {
    expect(links({ backendRefs: [toCart], filters: [mirror('shadow'), mirror('copy')] })).toEqual([
      'HTTPRoute shop/r#rule-1 > Service shop/cart#80',
      'HTTPRoute shop/r#rule-1 > Service shop/copy#80',
      'HTTPRoute shop/r#rule-1 > Service shop/shadow#80',
    ]);
  });

  it('are backends where a backend has them', () => {
    expect(links({}, { backendRefs: [{ ...toCart, filters: [mirror('shadow')] }] })).toEqual([
      'HTTPRoute shop/r#rule-2 > Service shop/cart#80',
      'HTTPRoute shop/r#rule-2 > Service shop/shadow#80',
    ]);
  });

  it.each([
    ['of another type', [{ ...mirror('shadow'), type: 'URLRewrite' }]],
    ['without a backend', [{ type: 'RequestMirror' }, { type: 'RequestMirror', requestMirror: { backendRef: 5 } }]],
    ['to another namespace, without a grant', [mirror('stock', 'warehouse')]],
    ['that are no list', 'RequestMirror'],
  ])('are none %s', (_, filters) => {
    expect(links({ filters })).toEqual([]);
  });

  it('have their pointers if they dangle', () => {
    const { unresolved } = cluster(
      shopRoute('HTTPRoute', {}, { filters: [{}, mirror('x')], backendRefs: [{ filters: [mirror('y')] }] }),
    );
    expect(unresolved.map(({ reference }) => reference.pointer)).toEqual([
      '/spec/rules/1/backendRefs/0/filters/0/requestMirror/backendRef',
      '/spec/rules/1/filters/1/requestMirror/backendRef',
    ]);
  });
});

describe('backends of kinds that a user adds', () => {
  const portsOf = (field: string, number: string) => ({
    list: (resource: KubernetesObject) =>
      objectsIn(specOf(resource)[field]).map((value) => ({ name: stringIn(value.name) ?? `${value[number]}`, value })),
  });
  const ServiceImport = defineTargetKind({
    group: 'multicluster.x-k8s.io',
    kind: 'ServiceImport',
    sections: { port: portsOf('ports', 'port') },
  });
  const InferencePool = defineTargetKind({
    group: 'inference.networking.k8s.io',
    kind: 'InferencePool',
    sections: { port: portsOf('targetPorts', 'number') },
  });
  const resources = [
    [
      ServiceImport,
      {
        ports: [
          { name: 'web', port: 80 },
          { name: 'admin', port: 81 },
        ],
      },
    ],
    [InferencePool, { targetPorts: [{ number: 8000 }] }],
  ] as const;

  it.each([
    ['the port of a ServiceImport', ServiceImport, { port: 81 }, 'ServiceImport shop/x#admin'],
    ['a whole ServiceImport', ServiceImport, {}, 'ServiceImport shop/x'],
    ['an InferencePool, whose port does not count', InferencePool, { port: 80 }, 'InferencePool shop/x'],
    ['an InferencePool', InferencePool, {}, 'InferencePool shop/x'],
  ])('are linked: %s', (_, { group, kind }, port, expected) => {
    const topology = createTopology({ targetKinds: [...gatewayApi(), ServiceImport, InferencePool] });
    topology.apply({
      upsert: [
        ...resources.map(([of, spec]) => ({
          apiVersion: `${of.group}/v1`,
          kind: of.kind,
          metadata: { name: 'x', namespace: 'shop' },
          spec,
        })),
        shopRoute('HTTPRoute', { backendRefs: [{ group, kind, name: 'x', ...port }] }),
      ],
    });
    expect(linksOf(topology)).toEqual([`HTTPRoute shop/r#rule-1 > ${expected}`]);
  });
});
