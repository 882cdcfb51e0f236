import { celConditions } from '@policy-machinery/cel';
import { atomic, namedRules, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind, withConditions } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';

const { kind, kinds, resources } = lineage('a1 > b1 > c1');
const language = celConditions();
const reader = defaultsAndOverrides({ strategies: { patch, atomic, merge: namedRules('/limits') }, together: 'all' });
const Colors = definePolicyKind({
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  targets: [kind('a'), kind('b'), kind('c')],
  effectiveTargets: [kind('c')],
  spec: anySpec,
  stanzas: withConditions(withConditions(reader, language), language, { field: 'whenResult', on: 'result' }),
});

/** The effective policy of c1, from policies written as `[target, spec]`: p1, p2 … */
function effectiveOf(...policies: readonly (readonly [string, object])[]) {
  const declared = policies.map(([target, spec], index) => colorPolicy(`p${index + 1}`, target, spec, index));
  const [policy] = compute(Colors, kinds, [...resources, ...declared]).effective;
  if (policy === undefined) throw new Error('No policy reaches c1');
  return policy;
}

const cap = (red: number) =>
  ['b1', { overrides: { whenResult: `spec.red > ${red}`, strategy: 'patch', red } }] as const;
const above = (red: number) => ['a1', { defaults: { strategy: 'patch', red } }] as const;
const below = (red: number) => ['c1', { strategy: 'patch', red }] as const;

describe('a condition on the result', () => {
  it('caps a default from above, which a condition on the spec below does not', () => {
    const onBelow = ['b1', { overrides: { when: 'spec.red > 100', strategy: 'patch', red: 100 } }] as const;
    expect(effectiveOf(above(500), onBelow).spec).toEqual({ red: 500 });
    expect(effectiveOf(above(500), cap(100)).spec).toEqual({ red: 100 });
    expect(effectiveOf(above(500), cap(100), ['c1', { blue: 1 }]).spec).toEqual({ red: 100, blue: 1 });
  });

  it('caps a value below, and leaves a smaller one unchanged', () => {
    expect(effectiveOf(cap(100), below(500)).spec).toEqual({ red: 100 });
    expect(effectiveOf(cap(100), below(50)).spec).toEqual({ red: 50 });
    expect(effectiveOf(above(500), cap(100), below(50)).spec).toEqual({ red: 50 });
  });

  it('does not hold where no policy sets the field', () => {
    expect(effectiveOf(cap(100), ['c1', { blue: 1 }]).spec).toEqual({ blue: 1 });
    expect(effectiveOf(cap(100)).spec).toEqual({});
  });

  it('leaves overrides from above free to differ, and does not depend on them', () => {
    const override = ['a1', { overrides: { strategy: 'patch', red: 500 } }] as const;
    expect(effectiveOf(override, cap(100)).spec).toEqual({ red: 500 });
    expect(effectiveOf(override, cap(100), below(200)).spec).toEqual({ red: 500 });
  });

  it('sees the results of other caps below', () => {
    const lower = ['c1', { overrides: { whenResult: 'spec.red > 80', strategy: 'patch', red: 80 } }] as const;
    const higher = ['b1', { overrides: { whenResult: 'spec.red == 80', strategy: 'patch', blue: 1 } }] as const;
    expect(effectiveOf(above(500), higher, lower).spec).toEqual({ red: 80, blue: 1 });
    expect(effectiveOf(above(70), higher, lower).spec).toEqual({ red: 70 });
  });

  it('replaces everything below if its strategy does', () => {
    const whole = ['b1', { overrides: { whenResult: 'spec.red > 100', strategy: 'atomic', red: 100 } }] as const;
    expect(effectiveOf(above(500), whole, ['c1', { blue: 1 }]).spec).toEqual({ red: 100 });
  });

  it('caps a named rule', () => {
    const limits = (perUser: number) => ({ strategy: 'merge', limits: { global: { perUser } } });
    const rule = { whenResult: 'spec.limits.global.perUser > 50', ...limits(50) };
    expect(effectiveOf(['a1', { defaults: limits(500) }], ['b1', { overrides: rule }]).spec).toEqual({
      limits: { global: { perUser: 50 } },
    });
  });

  it('names the policies with values that do not meet it as winners, and takes fields like any override', () => {
    const unmet = effectiveOf(above(50), cap(100));
    expect(
      unmet.losses.map(({ layer, winners, rule }) => [layer.policy.name, winners.map((it) => it.policy.name), rule]),
    ).toEqual([['default/p2', ['default/p1'], 'condition-not-met']]);
    const met = effectiveOf(above(500), cap(100));
    expect(met.losses.map(({ layer, winners }) => [layer.policy.name, winners[0]?.policy.name])).toEqual([
      ['default/p1', 'default/p2'],
    ]);
  });
});
