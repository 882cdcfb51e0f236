import { objectsIn, PolicyMachineryError, specOf } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { lineage } from '../lineage.ts';
import { createTopology } from '../topology.ts';
import { defineTargetKind } from './define-target-kind.ts';
import type { AttachableKind } from './policy-node.ts';
import type { Reference } from './reference.ts';
import type { Targetable, TargetKind } from './target-kind.ts';

const group = 'library.example.com';
const board = { list: () => [] };
const Leaf = defineTargetKind({ group, kind: 'Leaf' });
const Shelf = defineTargetKind({ group, kind: 'Shelf', sections: { board } });
const Room = defineTargetKind({
  group,
  kind: 'Room',
  references: (room) =>
    objectsIn(specOf(room).shelves).map((): Reference => {
      return { direction: 'down', to: { group, kind: 'Shelf', name: 's' }, pointer: '/spec/shelves/0' };
    }),
  mayReferTo: (kind, direction) => direction === 'down' && kind.kind === 'Shelf',
});
const Anywhere = defineTargetKind({ group, kind: 'Anywhere', references: () => [] });
const Namespace = defineTargetKind({ group: '', kind: 'Namespace', scope: 'Cluster' });
const Planet = defineTargetKind({ group, kind: 'Planet', scope: 'Cluster' });

function refusals(
  targets: readonly Targetable[],
  effectiveTargets: readonly Targetable[],
  kinds: readonly TargetKind[],
) {
  const policy: AttachableKind = {
    group: 'policies.example.com',
    kind: 'LoanPolicy',
    scope: 'Namespaced',
    targets,
    effectiveTargets,
    crossNamespace: 'refuse',
    targetRefs: () => ({ refs: [], issues: [] }),
  };
  try {
    createTopology({ targetKinds: kinds, policyKinds: [policy] });
    return [];
  } catch (error) {
    if (!(error instanceof PolicyMachineryError) || error.code !== 'unreachable-target') throw error;
    return error.issues.map(({ message }) => message);
  }
}

describe('createTopology with a policy kind without possible effect', () => {
  const all = [Room, Shelf, Leaf, Namespace, Planet];

  it('refuses effective targets that no target leads to, and targets that lead to none, all at once', () => {
    expect(refusals([Room], [Shelf, Leaf], all)).toEqual([
      'LoanPolicy.policies.example.com has the effective target Leaf, but none of its targets leads to it (Room); target it, or a kind above it',
    ]);
    expect(refusals([Room, Leaf], [Shelf], all)).toEqual([
      'LoanPolicy.policies.example.com has the target Leaf, but it does not lead to an effective target (Shelf), so policies on it would not have an effect; leave it out of targets, or add kinds below it to effectiveTargets',
    ]);
    expect(refusals([Shelf], [Room], all)).toHaveLength(2);
  });

  it.each([
    ['one is the other', [Shelf], [Shelf]],
    ['a section is below its object', [Shelf], [Shelf.sections.board]],
    ['a link leads into a section', [Room], [Shelf.sections.board]],
    ['a Namespace holds it', [Namespace], [Leaf]],
    ['a Namespace holds what leads there', [Namespace], [Shelf.sections.board]],
  ])('takes targets where %s', (_, targets, effective) => {
    expect(refusals(targets, effective, all)).toEqual([]);
  });

  it('refuses a section as the target of an effective target that is its object, and a Namespace without members of the kind', () => {
    expect(refusals([Shelf.sections.board], [Shelf], all)).toHaveLength(2);
    expect(refusals([Namespace], [Planet], all)).toHaveLength(2);
  });

  it('allows any link of a kind without `mayReferTo`', () => {
    expect(refusals([Leaf], [Room], [...all, Anywhere])).toEqual([]);
    expect(refusals([Anywhere], [Leaf], [Anywhere, Leaf])).toEqual([]);
  });

  it('knows the kinds of a lineage', () => {
    const { kind, kinds } = lineage('g1 > r1 > b1', 'x1');
    expect(refusals([kind('g'), kind('r')], [kind('b')], kinds)).toEqual([]);
    expect(refusals([kind('r')], [kind('g')], kinds)).toHaveLength(2);
    expect(refusals([kind('g'), kind('x')], [kind('b')], kinds)).toHaveLength(1);
  });
});
