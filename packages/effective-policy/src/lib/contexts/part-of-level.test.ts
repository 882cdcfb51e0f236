import { patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { lineage } from '@policy-machinery/topology/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';
import { statusQueries } from '../status-queries-of.ts';
import { createTrial } from '../trial.ts';

const { kind, kinds, resources } = lineage('a1 > b1');
const definition = {
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  targets: [kind('a'), kind('b')],
  effectiveTargets: [kind('a'), kind('b')],
  spec: anySpec,
  stanzas: bareSpec({ strategies: { patch } }),
} as const;
const Parted = definePolicyKind({ ...definition, fieldsAt: [{ targets: [kind('a')], fields: ['red'] }] });

function told({ effective }: ReturnType<typeof compute>) {
  const specs = [...effective].map(({ target, spec }) => [target.ref.name, spec]);
  const outcomes = effective.policies.map(({ node: { locator } }) =>
    [...statusQueries(effective).outcomesOf(locator)].sort(),
  );
  return { specs: Object.fromEntries(specs), outcomes };
}

const nameOf = (locator: string) => locator.split('/').at(-1) ?? '';

function differing(some: object, others: object): readonly string[] {
  const [before, now] = [some, others].map((it) => new Map(Object.entries(it).map(([k, v]) => [k, JSON.stringify(v)])));
  return [...new Set([...Object.keys(some), ...Object.keys(others)])].filter((k) => before?.get(k) !== now?.get(k));
}

describe('targets where some fields of policies count', () => {
  it('have these alone, and policies without them do not affect them', () => {
    const policies = [colorPolicy('p1', 'a1', { red: 1, blue: 1 }), colorPolicy('p2', 'a1', { green: 2 })];
    expect(told(compute(Parted, kinds, [...resources, ...policies]))).toEqual({
      specs: { a1: { red: 1 }, b1: { red: 1, blue: 1, green: 2 } },
      outcomes: [['enforced'], ['enforced']],
    });
  });

  it('have none of a policy that sets others', () => {
    const world = compute(Parted, kinds, [...resources, colorPolicy('p1', 'a1', { blue: 1 })]);
    expect(told(world).specs).toEqual({ b1: { blue: 1 } });
  });

  it('let the policies of other targets prevail over more specific ones that yield, each in separate fields', () => {
    const web = lineage('a1 > b1 > c1');
    const targets = ['a', 'b', 'c'].map((name) => web.kind(name));
    const fieldsAt = [
      { targets: [web.kind('a')], fields: ['blue'] },
      {
        targets: [web.kind('c')],
        fields: ['red', 'green'],
        yielding: { targets: [web.kind('c')], to: [web.kind('b')] },
      },
    ];
    const Yielding = definePolicyKind({ ...definition, targets, effectiveTargets: targets, fieldsAt });
    const policies = [
      colorPolicy('p1', 'a1', { red: 1, green: 1, blue: 1 }),
      colorPolicy('p2', 'b1', { red: 2, blue: 2 }),
      colorPolicy('p3', 'c1', { red: 3, green: 3 }),
    ];
    expect(told(compute(Yielding, web.kinds, [...web.resources, ...policies])).specs).toEqual({
      a1: { blue: 1 },
      b1: { red: 2, green: 1, blue: 2 },
      c1: { red: 2, green: 3 },
    });
  });

  it.each([
    [{ blue: 1 }, { red: 1, blue: 1 }],
    [{ red: 1 }, { blue: 1 }],
    [{ red: 1 }, { red: 2 }],
  ])('follow edits of policies, from %j to %j', (before, after) => {
    const world = compute(Parted, kinds, [...resources, colorPolicy('p1', 'a1', before)]);
    told(world);
    world.topology.apply({ upsert: [colorPolicy('p1', 'a1', after)] });
    world.effective.takeChanges();
    expect(told(world)).toEqual(told(compute(Parted, kinds, [...resources, colorPolicy('p1', 'a1', after)])));
  });

  it('are the same after any edits as computed anew', () => {
    const web = lineage('a1 > b1 > c1', 'a1 > b2', 'a2 > b2');
    const targets = ['a', 'b', 'c'].map((name) => web.kind(name));
    const yielding = { targets: [web.kind('c')], to: [web.kind('b')] };
    const kindOfWeb = definePolicyKind({
      ...definition,
      targets,
      effectiveTargets: targets,
      fieldsAt: [
        { targets: [web.kind('a')], fields: ['red'] },
        { targets: [web.kind('b')], fields: ['red'], leadingTo: [web.kind('c')] },
        { targets: [web.kind('c')], fields: ['blue'], yielding },
      ],
    });
    const spec = fc.dictionary(fc.constantFrom('red', 'blue'), fc.nat(1), { maxKeys: 2 });
    const edit = fc.record({
      name: fc.constantFrom('p1', 'p2', 'p3'),
      target: fc.constantFrom('a1', 'a2', 'b1', 'b2', 'c1'),
      spec: fc.option(spec, { nil: undefined }),
    });
    const move = fc.subarray(['b1', 'b2']).map((above) => {
      const parents = above.map((name) => ({ kind: 'B', name }));
      return { ...web.resources.find(({ metadata }) => metadata.name === 'c1'), spec: { parents } } as KubernetesObject;
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(edit, move), { minLength: 1, maxLength: 12 }), (edits) => {
        const live = compute(kindOfWeb, web.kinds, [...web.resources]);
        let before: object = {};
        const all = new Map(web.resources.map((resource) => [resource.metadata.name, resource]));
        for (const edited of edits) {
          const object = 'name' in edited ? colorPolicy(edited.name, edited.target, edited.spec ?? {}) : edited;
          const isGone = edited.spec === undefined;
          live.topology.apply(isGone ? { remove: [object] } : { upsert: [object] });
          if (isGone) all.delete(object.metadata.name);
          else all.set(object.metadata.name, object);
          const targets = live.effective.takeChanges().targets.map(nameOf);
          const { specs } = told(live);
          expect(told(live)).toEqual(told(compute(kindOfWeb, web.kinds, [...all.values()])));
          expect(targets).toEqual(expect.arrayContaining([...differing(before, specs)]));
          before = specs;
        }
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 40) },
    );
  });

  it('are the same in a trial', () => {
    const { topology, effective } = compute(Parted, kinds, [
      ...resources,
      colorPolicy('p1', 'a1', { red: 1, blue: 1 }),
    ]);
    void [...effective].map(({ spec }) => spec);
    const change = { upsert: [colorPolicy('p2', 'b1', { green: 1 })] };
    const tried = createTrial([effective]).of(change, ({ effective: after }) => after.flatMap((view) => [...view]));
    expect(Object.fromEntries(tried.map(({ target, spec }) => [target.ref.name, spec]))).toEqual({
      a1: { red: 1 },
      b1: { red: 1, blue: 1, green: 1 },
    });
    expect(topology.policies()).toHaveLength(1);
  });
});
