import { patch } from '@policy-machinery/merge';
import { byChallenger, defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { type JsonObject, specOf } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';

const { kind, kinds, resources } = lineage('a1 > b1', 'a1 > b2');
const painted = resources.map((resource) => {
  return resource.metadata.name === 'b1'
    ? { ...resource, spec: { ...specOf(resource), own: { red: 0, blue: 0 } } }
    : resource;
});
const definition = {
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  targets: [kind('a'), kind('b')],
  effectiveTargets: [kind('b')],
  spec: anySpec,
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
};
const Colors = definePolicyKind({
  ...definition,
  ownValue: ({ resource, ref }) => {
    const { own } = specOf(resource);
    if (own === 'unreadable') throw new Error(`${ref.name} is unreadable`);
    return own as JsonObject | undefined;
  },
});
const b1 = 'b.lineage.example.com:default/b1';

describe('effectivePolicies with values of the target itself (M-13)', () => {
  it('treats them as the most specific default, which wins over any default and yields to any override', () => {
    const policies = [
      colorPolicy('p1', 'a1', { overrides: { red: 1 } }),
      colorPolicy('p2', 'b1', { defaults: { red: 2, blue: 2, green: 2 } }),
    ];
    const { effective } = compute(Colors, kinds, [...painted, ...policies]);
    const [policy] = effective.of(b1);
    expect(policy?.spec).toEqual({ red: 1, blue: 0, green: 2 });
    expect(policy?.originOf('/blue')?.policy).toMatchObject({ locator: b1, name: 'default/b1' });
    expect(policy?.levels.map(({ target }) => target.ref.name)).toEqual(['a1', 'b1']);
    expect(policy?.losses.map(({ layer, pointer, rule }) => [layer.policy.name, pointer, rule])).toEqual([
      ['default/p2', '/red', 'more-specific'],
      ['default/p2', '/blue', 'more-specific'],
      ['default/b1', '/red', 'less-specific'],
    ]);
  });

  it('lacks an effective policy for a target with an own value and no policies', () => {
    const { effective } = compute(Colors, kinds, painted);
    expect([...effective]).toEqual([]);
    expect(effective.uncovered(b1)).toHaveLength(1);
  });

  it('follows an edit of a policy to set a field besides the own value', () => {
    const { topology, effective } = compute(Colors, kinds, [...painted, colorPolicy('p1', 'a1', { blue: 1 })]);
    const affecting = () => effective.explain(b1).policies.map(({ name }) => name);
    expect(affecting()).toEqual([]); // The target itself sets blue.
    effective.takeChanges();
    topology.apply({ upsert: [colorPolicy('p1', 'a1', { green: 1 })] });
    expect(effective.takeChanges().affectedObjects).toContain(b1);
    expect(affecting()).toEqual(['default/p1']);
  });

  it('follows changes of own values, and the policies that affect the target then', () => {
    const { topology, effective } = compute(Colors, kinds, [...resources, colorPolicy('p1', 'b1', { red: 1 })]);
    const affecting = () => effective.explain(b1).policies.map(({ name }) => name);
    expect(affecting()).toEqual(['default/p1']);
    topology.apply({ upsert: painted });
    expect(effective.of(b1)[0]?.spec).toEqual({ red: 0, blue: 0 });
    expect(affecting()).toEqual([]);
    topology.apply({ upsert: resources });
    expect(effective.of(b1)[0]?.spec).toEqual({ red: 1 });
    expect(affecting()).toEqual(['default/p1']);
  });

  it('reports a target with an unreadable own value, and ignores the value', () => {
    const broken = resources.map((resource) => ({ ...resource, spec: { ...specOf(resource), own: 'unreadable' } }));
    const { effective } = compute(Colors, kinds, [...broken, colorPolicy('p1', 'a1', { red: 1 })]);
    expect([...effective].map(({ spec }) => spec)).toEqual([{ red: 1 }, { red: 1 }]);
    expect(effective.issues).toMatchObject([
      {
        code: 'unreadable-resource',
        severity: 'error',
        resource: b1,
        message: expect.stringContaining('b1 is unreadable'),
      },
      { code: 'unreadable-resource', resource: 'b.lineage.example.com:default/b2' },
    ]);
  });
});

describe('values of the target itself that may prevail', () => {
  const Open = definePolicyKind({
    ...definition,
    ownValue: ({ resource }) => specOf(resource).own as JsonObject | undefined,
    undecidedOwnValue: ({ resource }) => specOf(resource).open as JsonObject | undefined,
  });
  const withOpen = (open: JsonObject | undefined, own?: JsonObject) =>
    resources.map((it) => ({ ...it, spec: { ...specOf(it), ...(open && { open }), ...(own && { own }) } }));
  const outcomesOf = (effective: ReturnType<typeof compute>['effective']) =>
    effective.of(b1).map(({ spec, shares }) => [spec, ...shares.map(({ outcome }) => outcome)]);

  it.each<[string, JsonObject, JsonObject | undefined, readonly unknown[]]>([
    ['a field of the policy', { red: 0 }, undefined, [{ red: 1, blue: 1 }, 'undecided']],
    ['a field that the policy has lost', { red: 0 }, { red: 0 }, [{ red: 0, blue: 1 }, 'partly-enforced']],
    ['a field of no policy', { green: 0 }, undefined, [{ red: 1, blue: 1 }, 'enforced']],
    ['the value of the policy', { red: 1 }, undefined, [{ red: 1, blue: 1 }, 'enforced']],
  ])('leave policies undecided that would lose: %s', (_, open, own, expected) => {
    const { effective } = compute(Open, kinds, [...withOpen(open, own), colorPolicy('p1', 'a1', { red: 1, blue: 1 })]);
    expect(outcomesOf(effective)).toEqual([expected]);
    expect(effective.of(b1)[0]?.alternatives).toHaveLength(2);
  });

  it('are followed', () => {
    const policy = colorPolicy('p1', 'a1', { red: 1 });
    const { topology, effective } = compute(Open, kinds, [...withOpen(undefined), policy]);
    const outcomes: unknown[] = [];
    for (const open of [undefined, { red: 0 }, { blue: 0 }]) {
      topology.apply({ upsert: withOpen(open) });
      outcomes.push(effective.of(b1)[0]?.shares[0]?.outcome);
    }
    expect(outcomes).toEqual(['enforced', 'undecided', 'enforced']);
  });
});

describe('the own value of a target, whatever the fold (X-25)', () => {
  const effectiveWith = (options: Partial<typeof Colors>, ownValue: () => Record<string, unknown>) => {
    const { fold = 'bottom-up', ownValuePrecedence = 'most-specific' } = options;
    const Paints = definePolicyKind({ ...definition, fold, ownValuePrecedence, ownValue });
    const policies = [colorPolicy('p1', 'a1', { red: 1, blue: 1 }), colorPolicy('p2', 'b1', { green: 2 })];
    return compute(Paints, kinds, [...resources, ...policies]).effective.of(b1)[0]?.spec;
  };

  it.each(['bottom-up', 'gep-stack', 'closest-parent'] as const)('below and above all policies: %s', (fold) => {
    const red = () => ({ red: 0 });
    const all = { blue: 1, green: 2, red: 0 };
    expect(effectiveWith({ fold }, red)).toEqual(all);
    expect(effectiveWith({ fold, ownValuePrecedence: 'highest' }, red)).toEqual(all);
  });

  it('yields to overrides, whatever chooses the strategy (M-13)', () => {
    const Paints = definePolicyKind({
      ...definition,
      strategyChooser: byChallenger,
      ownValue: () => ({ red: 0, blue: 0 }),
    });
    const policy = colorPolicy('p1', 'a1', { overrides: { red: 1 } });
    const [effective] = compute(Paints, kinds, [...resources, policy]).effective.of(b1);
    expect(effective?.spec).toEqual({ red: 1, blue: 0 });
  });

  it('leaves out undefined fields (M-14)', () => {
    expect(effectiveWith({}, () => ({ red: undefined }))).toEqual({ red: 1, blue: 1, green: 2 });
  });
});

describe('the own values of targets above effective targets (GEP-1619)', () => {
  const world = lineage('a1 > b1 > c1', 'a1 > b2 > c1', 'a1 > b2 > c2');
  const sessions = {
    ...definition,
    targets: [world.kind('a'), world.kind('c')],
    effectiveTargets: [world.kind('c')],
    ownValueTargets: [world.kind('b')],
    ownValuePrecedence: 'highest',
    ownValue: ({ resource }: TargetNode) => specOf(resource).own as JsonObject | undefined,
  } as const;
  const Sessions = definePolicyKind(sessions);
  const withOwn = (name: string, own: JsonObject | undefined) =>
    world.resources
      .filter(({ metadata }) => metadata.name === name)
      .map((resource) => ({ ...resource, spec: { ...specOf(resource), ...(own === undefined ? {} : { own }) } }));
  const others = world.resources.filter(({ metadata }) => metadata.name !== 'b1');
  const [c1, c2] = ['c1', 'c2'].map((name) => `c.lineage.example.com:default/${name}`) as [string, string];
  const policies = [
    colorPolicy('above', 'a1', { overrides: { blue: 1 } }),
    colorPolicy('there', 'c1', { defaults: { red: 1, green: 1 } }),
  ];
  const { topology, effective } = compute(Sessions, world.kinds, [
    ...others,
    ...withOwn('b1', { red: 0 }),
    ...policies,
  ]);
  const specsOf = (target: string) => effective.of(target).map(({ spec }) => spec);

  it('prevail in the contexts through their targets alone', () => {
    expect(specsOf(c1)).toEqual([
      { red: 0, blue: 1, green: 1 },
      { red: 1, blue: 1, green: 1 },
    ]);
    const [through] = effective.of(c1);
    expect(through?.originOf('/red')?.policy).toMatchObject({ name: 'default/b1' });
    expect(through?.levels.map(({ target }) => target.ref.name)).toEqual(['a1', 'c1']);
    expect(
      through?.losses.map(({ layer, pointer, winners: [by] }) => [layer.policy.name, pointer, by?.policy.name]),
    ).toEqual([['default/there', '/red', 'default/b1']]);
  });

  it('make no effective policy where no policy is', () => {
    topology.apply({ remove: policies });
    expect([...effective]).toEqual([]);
    expect(effective.uncovered(c1)).not.toHaveLength(0);
    topology.apply({ upsert: policies });
  });

  it.each([
    [
      'another value',
      { red: 7 },
      [
        { red: 7, blue: 1, green: 1 },
        { red: 1, blue: 1, green: 1 },
      ],
    ],
    ['none', undefined, [{ red: 1, blue: 1, green: 1 }]],
    [
      'a value again',
      { green: 5 },
      [
        { red: 1, blue: 1, green: 5 },
        { red: 1, blue: 1, green: 1 },
      ],
    ],
  ])('are followed: %s', (_, own, specs) => {
    effective.takeChanges();
    topology.apply({ upsert: withOwn('b1', own) });
    expect(effective.takeChanges().targets).toEqual([c1]);
    expect(specsOf(c1)).toEqual(specs);
    expect(specsOf(c2)).toEqual([{ blue: 1 }]);
  });

  it('count once at an effective target, and in the contexts through it', () => {
    const Both = definePolicyKind({ ...sessions, effectiveTargets: [world.kind('b'), world.kind('c')] });
    const all = [
      ...others,
      ...withOwn('b1', { red: 0 }),
      colorPolicy('above', 'a1', { defaults: { red: 1, blue: 1 } }),
    ];
    const { topology, effective } = compute(Both, world.kinds, all);
    const [there] = effective.of('b.lineage.example.com:default/b1');
    expect(there?.spec).toEqual({ red: 0, blue: 1 });
    expect(there?.layers.map(({ policy }) => policy.name)).toEqual(['default/above', 'default/b1']);
    const specsBelow = () => effective.of(c1).map(({ spec }) => spec);
    expect(specsBelow()).toContainEqual({ red: 0, blue: 1 });
    effective.takeChanges();
    topology.apply({ upsert: withOwn('b1', { red: 7 }) });
    expect(effective.takeChanges().targets).toEqual(['b.lineage.example.com:default/b1', c1]);
    expect(effective.of('b.lineage.example.com:default/b1').map(({ spec }) => spec)).toEqual([{ red: 7, blue: 1 }]);
    expect(specsBelow()).toContainEqual({ red: 7, blue: 1 });
  });

  it('yield to policies below as defaults, and prevail over those above', () => {
    const Defaults = definePolicyKind({ ...sessions, ownValuePrecedence: 'most-specific' });
    const painted = withOwn('b1', { red: 0, white: 0 });
    const paler = colorPolicy('paler', 'a1', { defaults: { white: 1, red: 9 } });
    const { effective } = compute(Defaults, world.kinds, [...others, ...painted, ...policies.slice(1), paler]);
    expect(effective.of(c1)[0]?.spec).toEqual({ red: 1, green: 1, white: 0 });
  });
});
