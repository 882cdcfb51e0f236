import { celConditions } from '@policy-machinery/cel';
import { atomic, customStrategy, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind, kuadrant } from '@policy-machinery/policy-kind';
import { type JsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';
import { rivalsIn } from './rivals.ts';

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
const Constraints = definePolicyKind({ ...colors, ...kuadrant({ rules: ['/limits'], conditions: celConditions() }) });

const custom = customStrategy<{ readonly [field: string]: unknown }>({
  defaults: (draft, established) => ({ ...established, ...draft }),
  overrides: (draft, established) => ({ ...draft, ...established }),
});
const chain = lineage('m1 > n1 > o1');
const Chained = definePolicyKind({
  ...colors,
  targets: ['m', 'n', 'o'].map(chain.kind),
  effectiveTargets: [chain.kind('o')],
  stanzas: defaultsAndOverrides({ strategies: { atomic, patch, custom } }),
});

const b1SaysBlue = resources.map((resource) =>
  resource.metadata.name === 'b1' ? { ...resource, spec: { ...specOf(resource), own: { blue: 0 } } } : resource,
);

function groupsOf(name: string, policies: readonly KubernetesObject[], policyKind = Colors) {
  const { effective } = compute(policyKind, kinds, [...b1SaysBlue, ...policies]);
  return effective.reachInGroups(`colorpolicy.colors.example.com:default/${name}`);
}

describe('EffectivePolicies.reachInGroups', () => {
  it('groups the two of three scopes with the same share of a policy', () => {
    const groups = groupsOf('p1', [colorPolicy('p1', 'a3', { red: 1 }), colorPolicy('p2', 'b4', { red: 2 })]);
    expect(groups.map(({ share }) => share.outcome)).toEqual(['enforced', 'overridden']);
  });

  it('is empty for a missing policy', () => {
    expect(groupsOf('none', [])).toEqual([]);
  });
});

describe('rivalsIn', () => {
  const rivalsOf = (...args: Parameters<typeof groupsOf>) =>
    groupsOf(...args).flatMap(({ share }) =>
      rivalsIn(share.losses).map(({ kind, name, layer, loss }) => [kind, name, layer.policy.name, loss.pointer]),
    );

  it('names another policy that prevails', () => {
    const policies = [colorPolicy('p1', 'a2', { red: 1 }), colorPolicy('p2', 'b2', { red: 2 })];
    expect(rivalsOf('p1', policies)).toEqual([['another', 'default/p2', 'default/p2', '']]);
    expect(rivalsOf('p2', policies)).toEqual([]);
  });

  it('names the direct winner, also if it lost the field in turn', () => {
    const names = ['atomic', 'patch', 'custom'].map((strategy) => {
      const overriding = (name: string, on: string, red: number) =>
        colorPolicy(name, on, { overrides: { strategy, red } });
      const policies = [overriding('p1', 'm1', 1), overriding('p2', 'n1', 2), colorPolicy('p3', 'o1', { red: 3 })];
      const { effective } = compute(Chained, chain.kinds, [...chain.resources, ...policies]);
      const named = ['p1', 'p2', 'p3'].map((name) =>
        effective
          .reachInGroups(`colorpolicy.colors.example.com:default/${name}`)
          .flatMap(({ share }) => rivalsIn(share.losses).map((rival) => rival.name)),
      );
      const [explained] = effective.explain('o.lineage.example.com:default/o1', '/red').effective;
      const over = explained?.fields.flatMap((field) => field.over) ?? [];
      expect(over.map(({ winners }) => winners[0]?.policy.name)).toEqual(['default/p2', 'default/p1']);
      expect(over.map(({ holders }) => holders[0]?.policy.name)).toEqual(['default/p1', 'default/p1']);
      return named;
    });
    expect(names).toEqual(Array(3).fill([[], ['default/p1'], ['default/p2']]));
  });

  it('has one loss for all that a policy lost to the same winner, with all final holders', () => {
    const policies = [
      colorPolicy('p1', 'm1', { overrides: { strategy: 'patch', red: 1 } }),
      colorPolicy('p2', 'n1', { overrides: { strategy: 'atomic', red: 2, blue: 2 } }),
      colorPolicy('p3', 'o1', { red: 3, blue: 3, green: 3 }),
    ];
    const { effective } = compute(Chained, chain.kinds, [...chain.resources, ...policies]);
    const [group] = effective.reachInGroups('colorpolicy.colors.example.com:default/p3');
    const [rival, ...others] = rivalsIn(group?.share.losses ?? []);
    expect(others).toEqual([]);
    expect(rival?.name).toBe('default/p2');
    expect(rival?.loss).toMatchObject({ pointer: '', strategy: 'Atomic overrides', rule: 'less-specific' });
    expect(rival?.loss.holders.map(({ policy }) => policy.name)).toEqual(['default/p1', 'default/p2']);
  });

  it('distinguishes another stanza of the policy itself', () => {
    const policies = [colorPolicy('p1', 'a2', { overrides: { red: 1 }, defaults: { red: 2, green: 2 } })];
    expect(rivalsOf('p1', policies)).toEqual([['itself', '', 'default/p1', '/red']]);
  });

  it('distinguishes the own value of the target (M-13)', () => {
    const policies = [colorPolicy('p1', 'b1', { red: 1, blue: 1 })];
    expect(rivalsOf('p1', policies)).toEqual([['target', '', 'default/b1', '/blue']]);
  });

  it('distinguishes a condition that does not hold, without a winner (K-06)', () => {
    const constraint = { overrides: { strategy: 'merge', when: 'spec.limits.a > 50', limits: { a: 50 } } };
    const policies = [colorPolicy('p1', 'a2', constraint), colorPolicy('p2', 'b2', { limits: { a: 30 } }, 1)];
    expect(rivalsOf('p1', policies, Constraints)).toEqual([['condition', '', 'default/p1', '']]);
  });
});
