import { patch } from '@policy-machinery/merge';
import { type AncestorEntries, bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import { locatorOf } from '@policy-machinery/resource';
import type { TargetKind } from '@policy-machinery/topology';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';
import { Exhibition, group, Museum, museumKinds, museumResource } from '../../properties/museum.fixture.ts';

/** Policies on targets of some kinds, all of which are ancestors, in force at those of another one. */
function colorsOn(ancestors: readonly TargetKind[], effective: TargetKind, reach?: AncestorEntries['reach']) {
  return definePolicyKind({
    group: 'colors.example.com',
    version: 'v1',
    kind: 'ColorPolicy',
    targets: ancestors,
    effectiveTargets: [effective],
    ancestors,
    ...(reach === undefined ? {} : { ancestorEntries: { reach } }),
    stanzas: bareSpec({ strategies: { patch } }),
    spec: anySpec,
  });
}

describe('Context.ancestors', () => {
  it.each([
    ['all', ['g1', 'l1']],
    ['nearest', ['l1']],
  ] as const)('has the target itself, where it is an ancestor: beside those above with "%s"', (reach, names) => {
    const { kind, kinds, resources } = lineage('g1 > l1');
    const Colors = colorsOn([kind('g'), kind('l')], kind('l'), reach);
    const { effective } = compute(Colors, kinds, [...resources, colorPolicy('p', 'g1', { color: 'red' })]);
    expect([...effective].map(({ ancestors }) => ancestors.map(({ ref }) => ref.name))).toEqual([names]);
  });

  it('includes the object of the section that a path enters', () => {
    const tate = museumResource('Museum', 'tate', 'east', {
      refs: [{ kind: 'Exhibition', name: 'miro', sections: ['first'] }],
    });
    const miro = museumResource('Exhibition', 'miro', 'east', { sections: [{ name: 'first' }] });
    const policy = {
      apiVersion: 'colors.example.com/v1',
      kind: 'ColorPolicy',
      metadata: { name: 'p', namespace: 'east' },
      spec: { targetRefs: [{ group, kind: 'Museum', name: 'tate' }], color: 'red' },
    };
    const { effective } = compute(colorsOn([Museum], Exhibition), museumKinds, [tate, miro, policy]);
    expect(effective.of(locatorOf(miro)).map(({ ancestors }) => ancestors.map(({ ref }) => ref.name))).toEqual([
      ['tate'],
    ]);
  });
});
