import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { lineage, lineageRef } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';
import { effectivePolicies } from '../effective-policies.ts';
import { statusQueries } from '../status-queries-of.ts';
import type { Explanation } from './explain.ts';

const { kinds, kind, resources } = lineage('g1 > r1 > b1', 'g1 > r2 > b1', 'g2 > r3 > b2');
const Colors = definePolicyKind({
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  spec: anySpec,
  targets: [kind('g'), kind('r'), kind('b')],
  effectiveTargets: [kind('b')],
  stanzas: defaultsAndOverrides({ strategies: { patch }, together: 'defaults-and-overrides' }),
});
const policies = [
  colorPolicy('strict', 'g1', { overrides: { red: 1 }, defaults: { blue: 1, rules: { x: 1, y: 1 } } }),
  colorPolicy('route', 'r1', { red: 2, rules: { x: 2 } }, 1),
  colorPolicy('lost', 'r2', { red: 3 }, 2),
];
const { topology, effective } = compute(Colors, kinds, [...resources, ...policies]);
const at = (name: string) => ({ ...lineageRef(name), namespace: 'default' });
const locator = (name: string) => `colorpolicy.colors.example.com:default/${name}`;
const namesIn = ({ policies: affecting }: Explanation<unknown>) => affecting.map(({ name }) => name);

describe('EffectivePolicies.explain (D-09)', () => {
  it('names the policies that affect a target: those at the target or above that set a field', () => {
    expect(namesIn(effective.explain(at('b1')))).toEqual(['default/strict', 'default/route']);
    expect(namesIn(effective.explain(at('r1')))).toEqual(['default/strict', 'default/route']);
    expect(namesIn(effective.explain(at('r2')))).toEqual(['default/strict']);
    expect(namesIn(effective.explain(at('g1')))).toEqual(['default/strict']);
  });

  it('explains a single field: its origin, the losers, and the rule', () => {
    const told = effective
      .explain(at('b1'), '/red')
      .effective.map(({ policy, fields }) => [
        [...policy.paths()].map((path) => path[1]?.ref.name),
        fields.map(({ pointer, value, by, over }) => [
          pointer,
          value,
          by.map((it) => it.policy.name),
          over.map((it) => [it.layer.policy.name, it.value, it.rule]),
        ]),
      ]);
    expect(told).toEqual([
      [['r1'], [['/red', 1, ['default/strict'], [['default/route', 2, 'less-specific']]]]],
      [['r2'], [['/red', 1, ['default/strict'], [['default/lost', 3, 'less-specific']]]]],
    ]);
  });

  it('explains all fields below a pointer, in contexts with such fields', () => {
    const { effective: told } = effective.explain(at('r1'), '/rules');
    expect(told.map(({ fields }) => fields.map(({ pointer }) => pointer))).toEqual([['/rules/x', '/rules/y']]);
    expect(effective.explain(at('b1'), '/nowhere').effective).toEqual([]);
  });

  it('explains a target above the effective targets by the contexts through it', () => {
    expect(effective.explain(at('r2')).effective).toHaveLength(1);
    expect(effective.explain(at('g1')).effective).toHaveLength(2);
  });

  it('is empty for a target that no policy affects, and for a missing one', () => {
    expect(effective.explain(at('g2'))).toEqual({ target: topology.get(at('g2')), policies: [], effective: [] });
    expect(effective.explain('r.lineage.example.com:default/r9')).toEqual({
      target: undefined,
      policies: [],
      effective: [],
    });
  });

  it('refuses a malformed pointer', () => {
    expect(() => effective.explain(at('b1'), 'red')).toThrow(TypeError);
  });
});

