import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { type IstioOptions, istio } from './istio.ts';

const policy = (namespace: string | undefined, spec: object): KubernetesObject => ({
  apiVersion: 'security.istio.io/v1',
  kind: 'AuthorizationPolicy',
  metadata: { name: 'p', ...(namespace !== undefined && { namespace }) },
  spec: spec as KubernetesObject['spec'],
});
const read = (namespace: string, spec: object, options?: IstioOptions) =>
  istio(options).readTargets(policy(namespace, spec));
const ref = (group: string, kind: string, name: string, more = {}) => ({ group, kind, name, ...more });
const gateway = 'gateway.networking.k8s.io';
const labelled = { selector: { matchLabels: { app: 'cart' } } };

describe('istio', () => {
  it.each<[string, object]>([
    ['no targets', {}],
    ['an empty selector', { selector: {} }],
    ['a selector without labels', { selector: { matchLabels: {} } }],
    ['an empty list of targets', { targetRefs: [] }],
  ])('selects the namespace of a policy with %s, and the mesh in the root namespace (I-01)', (_, spec) => {
    const pointer = '/metadata/namespace';
    expect(read('shop', spec).refs).toEqual([{ group: '', kind: 'Namespace', name: 'shop', pointer }]);
    expect(read('istio-system', spec).refs).toEqual([
      { group: 'mesh.policy-machinery', kind: 'Mesh', name: 'istio-system', pointer },
    ]);
    expect(read('shop', spec, { rootNamespace: 'shop' }).refs).toMatchObject([{ kind: 'Mesh', name: 'shop' }]);
  });

  it('selects workloads by label: of its namespace, and in the root namespace of all (I-02)', () => {
    const selected = { group: '', kind: 'Pod', matchLabels: { app: 'cart' }, pointer: '/spec/selector' };
    expect(read('shop', labelled).selectors).toEqual([{ ...selected, namespaces: { from: 'Same' } }]);
    expect(read('istio-system', labelled).selectors).toEqual([{ ...selected, namespaces: { from: 'All' } }]);
  });

  it('refuses a selector in the root namespace for kinds that ignore it there', () => {
    const options = { rootSelectors: 'nothing' } as const;
    expect(read('istio-system', labelled, options).issues).toMatchObject([{ pointer: '/spec/selector' }]);
    expect(read('shop', labelled, options).selectors).toHaveLength(1);
  });

  it('takes targets by name, old and new, with the core group spelled in two ways', () => {
    const service = ref('core', 'Service', 'cart');
    const expected = ref('', 'Service', 'cart');
    expect(read('shop', { targetRef: service }).refs).toMatchObject([expected]);
    expect(read('shop', { targetRefs: [service, ref(gateway, 'Gateway', 'w')] }).refs).toMatchObject([
      expected,
      ref(gateway, 'Gateway', 'w'),
    ]);
    expect(read('shop', { targetRefs: [{ ...service, namespace: 'shop' }] }).issues).toEqual([]);
  });

  it('takes the class of waypoints in the root namespace', () => {
    expect(read('istio-system', { targetRefs: [ref(gateway, 'GatewayClass', 'istio-waypoint')] }).issues).toEqual([]);
  });

  it.each<[string, string | undefined, { kind: string; name: string; namespace?: string }, boolean]>([
    ['a class, without a namespace', undefined, { kind: 'GatewayClass', name: 'istio-waypoint' }, true],
    ['a target of another namespace, without one', undefined, { kind: 'Gateway', name: 'w', namespace: 'shop' }, true],
    ['a target of the default namespace, without one', undefined, { kind: 'Gateway', name: 'w' }, false],
    ['a class, in the root namespace', 'istio-system', { kind: 'GatewayClass', name: 'istio-waypoint' }, false],
  ])('leaves open whether a policy affects %s', (_, namespace, to, isOpen) => {
    const declared = { group: gateway, ...to };
    const { kind, name, namespace: own } = to;
    const found = {
      apiVersion: `${gateway}/v1`,
      kind,
      metadata: { name, ...(own !== undefined && { namespace: own }) },
    };
    const { readTargets, refuses } = istio();
    const unnamed = policy(namespace, { targetRefs: [declared] });
    expect(readTargets(unnamed)).toMatchObject({ refs: [{ name }], issues: [] });
    expect(refuses(found, undefined as never, undefined, unnamed) !== undefined).toBe(isOpen);
  });

  it.each<[string, string, object, string]>([
    ['both targets and a selector', 'shop', { targetRefs: [ref('', 'Service', 'a')], ...labelled }, '/spec/selector'],
    ['another namespace', 'shop', { targetRefs: [ref('', 'Service', 'a', { namespace: 'b' })] }, '/spec/targetRefs/0'],
    ['a section', 'shop', { targetRefs: [ref('', 'Service', 'a', { sectionName: 'b' })] }, '/spec/targetRefs/0'],
    ['a class', 'shop', { targetRefs: [ref(gateway, 'GatewayClass', 'istio-waypoint')] }, '/spec/targetRefs/0'],
    ['another class', 'istio-system', { targetRefs: [ref(gateway, 'GatewayClass', 'x')] }, '/spec/targetRefs/0'],
  ])('refuses %s', (_, namespace, spec, pointer) => {
    expect(read(namespace, spec).issues).toMatchObject([{ code: 'invalid-target-ref', severity: 'error', pointer }]);
  });
});
