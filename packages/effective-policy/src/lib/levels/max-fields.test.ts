import { append, atomic, fieldWise, patch, shallow, type TwoSidedStrategy } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';
import { effectivePolicies } from '../effective-policies.ts';
import { statusQueries } from '../status-queries-of.ts';

const named = { group: 'colors.example.com', version: 'v1', kind: 'ColorPolicy', spec: anySpec };
const fields = (count: number, prefix: string): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]));

/** The effective policies of a kind on a1 > b1, given the specs of policies by what they are attached to, established first. */
function effectiveWith(
  strategies: Readonly<Record<string, TwoSidedStrategy>>,
  policies: readonly (readonly [target: string, spec: JsonObject])[],
  maxFields?: number,
) {
  const { kind, kinds, resources } = lineage('a1 > b1');
  const targets = [kind('a'), kind('b')];
  const Colors = definePolicyKind({
    ...named,
    targets,
    effectiveTargets: [kind('b')],
    stanzas: bareSpec({ strategies, strategyField: false }),
  });
  const attached = policies.map(([target, spec], index) => colorPolicy(`p${index}`, target, spec, index));
  const { topology } = compute(Colors, kinds, [...resources, ...attached]);
  return effectivePolicies(topology, Colors, maxFields === undefined ? {} : { maxFields });
}

const fieldsIn = (effective: ReturnType<typeof effectiveWith>) =>
  [...effective].map(({ spec }) => Object.keys(spec as JsonObject).length);

describe('effectivePolicies, maxFields', () => {
  it('leaves out a policy with more fields than are left on its target, and counts the next one', () => {
    const effective = effectiveWith(
      { patch },
      [
        ['a1', fields(6, 'x')],
        ['a1', fields(5, 'y')],
        ['a1', fields(4, 'z')],
      ],
      10,
    );
    expect(fieldsIn(effective)).toEqual([10]);
    expect(effective.issues).toEqual([
      {
        code: 'too-many-fields',
        severity: 'error',
        message:
          'the policies of one kind that are attached to it have more than 10 fields together, so 1 of them, established last, does not count here; set fewer fields, or raise maxFields',
        resource: 'a.lineage.example.com:default/a1',
      },
    ]);
  });

  describe('in a context with three levels', () => {
    const { kind, kinds, resources } = lineage('a1 > b1 > c1');
    const Colors = definePolicyKind({
      ...named,
      targets: [kind('a'), kind('b'), kind('c')],
      effectiveTargets: [kind('c')],
      stanzas: bareSpec({ strategies: { patch }, strategyField: false }),
    });
    const onC1 = (count: number) => colorPolicy('c', 'c1', fields(count, 'c'));
    const others = [colorPolicy('a', 'a1', fields(10, 'a')), colorPolicy('b', 'b1', fields(5, 'b'))];
    const limits = { maxFields: 10 };
    const clusterWith = (count: number) => compute(Colors, kinds, [...resources, ...others, onC1(count)], limits);

    it('leaves out a target if its levels have more than twice as many fields together', () => {
      expect([5, 6].map((count) => statusQueries(clusterWith(count).effective).leftOut.length)).toEqual([0, 1]);
    });

    it('leaves out the target when an edited policy sets more, and restores it when the policy sets less', () => {
      const { topology, effective } = clusterWith(5);
      const before = [...effective];
      for (const [count, targets] of [
        [6, 0],
        [4, 1],
      ] as const) {
        topology.apply({ upsert: [onC1(count)] });
        expect([...effective]).toHaveLength(targets);
        expect(effective.issues).toEqual(effectivePolicies(topology, Colors, limits).issues);
      }
      expect(before.map(({ spec }) => Object.keys(spec as JsonObject).length)).toEqual([20]); // As it was then.
    });
  });

  it.each([
    ['a field of an object within an object', { patch }, { a: { b: 1, c: 2 } }, 2],
    ['a list that is replaced whole, once', { patch }, { a: [1, 2, 3, { b: 1 }] }, 1],
    ['an object that is replaced whole, once', { shallow }, { a: { b: 1, c: 2 } }, 1],
    [
      'each item of a list that is merged by key',
      { keyed: fieldWise({ at: { '/a': { keys: ['n'] } } }) },
      {
        a: [
          { n: 1, x: 1 },
          { n: 2, x: 1 },
        ],
      },
      4,
    ],
    ['a list that another is joined to, once', { joined: fieldWise({ at: { '/a': append } }) }, { a: [1, 2, 3] }, 1],
    ['an empty object, once', { patch }, { a: {}, b: [] }, 2],
  ] as const)('counts %s', (_what, strategies, spec, count) => {
    const counts = (maxFields: number) => fieldsIn(effectiveWith(strategies, [['a1', spec]], maxFields)).length === 1;
    expect([counts(count - 1), counts(count)]).toEqual([false, true]);
  });

  it('counts no fields if specs are taken as wholes', () => {
    expect(fieldsIn(effectiveWith({ atomic }, [['a1', fields(5_000, 'x')]]))).toEqual([5_000]);
  });

  it('is 1,000 by default', () => {
    const ofOne = (count: number) => fieldsIn(effectiveWith({ patch }, [['a1', fields(count, 'x')]]));
    expect([ofOne(1_000), ofOne(1_001)]).toEqual([[1_000], []]);
  });
});
