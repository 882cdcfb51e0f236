import { atomic, patch } from '@policy-machinery/merge';
import {
  byChallenger,
  byEstablished,
  defaultsAndOverrides,
  definePolicyKind,
  type StrategyChooser,
} from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { lineage, lineageRef } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';

const { kind, kinds, resources } = lineage('a1 > b1 > c1');

/** The effective policy of c1. */
function effectiveOf(policies: readonly KubernetesObject[], strategyChooser: StrategyChooser = byEstablished) {
  const Colors = definePolicyKind({
    group: 'colors.example.com',
    version: 'v1',
    kind: 'ColorPolicy',
    targets: kinds,
    effectiveTargets: [kind('c')],
    spec: anySpec,
    stanzas: defaultsAndOverrides({ strategies: { atomic, patch } }),
    fold: 'closest-parent',
    strategyChooser,
  });
  const [policy] = compute(Colors, kinds, [...resources, ...policies]).effective;
  if (policy === undefined) throw new Error('No policy reaches c1');
  return policy;
}

/** The same policy on two targets. */
function onBoth(policy: KubernetesObject, target: string): KubernetesObject {
  const { targetRefs, ...spec } = policy.spec as { targetRefs: object[] };
  return { ...policy, spec: { ...spec, targetRefs: [...targetRefs, lineageRef(target)] } as KubernetesObject['spec'] };
}

describe('closest-parent (E-02)', () => {
  it('leaves out all levels but two, and reports the losses of the others', () => {
    const policies = ['a1', 'b1', 'c1'].map((target) =>
      colorPolicy(target, target, { strategy: 'patch', [target]: 1 }),
    );
    const policy = effectiveOf(policies);
    expect(policy.spec).toEqual({ b1: 1, c1: 1 });
    expect(policy.layers.map(({ policy }) => policy.name)).toEqual(['default/c1', 'default/b1']);
    expect(policy.losses.map(({ layer, pointer }) => [layer.policy.name, pointer])).toEqual([['default/a1', '']]);
  });

  it('keeps a policy on the most specific level, whatever else it targets', () => {
    const both = onBoth(colorPolicy('both', 'c1', { overrides: { red: 1 } }), 'a1');
    const others = [colorPolicy('nearest', 'c1', { red: 2 }), colorPolicy('parent', 'b1', { red: 3 })];
    expect(effectiveOf([both, ...others]).spec).toEqual({ red: 1 });
  });

  it('merges no farther level for a policy that targets the closest parent, too', () => {
    const both = onBoth(colorPolicy('both', 'c1', { strategy: 'patch', red: 1 }), 'b1');
    const far = colorPolicy('far', 'a1', { strategy: 'patch', blue: 1 });
    expect(effectiveOf([both, far], byChallenger).spec).toEqual({ red: 1 });
  });

  it('merges each stanza of the parent by itself, unless the kind merges levels as units (X-06)', () => {
    const policies = [
      colorPolicy('low', 'c1', { strategy: 'patch', red: 1, blue: 1 }),
      colorPolicy('defaults', 'b1', { strategy: 'patch', red: 2, green: 2 }),
      colorPolicy('overrides', 'b1', { overrides: { strategy: 'patch', blue: 3 } }),
    ];
    expect(effectiveOf(policies).spec).toEqual({ red: 1, blue: 3, green: 2 });
    expect(effectiveOf(policies, byChallenger).spec).toEqual({ red: 1, blue: 1, green: 2 });
  });
});
