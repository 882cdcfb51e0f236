import { celConditions } from '@policy-machinery/cel';
import { customStrategy, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind, kuadrant } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';

const { kind, kinds, resources } = lineage('a1 > b1');
const failing = customStrategy<Record<string, unknown>>({
  defaults: () => {
    throw new Error('out of paint');
  },
});
const definition = {
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  targets: [kind('a'), kind('b')],
  effectiveTargets: [kind('b')],
  spec: anySpec,
  stanzas: defaultsAndOverrides({
    strategies: { patch, failing },
    defaultStrategy: 'patch',
    together: 'defaults-and-overrides',
  }),
} as const;

/** What becomes of policies on the way to b1, written as `[target, spec]`: p1, p2 …, each newer than the one before. */
function sharesOf(Colors: ReturnType<typeof definePolicyKind>, ...policies: readonly (readonly [string, object])[]) {
  const declared = policies.map(([target, spec], index) => colorPolicy(`p${index + 1}`, target, spec, index));
  const [policy] = compute(Colors, kinds, [...resources, ...declared]).effective;
  return Object.fromEntries(policy?.shares.map((share) => [share.policy.name.replace('default/', ''), share]) ?? []);
}

describe('EffectivePolicy.shares', () => {
  it('names the parts of each policy that could not be carried out, and counts it as partly in force', () => {
    const shares = sharesOf(
      definePolicyKind(definition),
      ['a1', { defaults: { strategy: 'failing', red: 1 }, overrides: { green: 2 } }],
      ['b1', { blue: 3 }],
    );
    expect(shares.p1).toMatchObject({ outcome: 'partly-enforced', issues: [{ code: 'strategy-failed' }] });
    expect(shares.p2).toMatchObject({ outcome: 'enforced', issues: [] });
  });

  it('counts a policy without fields as overridden, whatever conditions of other policies are not met', () => {
    const Limits = definePolicyKind({
      ...definition,
      ...kuadrant({ rules: ['/limits'], conditions: celConditions() }),
    });
    const above = {
      defaults: { strategy: 'merge', when: 'has(spec.red)', blue: { shade: 1 } },
      overrides: { red: { shade: 1 } },
    };
    expect(sharesOf(Limits, ['b1', {}], ['a1', above])).toMatchObject({
      p1: { outcome: 'overridden', contributes: false },
      p2: { outcome: 'partly-enforced', contributes: true },
    });
  });

  it('counts a policy as merged if another policy contributes, not if only the target does', () => {
    const Colors = definePolicyKind({ ...definition, ownValue: () => ({ blue: 0 }) });
    expect(sharesOf(Colors, ['a1', { red: 1 }])).toMatchObject({ p1: { contributes: true, isMerged: false } });
    expect(sharesOf(Colors, ['a1', { red: 1 }], ['b1', { green: 2 }])).toMatchObject({
      p1: { contributes: true, isMerged: true },
      p2: { contributes: true, isMerged: true },
    });
  });

  it('reports policies rejected on any level as in conflict and not merged', () => {
    const Single = definePolicyKind({ ...definition, sameLevel: 'reject-newer' });
    const rejected = { outcome: 'conflicted', contributes: false, isMerged: false };
    expect(
      sharesOf(Single, ['a1', { red: 1 }], ['a1', { red: 2 }], ['b1', { blue: 3 }], ['b1', { blue: 4 }]),
    ).toMatchObject({
      p2: rejected,
      p4: rejected,
    });
  });

  it('has one object for the share of a policy in all contexts where it fares alike', () => {
    const { resources, kind, kinds } = lineage('a1 > b1 > c1', 'b1 > c2');
    const Colors = definePolicyKind({
      ...definition,
      targets: [kind('a'), kind('b'), kind('c')],
      effectiveTargets: [kind('c')],
    });
    const policies = [colorPolicy('p0', 'a1', { red: 1, green: 1 }, 0), colorPolicy('p1', 'b1', { red: 2 }, 1)];
    const sharesBelow = (spec: object) => {
      const { effective } = compute(Colors, kinds, [...resources, ...policies, colorPolicy('p2', 'c1', spec, 2)]);
      return [...effective].map(({ shares }) => Object.fromEntries(shares.map((it) => [it.policy.name, it])));
    };
    const [one, other] = sharesBelow({ blue: 3 });
    expect(Object.keys(other ?? {})).toEqual(['default/p1', 'default/p0']);
    for (const [name, share] of Object.entries(other ?? {})) expect(one?.[name]).toBe(share);
    const [without, within] = sharesBelow({ red: 4 });
    expect([without, within].map((it) => it?.['default/p1']?.outcome)).toEqual(['overridden', 'enforced']);
  });
});
