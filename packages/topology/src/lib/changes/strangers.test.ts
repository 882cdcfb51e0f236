import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { defineTargetKind } from '../model/define-target-kind.ts';
import type { AttachableKind } from '../model/policy-node.ts';
import { createTopology } from '../topology.ts';

const Shelf = defineTargetKind({ group: 'library.example.com', kind: 'Shelf' });
const LoanPolicy: AttachableKind = {
  group: 'policies.example.com',
  kind: 'LoanPolicy',
  scope: 'Namespaced',
  targets: [Shelf],
  crossNamespace: 'refuse',
  targetRefs: () => ({ refs: [], issues: [] }),
};
const policy = (name: string, apiVersion: string, kind = 'LoanPolicy'): KubernetesObject => {
  return { apiVersion, kind, metadata: { name, namespace: 'n' } };
};
const topologyWith = (...upsert: readonly KubernetesObject[]) => {
  const topology = createTopology({ targetKinds: [Shelf], policyKinds: [LoanPolicy] });
  topology.apply({ upsert });
  return topology;
};

describe('policies of a group that is not declared', () => {
  const slips = ['a', 'b', 'c'].map((name) => policy(name, 'polices.example.com/v1'));
  const messageOf = (start: string, what: string) => [
    {
      code: 'unknown-group',
      severity: 'warning',
      message: `${start}, because policyKinds has LoanPolicy in "policies.example.com", ${what}`,
    },
  ];
  const three = messageOf(
    '3 resources of kind LoanPolicy in the group "polices.example.com" are ignored: correct their apiVersion',
    'or add this kind',
  );
  const one = messageOf(
    '1 resource of kind LoanPolicy in the group "polices.example.com" is ignored: correct its apiVersion',
    'or add this kind',
  );

  it('are one issue for each kind, with their count', () => {
    const topology = topologyWith(...slips, policy('d', 'v1'));
    expect(topology.issues).toEqual([expect.objectContaining({ code: 'unknown-group' }), ...three]);
    expect(topology.issues[0]?.message).toContain('in the group ""');
  });

  it('are counted again when some are removed, by reference or as objects, or added again', () => {
    const topology = topologyWith(...slips);
    topology.apply({ upsert: slips, remove: ['loanpolicy.polices.example.com:n/b'] });
    expect(topology.issues).toEqual(three);
    topology.apply({ remove: ['loanpolicy.polices.example.com:n/b', policy('c', 'polices.example.com/v1')] });
    expect(topology.issues).toEqual(one);
    topology.apply({ remove: slips });
    expect(topology.issues).toEqual([]);
  });

  it('are part of a topology with a change applied', () => {
    const topology = topologyWith(...slips);
    expect(topology.with({}).topology.issues).toEqual(three);
    expect(topology.with({ remove: slips.slice(1) }).topology.issues).toEqual(one);
    expect(topology.issues).toEqual(three);
  });

  it('are counted as before when a change fails', () => {
    const topology = topologyWith(...slips);
    expect(() => topology.apply({ upsert: [policy('', 'v1')], remove: slips })).toThrow();
    expect(topology.issues).toEqual(three);
  });

  it('may be of the right group, in another case', () => {
    const [issue] = topologyWith(policy('a', 'policies.example.com/v1', 'Loanpolicy')).issues;
    expect(issue?.message).toMatch(/^1 resource of kind Loanpolicy in the group "policies.example.com" is ignored/);
  });

  it('are none if no kind has the name of a policy kind, or only the version differs', () => {
    const shelf = policy('a', 'furniture.example.com/v1', 'Shelf');
    expect(topologyWith(shelf, policy('b', 'policies.example.com/v1alpha1')).issues).toEqual([]);
  });
});
