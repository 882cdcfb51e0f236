import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind, withConditions, withUnset } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';

const { kind, kinds, resources } = lineage('a1 > b1 > c1');
const Colors = definePolicyKind({
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  targets: [kind('a'), kind('b'), kind('c')],
  effectiveTargets: [kind('c')],
  spec: anySpec,
  stanzas: withConditions(withUnset(defaultsAndOverrides({ strategies: { patch }, together: 'all' })), {
    compile: (field) => (spec) => ({ holds: Object.hasOwn(spec, field) }),
  }),
});

/** The effective policy of c1, from policies written as `[target, spec]`: p1, p2 … */
function effectiveOf(...policies: readonly (readonly [string, object])[]) {
  const declared = policies.map(([target, spec], index) => colorPolicy(`p${index + 1}`, target, spec, index));
  const [policy] = compute(Colors, kinds, [...resources, ...declared], { maxFields: 20_001 }).effective;
  if (policy === undefined) throw new Error('No policy reaches c1');
  return policy;
}

describe('the fields that a policy unsets (K-07)', () => {
  it('is the outermost field of a name, however often it is unset', () => {
    const policy = effectiveOf(
      ['a1', { red: 1, deep: { red: 1 } }],
      ['b1', { blue: 1, unset: ['red'] }],
      ['c1', { defaults: { green: 1 }, overrides: { black: 1 }, unset: ['red'] }],
    );
    expect(policy.spec).toEqual({ deep: { red: 1 }, blue: 1, green: 1, black: 1 });
  });

  it('can be thousands of fields', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `f${index}`);
    const above = Object.fromEntries(names.map((name) => [name, 1]));
    expect(effectiveOf(['a1', { ...above, red: 1 }], ['c1', { blue: 1, unset: names }]).spec).toEqual({
      red: 1,
      blue: 1,
    });
  });

  it('may have dots in its key, and in the keys above', () => {
    const policy = effectiveOf(
      ['a1', { 'x.y': { 'z.w': 1, w: 2 }, y: { 'z.w': 3 }, 'w.': 4 }],
      ['c1', { blue: 1, unset: ['y.z.w', 'x.y.w', 'w.', '.w', 'z'] }],
    );
    expect(policy.spec).toEqual({ 'x.y': { 'z.w': 1 }, y: {}, blue: 1 });
  });

  it('is never a field that the policy sets itself', () => {
    expect(effectiveOf(['c1', { defaults: { blue: 1 }, red: 1, unset: ['red'] }]).spec).toEqual({ blue: 1, red: 1 });
  });

  it('is unset even if no stanza of the policy applies', () => {
    const policy = effectiveOf(
      ['a1', { red: 1, blue: 1 }],
      ['c1', { defaults: { when: 'green', black: 1 }, unset: ['red'] }],
    );
    expect(policy.spec).toEqual({ blue: 1 });
    expect(
      policy.losses.map(({ layer, pointer, winners }) => [layer.policy.name, pointer, winners[0]?.policy.name]),
    ).toEqual([
      ['default/p2', '', undefined],
      ['default/p1', '/red', 'default/p2'],
    ]);
  });
});
