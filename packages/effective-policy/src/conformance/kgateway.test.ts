import { appendText } from '@policy-machinery/merge';
import { definePolicyKind, kgateway } from '@policy-machinery/policy-kind';
import { type KubernetesObject, objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import { lineage, lineageRef } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import vectors from '../../vectors/kgateway.json' with { type: 'json' };
import { anySpec, colorPolicy, compute } from './policies.fixture.ts';

const annotation = 'kgateway.dev/inherited-policy-priority';

/** The effective specs of the last target of a lineage, by the first name of the path. */
function effectiveOf(
  paths: readonly string[],
  policies: readonly (readonly [target: string, spec: object, weight?: string])[],
  modes: Readonly<Record<string, string>> = {},
) {
  const { kind, kinds, resources } = lineage(...paths);
  const leaf = kind(paths[0]?.split(' > ').at(-1)?.[0] ?? '');
  const Policies = definePolicyKind({
    ...kgateway({ deep: { '/headers/*': appendText() } }),
    group: 'colors.example.com',
    version: 'v1',
    kind: 'ColorPolicy',
    targets: kinds,
    effectiveTargets: [leaf],
    spec: anySpec,
  });
  const declared = policies.map(([target, spec, weight], index) => {
    const policy = colorPolicy(`p${index}`, target, spec, index);
    return weight === undefined ? policy : annotate(policy, 'kgateway.dev/policy-weight', weight);
  });
  const annotated = resources.map((resource) => {
    const mode = modes[resource.metadata.name];
    return mode === undefined ? resource : annotate(resource, annotation, mode);
  });
  const { effective } = compute(Policies, kinds, [...annotated, ...declared]);
  const byRoot = [...effective].flatMap((policy) =>
    [...policy.paths()].map((path) => [path[0]?.ref.name, policy.spec] as const),
  );
  return Object.fromEntries(byRoot);
}

function annotate(resource: KubernetesObject, key: string, value: string): KubernetesObject {
  return { ...resource, metadata: { ...resource.metadata, annotations: { [key]: value } } };
}

const [example, delegation, shallowHeaders, deepHeaders] = vectors as unknown as readonly [
  { policies: readonly { id: string; attach: string; fields: readonly string[] }[]; origins: Record<string, string[]> },
  { parents: Record<string, string>; expect: Record<string, object> },
  { mode: string; parent: object; child: object; expect: object },
  { mode: string; chain: readonly object[]; expect: object },
];

describe('the kgateway profile', () => {
  it('lets each parent say whether it or its child is preferred, with separate results (V-G-10943, H-11)', () => {
    const parent = { transformation: 'P', rateLimit: 'P' };
    const results = effectiveOf(
      ['f1 > c1', 'b1 > c1'],
      [
        ['f1', parent],
        ['b1', parent],
        ['c1', { transformation: 'C' }],
      ],
      { f1: delegation.parents['parent-foo'] ?? '', b1: delegation.parents['parent-bar'] ?? '' },
    );
    expect([results.f1, results.b1]).toEqual(Object.values(delegation.expect));
  });

  it('merges top-level fields as wholes, the child first (V-G-DOC-SHALLOW, G-07)', () => {
    const { parent, child, mode, expect: expected } = shallowHeaders;
    const results = effectiveOf(
      ['p1 > c1'],
      [
        ['p1', { headers: parent }],
        ['c1', { headers: child }],
      ],
      { p1: mode },
    );
    expect(results.p1).toEqual({ headers: expected });
  });

  it('joins values where a field asks for it, the parents first (V-G-DOC-DEEP, G-07)', () => {
    const [first = {}, second = {}, third = {}] = deepHeaders.chain;
    const results = effectiveOf(
      ['p1 > c1 > d1'],
      [
        ['p1', { headers: first }],
        ['c1', { headers: second }],
        ['d1', { headers: third }],
      ],
      { p1: deepHeaders.mode, c1: deepHeaders.mode },
    );
    expect(results.p1).toEqual({ headers: deepHeaders.expect });
  });

  it('prefers the older of one level, and lets the newer add fields (G-01)', () => {
    const results = effectiveOf(
      ['r1'],
      [
        ['r1', { cors: 'older' }],
        ['r1', { cors: 'newer', rateLimit: 'newer' }],
      ],
    );
    expect(results.r1).toEqual({ cors: 'older', rateLimit: 'newer' });
  });

  it('prefers the greater weight before age (G-12)', () => {
    const results = effectiveOf(
      ['r1'],
      [
        ['r1', { cors: 'older' }],
        ['r1', { cors: 'heavier' }, '10'],
        ['r1', { cors: 'lighter' }, '-1'],
      ],
    );
    expect(results.r1).toEqual({ cors: 'heavier' });
  });

  it('prefers the older of two policies on a parent that is preferred (G-01, G-05)', () => {
    const results = effectiveOf(
      ['p1 > c1'],
      [
        ['p1', { cors: 'older' }],
        ['p1', { cors: 'newer', rateLimit: 'newer' }],
        ['c1', { cors: 'child', rateLimit: 'child', retry: 'child' }],
      ],
      { p1: 'ShallowMergePreferParent' },
    );
    expect(results.p1).toEqual({ cors: 'older', rateLimit: 'newer', retry: 'child' });
  });

  it.each([
    ['DeepMergePreferParent', 'both,child'],
    ['DeepMergePreferChild', 'both'],
  ])('joins the values of a policy once, though it is on the parent and on the child (%s)', (mode, expected) => {
    const { kind, kinds, resources } = lineage('p1 > c1');
    const Policies = definePolicyKind({
      ...kgateway({ deep: { '/header': appendText() } }),
      group: 'colors.example.com',
      version: 'v1',
      kind: 'ColorPolicy',
      targets: kinds,
      effectiveTargets: [kind('c')],
      spec: anySpec,
    });
    const both = { targetRefs: [lineageRef('p1'), lineageRef('c1')], header: 'both' };
    const policies = [
      { ...colorPolicy('older', 'c1', {}), spec: both },
      colorPolicy('newer', 'c1', { header: 'child' }, 1),
    ];
    const annotated = resources.map((it) => annotate(it, annotation, mode));
    const [policy] = compute(Policies, kinds, [...annotated, ...policies]).effective;
    expect(policy?.spec).toEqual({ header: expected });
  });

  it('prefers a policy on the parent, though it is on the child as well (G-05)', () => {
    const { kind, kinds, resources } = lineage('p1 > c1');
    const Policies = definePolicyKind({
      ...kgateway(),
      group: 'colors.example.com',
      version: 'v1',
      kind: 'ColorPolicy',
      targets: kinds,
      effectiveTargets: [kind('c')],
      spec: anySpec,
    });
    const both = { targetRefs: [lineageRef('p1'), lineageRef('c1')], cors: 'both' };
    const policies = [
      colorPolicy('older', 'c1', { cors: 'child' }),
      { ...colorPolicy('newer', 'c1', {}, 1), spec: both },
    ];
    const annotated = resources.map((it) => annotate(it, annotation, 'ShallowMergePreferParent'));
    const [policy] = compute(Policies, kinds, [...annotated, ...policies]).effective;
    expect(policy?.spec).toEqual({ cors: 'both' });
  });

  it('takes an unknown value of the annotation for the default (G-05)', () => {
    const results = effectiveOf(
      ['p1 > c1'],
      [
        ['p1', { cors: 'parent' }],
        ['c1', { cors: 'child' }],
      ],
      { p1: 'PreferNobody' },
    );
    expect(results.p1).toEqual({ cors: 'child' });
  });
});

describe('the kgateway profile on one Gateway (G-02)', () => {
  it('puts policies of a listener before policies of the Gateway, the older ones first on each (V-004-ORD)', () => {
    const Gateway = defineTargetKind({
      group: 'routes.example.com',
      kind: 'Gateway',
      sections: {
        listener: { list: (gateway) => objectsIn(specOf(gateway).listeners).map((value) => ({ name: 'http', value })) },
      },
    });
    const Policies = definePolicyKind({
      ...kgateway(),
      group: 'colors.example.com',
      version: 'v1',
      kind: 'ColorPolicy',
      targets: [Gateway, Gateway.sections.listener],
      effectiveTargets: [Gateway.sections.listener],
      spec: anySpec,
    });
    const edge = { group: 'routes.example.com', kind: 'Gateway', name: 'edge' };
    const on = (sectionName: string | undefined, id: string, seconds: number, fields: readonly string[]) => ({
      ...colorPolicy(id, 'r1', {}, seconds),
      spec: {
        targetRefs: [sectionName === undefined ? edge : { ...edge, sectionName }],
        ...Object.fromEntries(fields.map((field) => [field, id])),
      },
    });
    const gateway = {
      apiVersion: 'routes.example.com/v1',
      kind: 'Gateway',
      metadata: { name: 'edge', namespace: 'default' },
      spec: { listeners: [{}] },
    };
    const policies = [
      on(undefined, 'gateway-old', 0, ['a', 'b', 'c', 'd']),
      on(undefined, 'gateway-new', 1, ['c', 'd', 'e']),
      on('http', 'listener-old', 2, ['a']),
      on('http', 'listener-new', 3, ['a', 'b']),
    ];
    const [policy] = compute(Policies, [Gateway], [gateway, ...policies]).effective;
    expect(policy?.spec).toEqual({
      a: 'listener-old',
      b: 'listener-new',
      c: 'gateway-old',
      d: 'gateway-old',
      e: 'gateway-new',
    });
  });
});

describe('the kgateway profile on one route (G-03)', () => {
  /** A route whose rules can name policies themselves. */
  const Route = defineTargetKind({
    group: 'routes.example.com',
    kind: 'Route',
    sections: {
      rule: {
        list: (route) => objectsIn(specOf(route).rules).map((value) => ({ name: stringIn(value.name), value })),
        *policyRefs({ index, value: { extensionRef } }) {
          if (typeof extensionRef !== 'string') return;
          const pointer = `/spec/rules/${index}/extensionRef`;
          yield { group: 'colors.example.com', kind: 'ColorPolicy', name: extensionRef, pointer };
        },
      },
    },
  });
  const Policies = definePolicyKind({
    ...kgateway(),
    extensionRefs: true,
    group: 'colors.example.com',
    version: 'v1',
    kind: 'ColorPolicy',
    targets: [Route, Route.sections.rule],
    effectiveTargets: [Route.sections.rule],
    spec: anySpec,
    ownValue: ({ section }) => section?.value.own as Record<string, unknown> | undefined,
  });
  const target = { group: 'routes.example.com', kind: 'Route', name: 'example-route' };
  const targetRefs: Record<string, object> = {
    ExtensionRef: {},
    'targetRef+sectionName rule0': { targetRefs: [{ ...target, sectionName: 'rule0' }] },
    targetRef: { targetRefs: [target] },
  };

  function effectiveOf(rule: object, policies: readonly { id: string; attach: string; fields: readonly string[] }[]) {
    const route = {
      apiVersion: 'routes.example.com/v1',
      kind: 'Route',
      metadata: { name: 'example-route', namespace: 'default' },
      spec: { rules: [{ name: 'rule0', ...rule }, { name: 'other' }] },
    };
    const declared = policies.map(({ id, attach, fields }, index) => {
      const spec = Object.fromEntries(fields.map((field) => [field, id]));
      return { ...colorPolicy(id, 'r1', {}, index), spec: { ...targetRefs[attach], ...spec } };
    });
    return compute(Policies, [Route], [route, ...declared]);
  }

  it('puts ExtensionRef before the rule, and the rule before the route (V-004-MERGE)', () => {
    const { topology, effective } = effectiveOf({ extensionRef: 'extensionref-policy' }, example.policies);
    expect([...topology.issues, ...effective.issues]).toEqual([]);
    const [policy] = effective.of('route.routes.example.com:default/example-route#rule0');
    const origins = Object.keys(example.origins).map((field) => [
      field,
      policy?.originsOf(`/${field}`).map((origin) => origin.policy.resource.metadata.name),
    ]);
    expect(Object.fromEntries(origins)).toEqual(example.origins);
  });

  it('puts older policies first, each way by itself (V-004-ORD)', () => {
    const policies = [
      { id: 'whole-old', attach: 'targetRef', fields: ['a', 'b'] },
      { id: 'rule-old', attach: 'targetRef+sectionName rule0', fields: ['a'] },
      { id: 'rule-new', attach: 'targetRef+sectionName rule0', fields: ['a', 'b', 'c'] },
      { id: 'named', attach: 'ExtensionRef', fields: ['c'] },
    ];
    const [policy] = effectiveOf({ extensionRef: 'named' }, policies).effective.of(
      'route.routes.example.com:default/example-route#rule0',
    );
    expect(policy?.spec).toEqual({ a: 'rule-old', b: 'rule-new', c: 'named' });
  });

  it("puts the rule's own fields before all policies (G-09, X-25)", () => {
    const policies = [{ id: 'named', attach: 'ExtensionRef', fields: ['timeout', 'retry'] }];
    const [policy] = effectiveOf({ extensionRef: 'named', own: { timeout: 'native' } }, policies).effective;
    expect(policy?.spec).toEqual({ timeout: 'native', retry: 'named' });
    expect(policy?.originOf('/timeout')?.policy.locator).toContain('example-route#rule0');
    expect(policy?.losses).toMatchObject([{ pointer: '/timeout', rule: 'less-specific' }]);
  });

  it('reports a policy that is named and does not exist', () => {
    expect(effectiveOf({ extensionRef: 'nobody' }, []).topology.issues).toMatchObject([
      { code: 'missing-policy', severity: 'error', pointer: '/spec/rules/0/extensionRef' },
    ]);
  });

  it('lets policies of the global namespace alone select targets in all namespaces', () => {
    const Route = defineTargetKind({ group: 'example.com', kind: 'Route' });
    const route = (namespace: string): KubernetesObject => ({
      apiVersion: 'example.com/v1',
      kind: 'Route',
      metadata: { name: 'cart', namespace, labels: { app: 'cart' } },
    });
    const colored = (namespace: string, targets: object): KubernetesObject => ({
      apiVersion: 'colors.example.com/v1',
      kind: 'ColorPolicy',
      metadata: { name: `of-${namespace}`, namespace },
      spec: { ...targets, [namespace]: true },
    });
    const selected = { targetSelectors: [{ group: 'example.com', kind: 'Route', matchLabels: { app: 'cart' } }] };
    const named = { targetRefs: [{ group: 'example.com', kind: 'Route', name: 'cart' }] };
    const specs = (globalPolicyNamespace?: string) => {
      const ColorPolicy = definePolicyKind({
        ...kgateway(globalPolicyNamespace === undefined ? {} : { globalPolicyNamespace }),
        group: 'colors.example.com',
        version: 'v1',
        kind: 'ColorPolicy',
        targets: [Route],
        spec: anySpec,
        targetSelectors: true,
      });
      const objects = [
        route('shop'),
        route('depot'),
        colored('global', selected),
        colored('shop', selected),
        colored('depot', named),
      ];
      const { effective } = compute(ColorPolicy, [Route], objects);
      return Object.fromEntries([...effective].map(({ target, spec }) => [target.ref.namespace, spec]));
    };
    expect(specs('global')).toEqual({ shop: { shop: true, global: true }, depot: { depot: true, global: true } });
    expect(specs()).toEqual({ shop: { shop: true }, depot: { depot: true } });
  });
});
