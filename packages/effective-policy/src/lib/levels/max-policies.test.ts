import { type MergeStrategy, patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';
import { effectivePolicies } from '../effective-policies.ts';
import { statusQueries } from '../status-queries-of.ts';

const named = { group: 'colors.example.com', version: 'v1', kind: 'ColorPolicy', spec: anySpec };
const seq = <Item>(length: number, of: (index: number) => Item) => Array.from({ length }, (_, index) => of(index));

/** Patch, which counts how often it merges. */
function counting() {
  const calls = { count: 0 };
  const strategy: MergeStrategy = {
    ...patch,
    defaults: (established, challenger) => {
      calls.count += 1;
      return patch.defaults(established, challenger);
    },
  };
  return { calls, stanzas: bareSpec({ strategies: { strategy } }) };
}

describe('effectivePolicies, maxPolicies', () => {
  const { kind, kinds, resources } = lineage('a1 > b1');
  const targets = [kind('a'), kind('b')];
  const kindWith = (stanzas = bareSpec({ strategies: { patch } })) =>
    definePolicyKind({ ...named, targets, effectiveTargets: [kind('b')], stanzas });
  const onTarget = (target: string, count: number) =>
    seq(count, (index) => colorPolicy(`${target}-${index}`, target, { [`f${index}`]: target }, index));
  const a1 = 'a.lineage.example.com:default/a1';
  const limited = { maxPolicies: 3 };

  it('counts the policies established first, on each target', () => {
    const Colors = kindWith();
    const { topology } = compute(Colors, kinds, [...resources, ...onTarget('a1', 5), ...onTarget('b1', 2)]);
    const effective = effectivePolicies(topology, Colors, limited);
    expect([...effective].map(({ spec }) => spec)).toEqual([{ f0: 'b1', f1: 'b1', f2: 'a1' }]);
    expect(effective.reach('colorpolicy.colors.example.com:default/a1-4')).toEqual([]);
  });

  it('reports the target, and no policy as invalid', () => {
    const Colors = kindWith();
    const { topology } = compute(Colors, kinds, [...resources, ...onTarget('a1', 5), ...onTarget('b1', 3)]);
    const effective = effectivePolicies(topology, Colors, limited);
    expect(statusQueries(effective).leftOut).toEqual([]);
    expect(effective.issues).toEqual([
      {
        code: 'too-many-policies',
        severity: 'error',
        message:
          'more than 3 policies of one kind are attached to it, so the 2 established last do not count here; attach fewer, or raise maxPolicies',
        resource: a1,
      },
    ]);
  });

  it('counts the next policy when one is removed, and drops the last one for a policy established before', () => {
    const Colors = kindWith();
    const { topology } = compute(Colors, kinds, [...resources, ...onTarget('a1', 5)]);
    const effective = effectivePolicies(topology, Colors, limited);
    const fieldsOf = () => [...effective].flatMap(({ spec }) => Object.keys(spec).sort());
    const isSurplus = (name: string) =>
      statusQueries(effective).isSurplus(`colorpolicy.colors.example.com:default/${name}`, topology.get(a1) ?? never());
    expect([fieldsOf(), isSurplus('a1-2'), isSurplus('a1-3')]).toEqual([['f0', 'f1', 'f2'], false, true]);
    effective.takeChanges();

    topology.apply({ remove: ['colorpolicy.colors.example.com:default/a1-0'] });
    expect([fieldsOf(), isSurplus('a1-3')]).toEqual([['f1', 'f2', 'f3'], false]);
    expect(effective.takeChanges().policies.map((locator) => locator.slice(-4))).toEqual(
      expect.arrayContaining(['a1-0', 'a1-3']),
    );

    topology.apply({ upsert: [colorPolicy('old', 'a1', { old: 1 }, -1)] });
    expect([fieldsOf(), isSurplus('a1-3')]).toEqual([['f1', 'f2', 'old'], true]);
    expect(effective.takeChanges().policies.map((locator) => locator.slice(-4))).toEqual(
      expect.arrayContaining(['a1-3']),
    );
    expect(effective.issues).toEqual(effectivePolicies(topology, Colors, limited).issues);
  });

  it('leaves out targets with more than twice as many policies in one context, and all below', () => {
    const steps = seq(9, (index) => `c${index} > c${index + 1}`);
    const chain = lineage(...steps);
    const Colors = definePolicyKind({
      ...named,
      targets: [chain.kind('c')],
      policyClass: 'Inherited',
      stanzas: bareSpec({ strategies: { patch } }),
    });
    const policies = seq(9, (index) => colorPolicy(`p${index}`, `c${index}`, { [`f${index}`]: 1 }));
    const { topology } = compute(Colors, chain.kinds, [...chain.resources, ...policies]);
    const effective = effectivePolicies(topology, Colors, limited);
    const namesOf = (targets: Iterable<{ readonly ref: { readonly name: string } }>) =>
      Array.from(targets, ({ ref }) => ref.name);
    expect([...effective].map(({ spec }) => Object.keys(spec).length)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(namesOf(statusQueries(effective).leftOut)).toEqual(['c6', 'c7', 'c8', 'c9']);
    expect(effective.issues).toMatchObject(statusQueries(effective).leftOut.map(() => ({ code: 'too-many-contexts' })));
    const at = (name: string) => topology.get(`c.lineage.example.com:default/${name}`) ?? never();
    expect(namesOf(statusQueries(effective).leftOutBelow(at('c0')))).toEqual(['c6', 'c7', 'c8', 'c9']);
    expect(namesOf(statusQueries(effective).leftOutBelow(at('c8')))).toEqual(['c8', 'c9']);

    topology.apply({ remove: ['colorpolicy.colors.example.com:default/p3'] });
    expect([...effective].map(({ spec }) => Object.keys(spec).length)).toEqual([1, 2, 3, 3, 4, 5, 6]);
    expect(namesOf(statusQueries(effective).leftOut)).toEqual(['c7', 'c8', 'c9']);
    expect(namesOf(statusQueries(effective).leftOutBelow(at('c0')))).toEqual(['c7', 'c8', 'c9']);
  });

  it('bounds how much is merged, however many policies there are', () => {
    const merges = [60, 120].map((count) => {
      const { calls, stanzas } = counting();
      const { effective } = compute(kindWith(stanzas), kinds, [...resources, ...onTarget('a1', count)]);
      for (const policy of effective) policy.spec;
      return calls.count;
    });
    expect(merges).toEqual([49, 49]); // Of 50 policies, by default.
  });
});

describe('EffectivePolicies.explain and reach, of many targets with the same policies', () => {
  const mergesFor = (count: number, ask: 'explain' | 'reach') => {
    const { kind, kinds, resources } = lineage(...seq(count, (index) => `a1 > b${index}`));
    const { calls, stanzas } = counting();
    const Colors = definePolicyKind({ ...named, targets: [kind('a')], effectiveTargets: [kind('b')], stanzas });
    const policies = seq(10, (index) => colorPolicy(`p${index}`, 'a1', { [`f${index}`]: index }, index));
    const { effective } = compute(Colors, kinds, [...resources, ...policies]);
    const answers =
      ask === 'explain'
        ? effective.explain('a.lineage.example.com:default/a1').effective
        : effective.reach('colorpolicy.colors.example.com:default/p3', '/f3');
    expect(answers).toHaveLength(count);
    return calls.count;
  };

  it.each(['explain', 'reach'] as const)('%s merges them once for all', (ask) => {
    expect(mergesFor(40, ask)).toBe(mergesFor(2, ask));
  });
});

function never(): never {
  throw new Error('there is no such target');
}
