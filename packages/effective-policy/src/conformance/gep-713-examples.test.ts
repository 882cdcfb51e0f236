import { atomic, none, patch } from '@policy-machinery/merge';
import { bareSpec, defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import vectors from '../../vectors/gep713-examples.json' with { type: 'json' };
import { anySpec, colorPolicy, compute, specsByPath } from './policies.fixture.ts';

const [example1, example2, example3, abstract] = vectors as unknown as readonly [Vector, Vector, Vector, Vector];

interface Vector {
  readonly topology: readonly string[];
  readonly policies: readonly ({ id: string; target: string; t?: number } & Record<string, unknown>)[];
  readonly effective: Record<string, unknown>;
  readonly contributors: Record<string, readonly string[]>;
}

const named = { group: 'colors.example.com', version: 'v1', kind: 'ColorPolicy', spec: anySpec };

describe('effectivePolicies on the examples of GEP-713', () => {
  it('example 1: a direct policy kind keeps the oldest policy of a target (None, M-02, C-06)', () => {
    const { kinds, kind, resources } = lineage(...example1.topology);
    const colors = definePolicyKind({ ...named, targets: [kind('b')], stanzas: bareSpec({ strategies: { none } }) });
    const policies = example1.policies.map(({ id, target, spec, t }) => colorPolicy(id, target, spec as object, t));
    const { effective } = compute(colors, kinds, [...resources, ...policies]);

    expect(specsByPath(effective)).toEqual(example1.effective);
    const [conflict] = [...effective].flatMap(({ losses }) => losses);
    expect(conflict).toMatchObject({ pointer: '', strategy: 'None', rule: 'older' });
    expect(conflict?.layer.policy.name).toBe('default/p2');
    expect(conflict?.winners.map(({ policy }) => policy.name)).toEqual(['default/p1']);
  });

  it('example 2: atomic defaults yield to more specific policies, atomic overrides do not (M-03, M-04)', () => {
    expect(mergedByPath(example2)).toEqual(example2.effective);
  });

  it('example 3: patches merge field by field, atomic defaults not at all (M-06)', () => {
    expect(mergedByPath(example3)).toEqual(example3.effective);
  });

  it('example 3: names the loser, the winner and the rule of each merge (M-24)', () => {
    const losses = [...effectiveOf(example3)].flatMap((policy) =>
      policy.losses.map(({ layer, pointer, winners, strategy, rule }) => {
        const names = winners.map((winner) => winner.policy.name).join();
        return `${layer.policy.name}${pointer} lost to ${names}: ${strategy}, ${rule}`;
      }),
    );
    expect(losses).toEqual([
      'default/p1 lost to default/p2: Atomic defaults, more-specific',
      'default/p4/colors/light lost to default/p3: Patch overrides, less-specific',
    ]);
  });

  it('the abstract process: a target has one effective policy for each context (M-09)', () => {
    const { kinds, kind, resources } = lineage(...abstract.topology);
    const colors = definePolicyKind({
      ...named,
      targets: [kind('a'), kind('b')],
      effectiveTargets: [kind('c')],
      stanzas: bareSpec({ strategies: { patch } }),
    });
    const policies = abstract.policies.map(({ id, target }) => colorPolicy(id, target, { [id]: true }));
    const { effective } = compute(colors, kinds, [...resources, ...policies]);

    const expected = Object.entries(abstract.contributors).map(([path, ids]) => [
      path,
      Object.fromEntries(ids.map((id) => [id, true])),
    ]);
    expect(specsByPath(effective)).toEqual(Object.fromEntries(expected));
  });
});

function effectiveOf(example: Vector) {
  const { kinds, kind, resources } = lineage(...example.topology);
  const colors = definePolicyKind({
    ...named,
    targets: [kind('g'), kind('r')],
    effectiveTargets: [kind('b')],
    stanzas: defaultsAndOverrides({ strategies: { atomic, patch } }),
  });
  const policies = example.policies.map(({ id, target, t, ...spec }) => colorPolicy(id, target, spec, t));
  return compute(colors, kinds, [...resources, ...policies]).effective;
}

function mergedByPath(example: Vector): Record<string, unknown> {
  return specsByPath(effectiveOf(example));
}
