import { effectivePolicies } from '@policy-machinery/effective-policy';
import { describe, expect, it } from 'vitest';
import { binding, decision, hubWith, on, placement, policy, template, ways } from './hub.fixture.ts';
import { Policy } from './policy-kind.ts';

const restricted = { subFilter: 'restricted' };
const enforcing = { bindingOverrides: { remediationAction: 'enforce' } };
const bindingLocator = (name: string) => `placementbinding.policy.open-cluster-management.io:policies/${name}`;

describe('a policy', () => {
  it('is on the clusters of the Placements that it is bound to, and on no others', () => {
    const topology = hubWith(policy('a'), binding('b', 'north', ['a']));
    expect([on(topology, 'north'), on(topology, 'south')]).toEqual([['a: inform by policies/a'], []]);
  });

  it('is nowhere without a binding', () => {
    expect(on(hubWith(policy('a')), 'north')).toEqual([]);
  });

  it('is nowhere while it is disabled', () => {
    expect(on(hubWith(policy('a', { disabled: true }), binding('b', 'north', ['a'])), 'north')).toEqual([]);
  });

  it('is not bound by another namespace', () => {
    const topology = hubWith(policy('a'), binding('b', 'north', ['a'], { namespace: 'elsewhere' }));
    expect(on(topology, 'north')).toEqual([]);
    expect(topology.issues).toMatchObject([{ code: 'missing-policy', pointer: '/subjects/0' }]);
  });

  it('is on a cluster once, for any number of bindings', () => {
    const topology = hubWith(policy('a'), binding('b', 'north', ['a']), binding('c', 'both', ['a']));
    expect(on(topology, 'north')).toEqual(['a: inform by policies/a']);
    expect([ways(topology, 'north'), ways(topology, 'south')]).toEqual([['policies/a by b, c'], ['policies/a by c']]);
  });

  it('leaves when its binding goes, and goes where its Placement decides', () => {
    const topology = hubWith(policy('a'), binding('b', 'north', ['a']), binding('c', 'both', ['a']));
    topology.apply({ remove: [bindingLocator('c')] });
    expect([ways(topology, 'north'), ways(topology, 'south')]).toEqual([['policies/a by b'], []]);
    topology.apply({ upsert: placement('north', 'south') });
    expect([ways(topology, 'north'), ways(topology, 'south')]).toEqual([[], ['policies/a by b']]);
  });

  it('is on the clusters of all slices of a decision', () => {
    const topology = hubWith(policy('a'), binding('b', 'north', ['a']), decision('north', 2, 'south'));
    expect(on(topology, 'south')).toEqual(['a: inform by policies/a']);
  });

  it('accepts places without a cluster', () => {
    const topology = hubWith(policy('a'), binding('b', 'north', ['a']), decision('north', 2, '', 'south'));
    expect(topology.unresolved).toEqual([]);
    expect(on(topology, 'south')).toHaveLength(1);
  });

  it('waits for a Placement that is not there yet', () => {
    const topology = hubWith(policy('a'), binding('b', 'later', ['a']));
    expect(topology.unresolved).toMatchObject([{ reference: { pointer: '/placementRef' } }]);
    topology.apply({ upsert: placement('later', 'north') });
    expect(on(topology, 'north')).toHaveLength(1);
  });
});

describe('the remediation action', () => {
  const one = (spec: Parameters<typeof policy>[1]) =>
    on(hubWith(policy('a', spec), binding('b', 'north', ['a'])), 'north');

  it.each([
    ['of the policy counts instead of those of its templates', 'inform', 'enforce', 'inform'],
    ['of a template counts where the policy has none', undefined, 'enforce', 'enforce'],
    ['is to inform by default', undefined, undefined, 'inform'],
    ['may be capitalized', 'Enforce', undefined, 'enforce'],
  ])('%s', (_, ofPolicy, ofTemplate, action) => {
    const spec = { 'policy-templates': [template('t', ofTemplate)] };
    expect(one(ofPolicy === undefined ? spec : { ...spec, remediationAction: ofPolicy })).toEqual([
      `t: ${action} by policies/a`,
    ]);
  });

  it('is to enforce on a cluster where one of the bindings says so', () => {
    const topology = hubWith(policy('a'), binding('b', 'both', ['a']), binding('c', 'north', ['a'], enforcing));
    expect([on(topology, 'north'), on(topology, 'south')]).toEqual([
      ['a: enforce by policies/a'],
      ['a: inform by policies/a'],
    ]);
  });

  it('is overridden by a restricted binding where another one binds the policy, and nowhere else', () => {
    const rollout = binding('rollout', 'both', ['a'], { ...restricted, ...enforcing });
    const topology = hubWith(policy('a'), binding('b', 'north', ['a']), rollout);
    expect([on(topology, 'north'), on(topology, 'south')]).toEqual([['a: enforce by policies/a'], []]);
    topology.apply({ remove: [bindingLocator('b')] });
    expect(on(topology, 'north')).toEqual([]);
  });
});

describe('a template that two policies have', () => {
  const both = (spec: (action: string) => Parameters<typeof policy>[1], first: string, second: string) =>
    [policy('old', spec(first), 1), policy('new', spec(second), 2)] as const;
  const shared = (action: string) => ({ 'policy-templates': [template('t', action)] });

  it.each([
    ['inform', 'enforce', 't: enforce by policies/new'],
    ['enforce', 'inform', 't: enforce by policies/old'],
    ['enforce', 'enforce', 't: enforce by policies/old'],
    ['inform', 'inform', 't: inform by policies/old'],
  ])('comes from the stricter policy, else from the older one: old to %s, new to %s', (first, second, expected) => {
    const policies = both(shared, first, second);
    const together = hubWith(...policies, binding('b', 'north', ['new', 'old']));
    const apart = hubWith(binding('c', 'both', ['new']), binding('b', 'north', ['old']), ...policies.toReversed());
    expect([on(together, 'north'), on(apart, 'north')]).toEqual([[expected], [expected]]);
  });

  it('is lost by the other one, in the context of a binding, too', () => {
    const topology = hubWith(...both(shared, 'inform', 'enforce'), binding('b', 'north', ['new', 'old']));
    const [context] = effectivePolicies(topology, Policy).of('managedcluster.cluster.open-cluster-management.io:north');
    expect(context?.spec).toEqual({ 'ConfigurationPolicy/t': 'enforce' });
    expect(context?.originOf('/ConfigurationPolicy~1t')?.policy.name).toBe('policies/new');
    expect(context?.losses.map(({ layer }) => layer.policy.name)).toEqual(['policies/old']);
  });
});

describe('a malformed policy', () => {
  it.each([
    ['templates that are no list', { 'policy-templates': 'none' }, '/spec/policy-templates'],
    ['a template that is nothing', { 'policy-templates': [null] }, '/spec/policy-templates/0/objectDefinition'],
    ['an unknown action', { remediationAction: 'maybe' }, '/spec/remediationAction'],
  ])('with %s is reported, and costs only itself', (_, spec, pointer) => {
    const topology = hubWith(policy('bad', spec), policy('good'), binding('b', 'north', ['bad', 'good']));
    expect(effectivePolicies(topology, Policy).issues).toMatchObject([{ severity: 'error', pointer }]);
    expect(on(topology, 'north')).toEqual(['good: inform by policies/good']);
  });
});
