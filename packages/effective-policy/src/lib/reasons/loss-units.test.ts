import { atomic, fieldWise, namedRules, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind, type StanzaReader, withUnset } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';
import type { Loss } from './loss.ts';

const { kind, kinds, resources } = lineage('a1 > b1 > c1');
const merge = namedRules('/limits', '/rules/*');
const named = withUnset(defaultsAndOverrides({ strategies: { atomic, merge, patch }, defaultStrategy: 'merge' }));

/** The effective policy of c1, from policies written as `[target, spec]`: p1, p2 … */
function effectiveOf(stanzas: StanzaReader, ...policies: readonly (readonly [string, object])[]) {
  const Colors = definePolicyKind({
    group: 'colors.example.com',
    version: 'v1',
    kind: 'ColorPolicy',
    targets: [kind('a'), kind('b'), kind('c')],
    effectiveTargets: [kind('c')],
    spec: anySpec,
    stanzas,
  });
  const declared = policies.map(([target, spec], index) => colorPolicy(`p${index + 1}`, target, spec, index));
  const { effective } = compute(Colors, kinds, [...resources, ...declared]);
  const [policy] = effective;
  if (policy === undefined) throw new Error('No policy reaches c1');
  return { policy, effective };
}

const told = (losses: readonly Loss<unknown>[]) =>
  losses.map(
    ({ layer, pointer, winners }) => `${layer.policy.name}${pointer} to ${winners.map((it) => it.policy.name).join()}`,
  );

const slow = (limit: number) => ({ limit, window: '1m' });

describe('losses under named rules', () => {
  const above = ['a1', { overrides: { limits: { slow: slow(1) } } }] as const;
  const below = ['c1', { limits: { slow: slow(2), fast: slow(3) } }] as const;

  it('name the rule, not its fields', () => {
    const { policy } = effectiveOf(named, above, below);
    expect(told(policy.losses)).toEqual(['default/p2/limits/slow to default/p1']);
    expect(policy.shares.flatMap(({ losses }) => told(losses))).toEqual(['default/p2/limits/slow to default/p1']);
  });

  it('name a rule with one field, and a rule with fields that the winner lacks', () => {
    const one = effectiveOf(named, above, ['c1', { limits: { slow: { limit: 2 }, fast: slow(3) } }]);
    expect(told(one.policy.losses)).toEqual(['default/p2/limits/slow to default/p1']);
    const more = effectiveOf(named, above, ['c1', { limits: { slow: { limit: 2, when: 'x' }, fast: slow(3) } }]);
    expect(told(more.policy.losses)).toEqual(['default/p2/limits/slow to default/p1']);
  });

  it('name rules in phases, and other fields as wholes', () => {
    const high = { overrides: { rules: { authentication: { jwt: slow(1) } }, other: { deep: 1 } } };
    const low = { rules: { authentication: { jwt: slow(2), key: slow(3) } }, other: { deep: 2 } };
    expect(told(effectiveOf(named, ['a1', high], ['c1', low]).policy.losses)).toEqual([
      'default/p2/rules/authentication/jwt to default/p1',
      'default/p2/other to default/p1',
    ]);
  });

  it('are part of reach, also for the rule alone', () => {
    const { effective } = effectiveOf(named, above, below);
    const locator = 'colorpolicy.colors.example.com:default/p2';
    for (const pointer of ['', '/limits/slow']) {
      const [scope] = effective.reach(locator, pointer);
      expect(told(scope?.losses ?? [])).toEqual(['default/p2/limits/slow to default/p1']);
    }
  });

  it('keep the value of each field in explanations, each with its rule', () => {
    const { policy } = effectiveOf(named, above, below);
    const over = policy.fields.flatMap((field) => field.over);
    expect(over.map(({ pointer, unit, value }) => [pointer, unit, value])).toEqual([
      ['/limits/slow/limit', '/limits/slow', 2],
      ['/limits/slow/window', '/limits/slow', '1m'],
    ]);
  });

  it('name the part of a rule that another policy unsets', () => {
    const { policy } = effectiveOf(
      named,
      ['a1', { limits: { slow: slow(1) } }],
      ['c1', { limits: { fast: slow(2) }, unset: ['limits.slow.window'] }],
    );
    expect(policy.spec).toEqual({ limits: { slow: { limit: 1 }, fast: slow(2) } });
    expect(told(policy.losses)).toEqual(['default/p1/limits/slow/window to default/p2']);
  });

  it('name the policies that set parts of the rule in the end', () => {
    const { policy } = effectiveOf(
      named,
      ['a1', { overrides: { strategy: 'patch', limits: { slow: { limit: 9 } } } }],
      ['b1', { overrides: { limits: { slow: slow(1) } } }],
      below,
    );
    const [lost] = policy.losses.filter(({ layer }) => layer.policy.name === 'default/p3');
    expect(told(lost === undefined ? [] : [lost])).toEqual(['default/p3/limits/slow to default/p2']);
    expect(lost?.holders.map(({ policy }) => policy.name)).toEqual(['default/p1', 'default/p2']);
  });
});

describe('losses under other strategies', () => {
  it('name top-level fields under a shallow merge, items under keyed lists, and fields under Patch', () => {
    const lossesBy = (strategy: Parameters<typeof defaultsAndOverrides>[0]) =>
      told(
        effectiveOf(
          defaultsAndOverrides(strategy),
          ['a1', { overrides: { deep: { list: [{ name: 'x', size: { width: 1 } }] } } }],
          ['c1', { kept: 1, deep: { list: [{ name: 'x', size: { width: 2 } }, { name: 'y' }] } }],
        ).policy.losses,
      );
    expect(lossesBy({ strategies: { shallow: fieldWise({ depth: 1 }) } })).toEqual(['default/p2/deep to default/p1']);
    expect(lossesBy({ strategies: { patch } })).toEqual(['default/p2/deep/list to default/p1']);
    const keyed = fieldWise({ at: { '/deep/list': { keys: ['name'] }, '/deep/list/*/size': 'replace' } });
    expect(lossesBy({ strategies: { keyed } })).toEqual(['default/p2/deep/list/0/size to default/p1']);
  });
});
