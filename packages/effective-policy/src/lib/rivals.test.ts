import { celConditions } from '@policy-machinery/cel';
import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind, kuadrant } from '@policy-machinery/policy-kind';
import { type JsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../seeds/policies.fixture.ts';

const { kind, kinds, resources } = lineage('a1 > b1', 'a2 > b2', 'a3 > b3', 'a3 > b4', 'a3 > b5');
const colors = {
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  spec: anySpec,
  targets: [kind('a'), kind('b')],
  effectiveTargets: [kind('b')],
};
const Colors = definePolicyKind({
  ...colors,
  stanzas: defaultsAndOverrides({ strategies: { patch }, together: 'defaults-and-overrides' }),
  ownValue: ({ resource }) => specOf(resource).own as JsonObject | undefined,
});
const Constraints = definePolicyKind({ ...colors, ...kuadrant({ rules: ['limits'], conditions: celConditions() }) });

const b1SaysBlue = resources.map((resource) =>
  resource.metadata.name === 'b1' ? { ...resource, spec: { ...specOf(resource), own: { blue: 0 } } } : resource,
);

function groupsOf(name: string, policies: readonly KubernetesObject[], policyKind = Colors) {
  const { effective } = compute(policyKind, kinds, [...b1SaysBlue, ...policies]);
  return effective.reachInGroups(`colorpolicy.colors.example.com:default/${name}`);
}

describe('EffectivePolicies.reachInGroups', () => {
  it('puts the two of three scopes together in which the same becomes of a policy', () => {
    const groups = groupsOf('p1', [colorPolicy('p1', 'a3', { red: 1 }), colorPolicy('p2', 'b4', { red: 2 })]);
    expect(groups.map(({ outcome }) => outcome)).toEqual(['enforced', 'overridden']);
  });

  it('is empty for a policy that is not there', () => {
    expect(groupsOf('none', [])).toEqual([]);
  });
});

describe('ScopeGroup.rivals', () => {
  const rivalsOf = (...args: Parameters<typeof groupsOf>) =>
    groupsOf(...args).flatMap(({ rivals }) =>
      rivals.map(({ is, name, layer, loss }) => [is, name, layer.policy.name, loss.pointer]),
    );

  it('names another policy that prevails', () => {
    const policies = [colorPolicy('p1', 'a2', { red: 1 }), colorPolicy('p2', 'b2', { red: 2 })];
    expect(rivalsOf('p1', policies)).toEqual([['another', 'default/p2', 'default/p2', '']]);
    expect(rivalsOf('p2', policies)).toEqual([]);
  });

  it('tells apart the policy itself, by its other stanza', () => {
    const policies = [colorPolicy('p1', 'a2', { overrides: { red: 1 }, defaults: { red: 2, green: 2 } })];
    expect(rivalsOf('p1', policies)).toEqual([['itself', '', 'default/p1', '/red']]);
  });

  it('tells apart what the target says itself (M-13)', () => {
    const policies = [colorPolicy('p1', 'b1', { red: 1, blue: 1 })];
    expect(rivalsOf('p1', policies)).toEqual([['target', '', 'default/b1', '/blue']]);
  });

  it('tells apart a condition that does not hold, with nobody to name (K-06)', () => {
    const constraint = { overrides: { strategy: 'merge', when: 'spec.limits.a > 50', limits: { a: 50 } } };
    const policies = [colorPolicy('p1', 'a2', constraint), colorPolicy('p2', 'b2', { limits: { a: 30 } }, 1)];
    expect(rivalsOf('p1', policies, Constraints)).toEqual([['condition', '', 'default/p1', '']]);
  });
});
