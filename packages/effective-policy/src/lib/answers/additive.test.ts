import { additiveSpec, definePolicyKind, withConditions, withUnset } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { colorPolicy, compute } from '../../conformance/policies.fixture.ts';

const { kind, kinds, resources } = lineage('a1 > b1');
const stanzas = additiveSpec({ by: 'action', groups: ['DENY', 'ALLOW'], otherwise: 'ALLOW' });
const definition = {
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  targets: [kind('a'), kind('b')],
  effectiveTargets: [kind('b')],
  spec: z.strictObject({ color: z.string().optional() }),
};
const b1 = 'b.lineage.example.com:default/b1';
const above = colorPolicy('above', 'a1', { color: 'red' }, 1);
const below = colorPolicy('below', 'b1', { action: 'DENY', color: 'blue' }, 2);

describe('effectivePolicies of a kind that keeps all policies', () => {
  it('gives the specs of all, by group and name, with their types', () => {
    const { effective } = compute(definePolicyKind({ ...definition, stanzas }), kinds, [...resources, above, below]);
    const [policy] = effective.of(b1);
    expect(policy?.spec.DENY?.['default/below']?.color).toBe('blue');
    expect(policy?.spec).toEqual({
      DENY: { 'default/below': { color: 'blue' } },
      ALLOW: { 'default/above': { color: 'red' } },
    });
    expect(policy?.originOf('/ALLOW/default~1above/color')?.policy.name).toBe('default/above');
  });

  it('adds the own value of a target', () => {
    const Kind = definePolicyKind({
      ...definition,
      stanzas,
      ownValue: () => ({ ALLOW: { itself: { color: 'green' } } }),
    });
    const [policy] = compute(Kind, kinds, [...resources, above]).effective.of(b1);
    expect(policy?.spec).toEqual({ ALLOW: { 'default/above': { color: 'red' }, itself: { color: 'green' } } });
    expect(policy?.losses).toEqual([]);
  });

  it('leaves out a policy with a condition that does not hold', () => {
    const language = { compile: (group: string) => (spec: object) => ({ holds: group in spec }) };
    const Kind = definePolicyKind({ ...definition, stanzas: withConditions(stanzas, language) });
    const ifSo = (group: string) => colorPolicy(`if-${group.toLowerCase()}`, 'a1', { when: group });
    const merged = (group: string) => compute(Kind, kinds, [...resources, below, ifSo(group)]).effective.of(b1)[0];
    expect(Object.keys(merged('DENY')?.spec.ALLOW ?? {})).toEqual(['default/if-deny']);
    expect(merged('ALLOW')?.spec).toEqual({ DENY: { 'default/below': { color: 'blue' } } });
    expect(merged('ALLOW')?.losses.map(({ rule }) => rule)).toEqual(['condition-not-met']);
  });

  it('leaves out policies of less specific levels if their group is unset', () => {
    const Kind = definePolicyKind({ ...definition, stanzas: withUnset(stanzas) });
    const alone = colorPolicy('alone', 'b1', { unset: ['ALLOW'], action: 'DENY' }, 3);
    const [policy] = compute(Kind, kinds, [...resources, above, alone]).effective.of(b1);
    expect(policy?.spec).toEqual({ DENY: { 'default/alone': {} } });
    expect(policy?.losses.map(({ layer }) => layer.policy.name)).toEqual(['default/above']);
  });
});
