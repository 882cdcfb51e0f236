import { findStatusCondition, type PolicyAncestorStatus } from '@policy-machinery/conditions';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { atomic, none, patch } from '@policy-machinery/merge';
import { bareSpec, defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { lineage, lineageRef } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import vectors from '../../../effective-policy/vectors/gep713-examples.json' with { type: 'json' };
import { planStatus } from '../lib/plan/plan-status.ts';
import { anySpec, colorPolicy, compute } from './policies.fixture.ts';

const [example1, example2, example3] = vectors as unknown as readonly [Vector, Vector, Vector];

interface Vector {
  readonly topology: readonly string[];
  readonly policies: readonly ({ id: string; target: string; t?: number } & Record<string, unknown>)[];
  readonly effective: Record<string, unknown>;
  readonly affected: Record<string, readonly string[]>;
}

const named = { group: 'colors.example.com', version: 'v1', kind: 'ColorPolicy', spec: anySpec };

/** Returns the conditions of the planned status of each policy, as `Type=Status/Reason` with the message. */
function statuses(effective: EffectivePolicies<unknown>) {
  const { writes } = planStatus(effective, { controllerName: 'colors.example.com/controller', now: new Date(0) });
  const entries = writes.flatMap(({ ref, apply }) => {
    const { ancestors = [] } = (apply.status ?? {}) as { ancestors?: readonly PolicyAncestorStatus[] };
    return ancestors.map(({ conditions }) => {
      const said = conditions.map(({ type, status, reason }) => `${type}=${status}/${reason}`);
      const message = findStatusCondition(conditions, 'Programmed')?.message ?? conditions[0]?.message;
      return [ref.name, [...said, message]] as const;
    });
  });
  return Object.fromEntries(entries);
}

/** Which policies affect a backend. */
function affecting(effective: EffectivePolicies<unknown>, name: string): readonly string[] {
  const { policies } = effective.explain({ ...lineageRef(name), namespace: 'default' });
  return policies.map((policy) => policy.name.replace('default/', ''));
}

function specsByPath(effective: EffectivePolicies<unknown>): Record<string, unknown> {
  const specs: Record<string, unknown> = {};
  const nameOf = (path: Iterable<{ readonly ref: { readonly name: string } }>) =>
    [...path].map(({ ref }) => ref.name).join('>');
  for (const policy of effective) for (const path of policy.paths()) specs[nameOf(path)] = policy.spec;
  for (const context of effective.uncovered()) for (const path of context.paths()) specs[nameOf(path)] = null;
  return specs;
}

describe('example 1 of GEP-713, a direct policy kind', () => {
  const { kinds, kind, resources } = lineage(...example1.topology);
  const colors = definePolicyKind({ ...named, targets: [kind('b')], stanzas: bareSpec({ strategies: { none } }) });
  const policies = example1.policies.map(({ id, target, spec, t }) => colorPolicy(id, target, spec as object, t));
  const { effective } = compute(colors, kinds, [...resources, ...policies]);
  const status = statuses(effective);

  it('1: traffic to b1 is red', () => expect(specsByPath(effective)).toEqual(example1.effective));
  it('2: b1 is affected by p1', () => expect(affecting(effective, 'b1')).toEqual(['p1']));
  it('3: b2 is affected by no policy', () => expect(affecting(effective, 'b2')).toEqual([]));
  it('4: p1 is enforced', () =>
    expect(status.p1).toEqual(['Accepted=True/Accepted', 'Programmed=True/Programmed', 'In force in all scopes.']));
  it('5: p2 is not, because it is in conflict with p1', () =>
    expect(status.p2).toEqual([
      'Accepted=False/Conflicted',
      'Conflicts with another policy. default/p1 stays: it is older (None).',
    ]));
});

/** The effective policies of an example with defaults and overrides. */
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

const enforced = ['Accepted=True/Accepted', 'Programmed=True/Programmed', 'In force in all scopes.'];

describe('example 2 of GEP-713, defaults and overrides', () => {
  const effective = effectiveOf(example2);
  const status = statuses(effective);

  it('1 to 4: each path has its color', () => expect(specsByPath(effective)).toEqual(example2.effective));
  it('5, 6: b1 is affected by p1, p2 and p3, and b2 by p3', () => {
    expect({ b1: affecting(effective, 'b1'), b2: affecting(effective, 'b2') }).toEqual(example2.affected);
  });
  it('7: p1 is partly enforced, because p2 beats it in some cases', () =>
    expect(status.p1).toEqual([
      'Accepted=True/Accepted',
      'Programmed=True/PartiallyProgrammed',
      'In force in part. default/p2 replaces it (Atomic defaults).',
    ]));
  it('8: p2 is enforced', () => expect(status.p2).toEqual(enforced));
  it('9: p3 is enforced', () => expect(status.p3).toEqual(enforced));
  it('10: p4 is not, because p3 overrides it', () =>
    expect(status.p4).toEqual([
      'Accepted=True/Accepted',
      'Programmed=False/Overridden',
      'Overridden in all scopes. default/p3 replaces it (Atomic overrides).',
    ]));
});

describe('example 3 of GEP-713, merged specs', () => {
  const effective = effectiveOf(example3);
  const status = statuses(effective);

  it('1 to 4: each path has its colors', () => expect(specsByPath(effective)).toEqual(example3.effective));
  it('5, 6: b1 is affected by p1, p2 and p3, and b2 by p3 and p4', () => {
    expect({ b1: affecting(effective, 'b1'), b2: affecting(effective, 'b2') }).toEqual(example3.affected);
  });
  it('7: p1 is partly enforced, because p2 beats it atomically in some cases', () =>
    expect(status.p1).toEqual([
      'Accepted=True/Accepted',
      'Programmed=True/PartiallyProgrammed',
      'In force in part. default/p2 replaces it (Atomic defaults).',
    ]));
  it('8: p2 is enforced', () => expect(status.p2).toEqual(enforced));
  it('9: p3 is enforced', () => expect(status.p3).toEqual(enforced));
  it('10: p4 is partly enforced, because p3 overrides a part of it', () =>
    expect(status.p4).toEqual([
      'Accepted=True/Accepted',
      'Programmed=True/PartiallyProgrammed',
      'In force in part. default/p3 prevails at /colors/light (Patch overrides).',
    ]));
});
