import { patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, specsByPath } from '../../conformance/policies.fixture.ts';
import { effectivePolicies } from '../effective-policies.ts';
import type { EffectivePoliciesOptions } from '../effective-policies-options.ts';
import type { Verdict } from './verdict.ts';

/** Two Gateways above one route, and a route below the second one alone. */
const { kind, kinds, resources } = lineage('g1 > r1', 'g2 > r1', 'g2 > r2');
const locatorOf = (name: string) => `${name.charAt(0)}.lineage.example.com:default/${name}`;
const named = (name: string) => `colorpolicy.colors.example.com:default/${name}`;

const Colors = definePolicyKind({
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  targets: [kind('g'), kind('r')],
  effectiveTargets: [kind('r')],
  ancestors: [kind('g')],
  sameLevel: 'reject-newer',
  stanzas: bareSpec({ strategies: { patch } }),
  spec: anySpec,
});

type Hook = NonNullable<EffectivePoliciesOptions<Record<string, unknown>>['verdict']>;

function view(policies: readonly KubernetesObject[], verdict?: Hook) {
  const topology = createTopology({ targetKinds: kinds, policyKinds: [Colors] });
  topology.apply({ upsert: [...resources, ...policies] });
  return { topology, effective: effectivePolicies(topology, Colors, verdict === undefined ? {} : { verdict }) };
}

/** Verdicts by the names of policies, which may change. */
function verdictsOn(said: Record<string, Verdict | readonly Verdict[]>) {
  const asked: string[] = [];
  const verdict: Hook = ({ resource }) => {
    asked.push(resource.metadata.name);
    return said[resource.metadata.name];
  };
  return { said, asked, verdict };
}

const missing: Verdict = { message: 'The Secret shop/key does not exist.' };
const elder = colorPolicy('elder', 'r1', { color: 'red' }, 1);
const younger = colorPolicy('younger', 'r1', { color: 'blue', shade: 'dark' }, 2);
const outer = colorPolicy('outer', 'g2', { color: 'grey' }, 3);

describe('effectivePolicies, with verdicts of the controller', () => {
  it('bars a policy with a verdict, so that another one wins and the conflict is gone', () => {
    const without = view([elder, younger]).effective;
    expect(specsByPath(without)).toMatchObject({ 'g1>r1': { color: 'red' } });
    expect(without.conflictAt(named('younger'), without.topology.get(locatorOf('r1')) as never)).toBeDefined();

    const { effective } = view([elder, younger], verdictsOn({ elder: missing }).verdict);
    expect(specsByPath(effective)).toEqual({
      'g1>r1': { color: 'blue', shade: 'dark' },
      'g2>r1': { color: 'blue', shade: 'dark' },
      'g2>r2': null,
    });
    expect(effective.conflictAt(named('younger'), effective.topology.get(locatorOf('r1')) as never)).toBeUndefined();
    expect(effective.reach(named('younger')).map(({ outcome }) => outcome)).toEqual(['enforced']);
    expect(effective.reach(named('elder'))).toEqual([]);
    expect(effective.explain(locatorOf('r1')).policies.map(({ name }) => name)).toEqual(['default/younger']);
  });

  it('returns the verdicts with the policy', () => {
    const { effective } = view([elder], verdictsOn({ elder: { ...missing, reason: 'NoSecret' } }).verdict);
    const declared = effective.policy(named('elder'));
    expect(declared?.policy).toBeDefined();
    expect(declared?.verdicts).toEqual([
      { outcome: 'invalid', reason: 'NoSecret', message: missing.message, ancestors: undefined },
    ]);
  });

  it('applies a verdict about an ancestor in contexts through the ancestor, and in no others', () => {
    const verdict = { ...missing, ancestors: [locatorOf('g1')] };
    const { effective } = view([elder, younger, outer], verdictsOn({ elder: verdict }).verdict);
    expect(specsByPath(effective)).toEqual({
      'g1>r1': { color: 'blue', shade: 'dark' },
      'g2>r1': { color: 'red' },
      'g2>r2': { color: 'grey' },
    });
    expect(effective.reach(named('elder')).map((it) => it.effective.ancestors.map(({ ref }) => ref.name))).toEqual([
      ['g2'],
    ]);
    expect(effective.affecting(effective.topology.get(locatorOf('r1')) as never).policies).toMatchObject([
      { policy: { name: 'default/elder' } },
      { policy: { name: 'default/younger' } },
    ]);
  });

  it('applies a verdict about an ancestor to a policy on the ancestor itself', () => {
    const verdict = { ...missing, ancestors: [{ ...kind('g'), namespace: 'default', name: 'g2' }] };
    const { effective } = view([outer], verdictsOn({ outer: verdict }).verdict);
    expect([...effective]).toEqual([]);
    expect(effective.uncovered().length).toBeGreaterThan(0);
    expect(effective.uncovered().flatMap(({ levels }) => levels)).toEqual([]);
  });

  it('calls the function once for each version of a policy', () => {
    const { asked, verdict } = verdictsOn({});
    const { topology, effective } = view([elder, outer], verdict);
    void [...effective];
    void effective.forTrafficFrom('default').reach(named('elder'));
    topology.apply({ remove: [locatorOf('g1')] });
    void effective.in(topology.with({ remove: [locatorOf('r2')] }).topology).issues;
    effective.takeChanges();
    expect(asked.sort()).toEqual(['elder', 'outer']);
    topology.apply({ upsert: [colorPolicy('elder', 'r1', { color: 'green' }, 1)] });
    void effective.issues;
    expect(asked.sort()).toEqual(['elder', 'elder', 'outer']);
  });

  it('leaves out and reports a policy if the function throws for it', () => {
    const { effective } = view([elder, younger], ({ resource }) => {
      if (resource.metadata.name === 'elder') throw new Error('no connection');
      return undefined;
    });
    expect(specsByPath(effective)).toMatchObject({ 'g2>r1': { color: 'blue' } });
    expect(effective.issues).toEqual([
      {
        code: 'verdict-failed',
        severity: 'error',
        message: 'the verdict of the controller failed: no connection; ask again with reconsider',
        resource: named('elder'),
      },
    ]);
    const slip = view([elder], () => ({ ...missing, ancestors: ['Gateway g1'] })).effective;
    expect(slip.issues).toMatchObject([{ code: 'verdict-failed', resource: named('elder') }]);
  });
});

