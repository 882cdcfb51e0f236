import { type KubernetesObject, objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import { readTargetRefs } from '@policy-machinery/target-ref';
import { describe, expect, it } from 'vitest';
import { graphOf } from '../drawing/graph.ts';
import { defineTargetKind } from '../model/define-target-kind.ts';
import { formatPath } from '../model/format.ts';
import type { AttachableKind } from '../model/policy-node.ts';
import { createTopology } from '../topology.ts';

const group = 'culture.example.com';

/** A library whose shelves can name the rules that apply to them. */
const Library = defineTargetKind({
  group,
  kind: 'Library',
  sections: {
    shelf: {
      list: (library) => objectsIn(specOf(library).shelves).map((value) => ({ name: stringIn(value.name), value })),
      *policyRefs({ index, value: { rules } }) {
        for (const [at, kind] of (Array.isArray(rules) ? rules : []).entries()) {
          if (kind === 'broken') throw new Error('torn page');
          yield { group, kind: String(kind), name: 'quiet', pointer: `/spec/shelves/${index}/rules/${at}` };
        }
      },
    },
  },
});

const policyKind = (kind: string, extensionRefs: boolean): AttachableKind => ({
  group,
  kind,
  scope: 'Namespaced',
  targets: [Library, Library.sections.shelf],
  crossNamespace: 'refuse',
  extensionRefs,
  targetRefs: (policy) => ('targetRefs' in specOf(policy) ? readTargetRefs(policy) : { refs: [], issues: [] }),
});

const library = (...shelves: readonly object[]): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Library',
  metadata: { name: 'city', namespace: 'north' },
  spec: { shelves },
});

const rule = (kind: string, namespace: string, spec: object = {}): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name: 'quiet', namespace },
  spec,
});

function topologyOf(...upsert: readonly KubernetesObject[]) {
  const policyKinds = [policyKind('Rule', true), policyKind('Order', false)];
  const topology = createTopology({ targetKinds: [Library], policyKinds });
  topology.apply({ upsert });
  return topology;
}

const shelf = 'library.culture.example.com:north/city#poems';

describe('policies that targets name (G-03)', () => {
  it('are attached to the target that names them, in its own namespace', () => {
    const topology = topologyOf(
      library({ name: 'poems', rules: ['Rule'] }),
      rule('Rule', 'north'),
      rule('Rule', 'south'),
    );
    expect(topology.issues).toEqual([]);
    expect(topology.policiesAt(shelf).map(({ locator }) => locator)).toEqual(['rule.culture.example.com:north/quiet']);
    expect(topology.policies()[0]?.attachments).toMatchObject([{ outcome: 'Attached', via: 'policyRef' }]);
    expect(graphOf(topology).outDegree('rule.culture.example.com:north/quiet')).toBe(1);
  });

  it('keep the targets that they declare', () => {
    const targetRefs = [{ group, kind: 'Library', name: 'city' }];
    const topology = topologyOf(library({ name: 'poems', rules: ['Rule'] }), rule('Rule', 'north', { targetRefs }));
    expect(topology.policies()[0]?.attachments.map(({ via, target }) => [via, target?.locator])).toEqual([
      ['targetRef', 'library.culture.example.com:north/city'],
      ['policyRef', shelf],
    ]);
  });

  it('are reported when they do not exist, at the target, and attached when they come', () => {
    const topology = topologyOf(library({ name: 'essays' }, { name: 'poems', rules: ['Rule'] }));
    expect(topology.issues).toMatchObject([
      {
        code: 'missing-policy',
        resource: 'library.culture.example.com:north/city',
        pointer: '/spec/shelves/1/rules/0',
      },
    ]);
    topology.apply({ upsert: [rule('Rule', 'north')] });
    expect(topology.issues).toEqual([]);
  });

  it.each(['Order', 'Poster'])('are left to others when their kind is not attached in this way: %s', (kind) => {
    const topology = topologyOf(library({ name: 'poems', rules: [kind] }), rule('Order', 'north'));
    expect(topology.policiesAt(shelf)).toEqual([]);
    expect(topology.issues).toEqual([]);
  });

  it('are not attached to targets that another controller manages (T-22)', () => {
    const kind = { ...policyKind('Rule', true), manages: () => false };
    const topology = createTopology({ targetKinds: [Library], policyKinds: [kind] });
    topology.apply({ upsert: [library({ name: 'poems', rules: ['Rule'] }), rule('Rule', 'north')] });
    expect(topology.policies()[0]?.attachments).toMatchObject([
      {
        outcome: 'ManagedElsewhere',
        via: 'policyRef',
        message: 'is named by Library north/city#poems, which another controller manages',
      },
    ]);
    expect([topology.policiesAt(shelf), topology.issues]).toEqual([[], []]);
  });

  it('cost only their own target when they cannot be read', () => {
    const topology = topologyOf(
      library({ name: 'essays', rules: ['broken'] }, { name: 'poems', rules: ['Rule'] }),
      rule('Rule', 'north'),
    );
    expect(topology.issues).toMatchObject([{ code: 'unreadable-resource' }]);
    expect(topology.policiesAt(shelf)).toHaveLength(1);
  });
});

