import { patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import type { Path } from '@policy-machinery/topology';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';

const named = { group: 'colors.example.com', version: 'v1', kind: 'ColorPolicy', spec: anySpec };
const stanzas = bareSpec({ strategies: { patch } });

/** Forty diamonds on top of each other: 2^40 paths to the last joint. */
const steps = Array.from({ length: 40 }, (_, index) => index + 1);
const ladder = lineage(
  ...steps.flatMap((step) => [`j${step} > l${step} > j${step + 1}`, `j${step} > r${step} > j${step + 1}`]),
);
const last = 'j.lineage.example.com:default/j41';

function ladderWith(...policies: readonly ReturnType<typeof colorPolicy>[]) {
  const Colors = definePolicyKind({
    ...named,
    targets: [ladder.kind('j'), ladder.kind('l')],
    effectiveTargets: [ladder.kind('j')],
    stanzas,
  });
  return compute(Colors, ladder.kinds, [...ladder.resources, ...policies]).effective;
}

const nameOf = (path: Path): string => path.map(({ ref }) => ref.name).join('>');

describe('Context.pathCount', () => {
  it('counts 2^40 paths without following them', () => {
    const [policy, ...others] = ladderWith(colorPolicy('p1', 'j1', { red: 1 })).of(last);
    expect(policy?.pathCount).toBe(2n ** 40n);
    expect(policy?.spec).toEqual({ red: 1 });
    expect(others).toEqual([]);
  });

  it('counts the paths of each context', () => {
    const effective = ladderWith(colorPolicy('p1', 'l1', { red: 1 }), colorPolicy('p2', 'l40', { blue: 1 }));
    expect(effective.of(last).map(({ spec, pathCount }) => [spec, pathCount])).toEqual(
      expect.arrayContaining([
        [{ red: 1 }, 2n ** 38n],
        [{ blue: 1 }, 2n ** 38n],
        [{ red: 1, blue: 1 }, 2n ** 38n],
      ]),
    );
    expect(effective.uncovered(last).map(({ pathCount }) => pathCount)).toEqual([2n ** 38n]);
  });
});

describe('Context.paths', () => {
  const effective = ladderWith(colorPolicy('p1', 'l1', { red: 1 }));
  const [policy] = effective.of(last);
  const paths = policy?.paths({ limit: 3 }) ?? [];

  it('computes paths on demand: the first of 2^39 at once', () => {
    const [first] = paths;
    expect(first?.map(({ ref }) => ref.name)).toHaveLength(81);
    expect(nameOf(first ?? [])).toMatch(/^j1>l1>j2>.*>j41$/);
  });

  it('throws when you ask for more paths than the limit', () => {
    expect(() => [...paths]).toThrow(expect.objectContaining({ code: 'too-many-paths' }));
  });

  it('starts over on each iteration', () => {
    const [first] = paths;
    const [again] = paths;
    expect(again).toEqual(first);
  });

  it('lists the paths of this context only', () => {
    const { kind, kinds, resources } = lineage('a1 > b1 > c1', 'a1 > b2 > c1', 'a2 > b2 > c1');
    const Colors = definePolicyKind({
      ...named,
      targets: [kind('a'), kind('b')],
      effectiveTargets: [kind('c')],
      stanzas,
    });
    const policies = [colorPolicy('p1', 'a1', { red: 1 }), colorPolicy('p2', 'b2', { blue: 1 })];
    const found = compute(Colors, kinds, [...resources, ...policies]).effective;
    const pathsOf = Object.fromEntries(
      [...found].map((it) => [it.levels.map(({ target }) => target.ref.name).join(), [...it.paths()].map(nameOf)]),
    );
    expect(pathsOf).toEqual({ a1: ['a1>b1>c1'], 'a1,b2': ['a1>b2>c1'], b2: ['a2>b2>c1'] });
  });

  it('supports a chain of any depth', () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `a${index}`);
    const chain = lineage(names.join(' > '));
    const Colors = definePolicyKind({ ...named, targets: [chain.kind('a')], policyClass: 'Inherited', stanzas });
    const { effective: deep } = compute(Colors, chain.kinds, [...chain.resources, colorPolicy('p1', 'a0', { red: 1 })]);
    const [end] = deep.of('a.lineage.example.com:default/a4999');
    expect([...(end?.paths() ?? [])].map((path) => path.length)).toEqual([5_000]);
  });
});