describe('EffectivePolicies.reach (H-14)', () => {
  const reached = (name: string, pointer?: string) =>
    effective
      .reach(locator(name), pointer)
      .map((it) => [
        it.effective.target.ref.name,
        [...it.effective.paths()].map((path) => path[1]?.ref.name).join(),
        it.outcome,
        it.losses.map((loss) => loss.pointer).join(),
      ]);

  it('lists the scopes of a policy, with the outcome in each', () => {
    expect(reached('strict')).toEqual([
      ['b1', 'r1', 'partly-enforced', '/rules/x'],
      ['b1', 'r2', 'enforced', ''],
    ]);
    expect(reached('route')).toEqual([['b1', 'r1', 'partly-enforced', '/red']]);
    expect(reached('lost')).toEqual([['b1', 'r2', 'overridden', '']]);
  });

  it('answers for one named rule of a policy (K-15)', () => {
    expect(reached('strict', '/rules/x')).toEqual([
      ['b1', 'r1', 'overridden', '/rules/x'],
      ['b1', 'r2', 'enforced', ''],
    ]);
    expect(reached('strict', '/rules').map(([, , outcome]) => outcome)).toEqual(['partly-enforced', 'enforced']);
    expect(reached('strict', '/other')).toEqual([]);
  });

  it('accepts a reference instead of a locator, and is empty for a missing policy', () => {
    const ref = { group: 'colors.example.com', kind: 'ColorPolicy', namespace: 'default', name: 'lost' };
    expect(effective.reach(ref)).toHaveLength(1);
    expect(effective.reach({ ...ref, name: 'none' })).toEqual([]);
  });

  it('refuses a malformed pointer', () => {
    expect(() => effective.reach(locator('strict'), 'red')).toThrow(TypeError);
  });
});

describe('EffectivePolicies.affected', () => {
  it('lists the targets that policies affect, with the parents on the way', () => {
    const told = effective.affected.map(({ target, policies: its }) => [
      target.ref.name,
      its.map(({ policy, parents }) => [policy.name, [...parents].map(({ ref }) => ref.name)]),
    ]);
    expect(told).toEqual([
      [
        'b1',
        [
          ['default/strict', ['r1', 'r2']],
          ['default/route', ['r1']],
        ],
      ],
      ['g1', [['default/strict', []]]],
      [
        'r1',
        [
          ['default/strict', ['g1']],
          ['default/route', ['g1']],
        ],
      ],
      ['r2', [['default/strict', ['g1']]]],
    ]);
  });
});

describe('EffectivePolicy.shares', () => {
  it('has the outcome of each policy of a context, and whether it set a field', () => {
    const [throughR1] = effective.of(at('b1'));
    expect(throughR1?.shares.map(({ policy, outcome, contributes }) => [policy.name, outcome, contributes])).toEqual([
      ['default/route', 'partly-enforced', true],
      ['default/strict', 'partly-enforced', true],
    ]);
  });
});

describe('EffectivePolicies.leftOut', () => {
  it('lists the effective targets with too many contexts, which are without effective policies', () => {
    const few = effectivePolicies(topology, Colors, { maxContexts: 1 });
    expect(statusQueries(few).leftOut.map(({ ref }) => ref.name)).toEqual(['b1']);
    expect(few.of(at('b1'))).toEqual([]);
    expect(statusQueries(effective).leftOut).toEqual([]);
  });
});

describe('EffectivePolicies.in', () => {
  it('computes effective policies of another topology with the same limits, and shares equal results', () => {
    const few = effectivePolicies(topology, Colors, { maxContexts: 1 });
    const [gone] = policies;
    const changed = topology.with({ remove: [gone as KubernetesObject] }).topology;
    expect(statusQueries(few.in(changed)).leftOut.map(({ ref }) => ref.name)).toEqual(['b1']);

    const wider = topology.with({ upsert: [colorPolicy('new', 'r3', { red: 9 }, 9)] }).topology;
    const after = effective.in(wider);
    const specs = (view: typeof effective) => [...view].map(({ target, spec }) => [target.ref.name, spec]);
    expect(specs(after)).toEqual(specs(effectivePolicies(wider, Colors)));
    expect(after.of(at('b1')).map(({ spec }) => spec)).toEqual(effective.of(at('b1')).map(({ spec }) => spec));
    expect(after.of(at('b1'))[0]?.spec).toBe(effective.of(at('b1'))[0]?.spec);
  });

  it('refuses a topology that does not know the kind', () => {
    const other = createTopology({ targetKinds: kinds });
    expect(() => effective.in(other)).toThrow(expect.objectContaining({ code: 'unknown-kind' }));
  });
});
