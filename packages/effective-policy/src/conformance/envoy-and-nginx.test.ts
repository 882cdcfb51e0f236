import { definePolicyKind, envoyGateway, nginxGatewayFabric, type Profile } from '@policy-machinery/policy-kind';
import { type KubernetesObject, objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import { defineTargetKind, type TargetKind } from '@policy-machinery/topology';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from './policies.fixture.ts';

/** The effective policy of r1 below g1 and s1, a Gateway and something between them. */
function effectiveOf(profile: Profile, policies: readonly (readonly [string, object])[]) {
  const { kind, kinds, resources } = lineage('g1 > s1 > r1');
  const Policies = definePolicyKind({
    ...profile,
    group: 'colors.example.com',
    version: 'v1',
    kind: 'ColorPolicy',
    targets: kinds,
    effectiveTargets: [kind('r')],
    spec: anySpec,
  });
  const declared = policies.map(([target, spec], index) => colorPolicy(`p${index + 1}`, target, spec, index));
  const { effective } = compute(Policies, kinds, [...resources, ...declared]);
  expect(effective.issues).toEqual([]);
  const [policy] = effective;
  const losses = policy?.losses.map(({ layer, winners, pointer, strategy, rule }) => {
    const names = winners.map((winner) => winner.policy.name).join();
    return `${layer.policy.name}${pointer} < ${names}: ${strategy}, ${rule}`.replaceAll('default/', '');
  });
  return { spec: policy?.spec, losses };
}

const group = 'x.example.com';

/** A Gateway with listeners, and a Route that hangs below all of them. */
const Gateway = defineTargetKind({ group, kind: 'Gateway', sections: { listener: sectionsIn('listeners') } });
const Route = defineTargetKind({
  group,
  kind: 'Route',
  sections: { rule: sectionsIn('rules') },
  *references() {
    yield { direction: 'up', to: { group, kind: 'Gateway', name: 'x' }, toSections: () => true, pointer: '/spec' };
  },
});
const gateways = { Gateway, listener: Gateway.sections.listener };
const routes = { Route, rule: Route.sections.rule };

function sectionsIn(field: string) {
  return {
    list: (it: KubernetesObject) =>
      objectsIn(specOf(it)[field]).map((value) => ({ name: stringIn(value.name), value })),
  };
}

function resource({ kind }: TargetKind, spec: object): KubernetesObject {
  return { apiVersion: `${group}/v1`, kind, metadata: { name: 'x', namespace: 'default' }, spec };
}

const profile = envoyGateway({ mergeKeys: { '/rules': { keys: ['name'] } } });

describe('the envoyGateway profile', () => {
  const parent = { timeout: 1, rules: [{ name: 'a', limit: 1, burst: 1 }] };
  const child = { rules: [{ name: 'a', limit: 2 }] };

  it('lets the route replace its parents without a mergeType (E-01)', () => {
    const { spec, losses } = effectiveOf(profile, [
      ['g1', parent],
      ['r1', child],
    ]);
    expect(spec).toEqual(child);
    expect(losses).toEqual(['p1 < p2: Atomic defaults, more-specific']);
  });

  it('merges with JSON Merge Patch: lists are replaced (E-03)', () => {
    const policies = [['g1', parent] as const, ['r1', { mergeType: 'JSONMerge', ...child }] as const];
    expect(effectiveOf(profile, policies).spec).toEqual({ timeout: 1, ...child });
  });

  it.each([
    ['as it does, by replacing the list', undefined, [2]],
    ['by joining the list, if you choose so', 'both', [2, 1]],
  ] as const)('merges rules of rate limits with JSON Merge Patch %s', (_, joinedRateLimits, expected) => {
    const limits = (limit: number) => ({ rateLimit: { global: { rules: [{ limit }] } } });
    const { spec } = effectiveOf(envoyGateway(joinedRateLimits === undefined ? {} : { joinedRateLimits }), [
      ['g1', limits(1)],
      ['r1', { mergeType: 'JSONMerge', ...limits(2) }],
    ]);
    expect(spec).toEqual({ rateLimit: { global: { rules: expected.map((limit) => ({ limit })) } } });
  });

  it('merges strategically: lists with a merge key item by item (E-03)', () => {
    const policies = [['g1', parent] as const, ['r1', { mergeType: 'StrategicMerge', ...child }] as const];
    expect(effectiveOf(profile, policies).spec).toEqual({ timeout: 1, rules: [{ name: 'a', limit: 2, burst: 1 }] });
  });

  it.each([
    ['ab', 'bc', 'abc'],
    ['ab', 'cb', 'cab'],
    ['ab', 'ba', 'ba'],
    ['abc', 'dc', 'dabc'],
  ])(
    'orders lists with a merge key as Kubernetes does: %s of the parent and %s give %s (E-03)',
    (above, below, all) => {
      const named = (names: string) => ({ rules: [...names].map((name) => ({ name })) });
      const policies = [
        ['g1', named(above)] as const,
        ['r1', { mergeType: 'StrategicMerge', ...named(below) }] as const,
      ];
      expect(effectiveOf(profile, policies).spec).toEqual(named(all));
    },
  );

  it('merges with the closest parent only, and says so of the others (E-02)', () => {
    const { spec, losses } = effectiveOf(profile, [
      ['g1', { gateway: 1 }],
      ['s1', { set: 1 }],
      ['r1', { mergeType: 'JSONMerge', route: 1 }],
    ]);
    expect(spec).toEqual({ set: 1, route: 1 });
    expect(losses).toEqual(['p1 < p2,p3: Atomic defaults, more-specific']);
  });

  it.each([
    ['the listener', ['Gateway', 'listener', 'Route', 'rule'], { on: 'rule', listener: 1, rule: 1 }],
    ['the Gateway where the listener has none', ['Gateway', 'Route', 'rule'], { on: 'rule', Gateway: 1, rule: 1 }],
    ['nobody where only the route has one', ['Route', 'rule'], { on: 'rule', rule: 1 }],
    ['nobody: a listener has no parent', ['Gateway', 'listener'], { on: 'listener', listener: 1 }],
  ])(
    "merges the policy of a rule with the policy of %s, never with its own route's (E-02, E-06)",
    (_who, on, expected) => {
      const targets = { ...gateways, ...routes };
      const Policies = definePolicyKind({
        ...profile,
        group: 'colors.example.com',
        version: 'v1',
        kind: 'ColorPolicy',
        targets: Object.values(targets),
        effectiveTargets: [Route.sections.rule],
        spec: anySpec,
      });
      const declared = on.map((place, index) => {
        const { group, kind } = place in gateways ? Gateway : Route;
        const section = place === kind ? {} : { sectionName: place };
        const targetRefs = [{ group, kind, name: 'x', ...section }];
        return {
          ...colorPolicy(`p${index}`, 'r1', {}),
          spec: { targetRefs, mergeType: 'JSONMerge', on: place, [place]: 1 },
        };
      });
      const resources = [
        resource(Gateway, { listeners: [{ name: 'listener' }] }),
        resource(Route, { rules: [{ name: 'rule' }] }),
      ];
      const [policy] = compute(Policies, [Gateway, Route], [...resources, ...declared]).effective;
      expect(policy?.spec).toEqual(expected);
    },
  );

  it('keeps the oldest policy of a target, in conflict with all others (E-05, C-12)', () => {
    const { spec, losses } = effectiveOf(profile, [
      ['r1', { older: 1 }],
      ['r1', { newer: 1 }],
    ]);
    expect(spec).toEqual({ older: 1 });
    expect(losses).toEqual(['p2 < p1: None, older']);
  });

  it("lets a child's null remove the fields of its parent, even if none is set (E-03, M-20)", () => {
    const taking = { mergeType: 'StrategicMerge', timeout: null, retries: 1 };
    expect(effectiveOf(profile, [['r1', taking]]).spec).toEqual({ retries: 1 });
    expect(
      effectiveOf(profile, [
        ['g1', parent],
        ['r1', taking],
      ]).spec,
    ).toEqual({ rules: parent.rules, retries: 1 });
  });

  it('refuses a mergeType that it does not know (P-09)', () => {
    const { kind, kinds, resources } = lineage('r1');
    const Policies = definePolicyKind({
      ...profile,
      group: 'colors.example.com',
      version: 'v1',
      kind: 'ColorPolicy',
      targets: [kind('r')],
      spec: anySpec,
    });
    const policy = colorPolicy('p1', 'r1', { mergeType: 'Replace', a: 1 });
    const { effective } = compute(Policies, kinds, [...resources, policy]);
    expect([...effective]).toEqual([]);
    expect(effective.issues).toMatchObject([{ code: 'invalid-spec', pointer: '/spec/mergeType' }]);
  });
});

describe('the nginxGatewayFabric profile', () => {
  it('lets policies stay beside each other that set no field twice; who was rejected rejects nobody (V-N-01)', () => {
    const { spec, losses } = effectiveOf(nginxGatewayFabric(), [
      ['r1', { body: { maxSize: 'A' } }],
      ['r1', { body: { maxSize: 'B', timeout: 'B' } }],
      ['r1', { body: { timeout: 'C' } }],
    ]);
    expect(spec).toEqual({ body: { maxSize: 'A', timeout: 'C' } });
    expect(losses).toEqual(['p2 < p1: None, older']);
  });

  it("lets a policy that sets nothing stand in nobody's way", () => {
    const { spec } = effectiveOf(nginxGatewayFabric(), [
      ['r1', {}],
      ['r1', { body: 1 }],
    ]);
    expect(spec).toEqual({ body: 1 });
  });

  it('takes fields that a route does not set from its Gateway (N-03)', () => {
    const { spec } = effectiveOf(nginxGatewayFabric(), [
      ['g1', { keepAlive: { timeout: 1, requests: 1 } }],
      ['r1', { keepAlive: { requests: 2 } }],
    ]);
    expect(spec).toEqual({ keepAlive: { timeout: 1, requests: 2 } });
  });
});