/** A resource that says which rules apply to which library: neither of the two says so. */
const Binding = defineTargetKind({
  group,
  kind: 'Binding',
  *policyRefs(binding) {
    const { rule: name } = specOf(binding);
    if (typeof name !== 'string') throw new Error('torn page');
    yield { group, kind: 'Rule', name, pointer: '/spec/rule' };
  },
  *references(binding) {
    const name = String(specOf(binding).library);
    yield { direction: 'down', to: { group, kind: 'Library', name }, pointer: '/spec/library' };
  },
});

const binding = (name: string, spec: object): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Binding',
  metadata: { name, namespace: 'north' },
  spec,
});

describe('policies that a third resource binds to targets', () => {
  const bindings = createTopology({ targetKinds: [Library, Binding], policyKinds: [policyKind('Rule', true)] });
  bindings.apply({ upsert: [library(), rule('Rule', 'north')] });
  const bound = (...specs: readonly object[]) =>
    bindings.with({ upsert: specs.map((spec, index) => binding(`binding-${index}`, spec)) });

  it('are attached to that resource, which leads to the targets', () => {
    const { topology } = bound({ rule: 'quiet', library: 'city' });
    const locator = 'binding.culture.example.com:north/binding-0';
    expect(topology.issues).toEqual([]);
    expect(topology.policies()[0]?.attachments).toMatchObject([{ via: 'policyRef', target: { locator } }]);
    expect([...topology.pathsTo('library.culture.example.com:north/city')].map(formatPath)).toEqual([
      'Binding north/binding-0 > Library north/city',
    ]);
  });

  it('are bound by each of several resources, and follow changes of each', () => {
    const { topology, delta } = bound({ rule: 'quiet', library: 'city' }, { rule: 'quiet', library: 'country' });
    expect(delta.changed).toContain('rule.culture.example.com:north/quiet');
    expect(topology.policies()[0]?.attachments).toHaveLength(2);
    const without = topology.with({ remove: ['binding.culture.example.com:north/binding-0'] });
    expect(without.delta.changed).toContain('rule.culture.example.com:north/quiet');
    expect(without.topology.policies()[0]?.attachments).toHaveLength(1);
  });

  it('are reported at that resource if they do not exist', () => {
    expect(bound({ rule: 'loud', library: 'city' }).topology.issues).toMatchObject([
      { code: 'missing-policy', resource: 'binding.culture.example.com:north/binding-0', pointer: '/spec/rule' },
    ]);
  });

  it('are bound by all others if one such resource cannot be read', () => {
    const { topology } = bound({ library: 'city' }, { rule: 'quiet', library: 'city' });
    expect(topology.issues).toMatchObject([{ code: 'unreadable-resource' }]);
    expect(topology.policies()[0]?.attachments).toHaveLength(1);
  });
});