describe('EffectivePolicies.reconsider', () => {
  it('calls the function again for some policies, and the answers follow', () => {
    const { said, asked, verdict } = verdictsOn({ elder: missing });
    const { effective } = view([elder, younger], verdict);
    expect(effective.of(locatorOf('r1')).map(({ spec }) => spec)).toContainEqual({ color: 'blue', shade: 'dark' });
    effective.takeChanges();
    asked.length = 0;
    delete said.elder;
    effective.reconsider([named('elder')]);
    expect(specsByPath(effective)).toMatchObject({ 'g1>r1': { color: 'red' }, 'g2>r1': { color: 'red' } });
    expect(asked).toEqual(['elder']);
    expect(effective.takeChanges()).toMatchObject({
      targets: [locatorOf('r1')],
      policies: [named('elder'), named('younger')],
      affectedObjects: expect.arrayContaining([locatorOf('r1')]),
    });
  });

  it('calls the function again for all policies by default', () => {
    const { said, verdict } = verdictsOn({});
    const { effective } = view([elder, outer], verdict);
    void [...effective];
    said.elder = { ...missing, ancestors: [locatorOf('g2')] };
    effective.reconsider();
    expect(specsByPath(effective)).toMatchObject({ 'g1>r1': { color: 'red' }, 'g2>r1': { color: 'grey' } });
    expect(effective.takeChanges().policies).toEqual([named('elder'), named('outer')]);
  });

  it('counts for traffic from all namespaces', () => {
    const { said, asked, verdict } = verdictsOn({ elder: missing });
    const { effective } = view([elder], verdict);
    const fromShop = effective.forTrafficFrom('shop');
    expect([...fromShop]).toEqual([]);
    delete said.elder;
    asked.length = 0;
    effective.reconsider([named('elder')]);
    expect(fromShop.of(locatorOf('r1'))).toHaveLength(1);
    expect(effective.of(locatorOf('r1'))).toHaveLength(1);
    expect(asked).toEqual(['elder']);
  });

  it('follows ancestors that are added after the verdict about them', () => {
    const verdict = { ...missing, ancestors: [locatorOf('g3')] };
    const { topology, effective } = view([elder], verdictsOn({ elder: verdict }).verdict);
    expect(effective.of(locatorOf('r1'))).toHaveLength(1);
    const more = lineage('g1 > r1', 'g2 > r1', 'g3 > r1').resources;
    topology.apply({ upsert: more.filter(({ metadata }) => ['g3', 'r1'].includes(metadata.name)) });
    expect(specsByPath(effective)).toMatchObject({ 'g1>r1': { color: 'red' }, 'g3>r1': null });
    topology.apply({ remove: [locatorOf('g3')] });
    expect(specsByPath(effective)).toEqual({ 'g1>r1': { color: 'red' }, 'g2>r1': { color: 'red' }, 'g2>r2': null });
  });

  it('ignores policies that are gone, and refuses a text that is not a locator', () => {
    const { effective } = view([elder]);
    effective.reconsider([named('gone')]);
    expect(effective.takeChanges().policies).toEqual([]);
    expect(() => effective.reconsider(['elder'])).toThrow('is not a locator');
  });
});
