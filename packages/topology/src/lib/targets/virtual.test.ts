import { formatIssue, type KubernetesObject, type LabelSelector, specOf } from '@policy-machinery/resource';
import { readTargetRefs } from '@policy-machinery/target-ref';
import { describe, expect, it } from 'vitest';
import { namespaceWith, Vault, vault } from '../bank.fixture.ts';
import { defineTargetKind } from '../model/define-target-kind.ts';
import type { AttachableKind } from '../model/policy-node.ts';
import { createTopology } from '../topology.ts';

const group = 'virtual.example.com';
const apiVersion = `${group}/v1`;

/** A virtual kind: tenants are derived from the labels of Namespaces. */
const Tenant = defineTargetKind({
  group,
  kind: 'Tenant',
  scope: 'Cluster',
  *derive({ kind, metadata: { labels } }) {
    const name = labels?.tenant;
    if (kind !== 'Namespace' || name === undefined) return;
    if (name === 'broken') throw new Error('no such tenant');
    if (name === 'wrong') yield { apiVersion, kind: 'tenant', metadata: { name } };
    else
      yield { apiVersion, kind: 'Tenant', metadata: { name }, spec: { namespaces: { matchLabels: { tenant: name } } } };
  },
  *references(tenant) {
    const selector = specOf(tenant).namespaces as LabelSelector;
    const { group, kind } = Vault;
    yield {
      direction: 'down',
      to: { group, kind, namespaces: { from: 'Selector', selector } },
      pointer: '/spec/namespaces',
    };
  },
});

const AccessPolicy: AttachableKind = {
  group: 'policies.example.com',
  kind: 'AccessPolicy',
  scope: 'Cluster',
  targets: [Tenant],
  crossNamespace: 'refuse',
  targetRefs: readTargetRefs,
};

const policyOn = (name: string): KubernetesObject => ({
  apiVersion: 'policies.example.com/v1',
  kind: 'AccessPolicy',
  metadata: { name: 'p' },
  spec: { targetRefs: [{ group, kind: 'Tenant', name }] },
});

function world(...upsert: readonly KubernetesObject[]) {
  const topology = createTopology({ targetKinds: [Tenant, Vault], policyKinds: [AccessPolicy] });
  topology.apply({ upsert });
  return topology;
}

const acme = 'tenant.virtual.example.com:acme';
const north = namespaceWith('north', { tenant: 'acme' });
const south = namespaceWith('south', { tenant: 'acme' });

describe('TargetKindDefinition.derive (T-16)', () => {
  it('derives targets that no API server knows, with a place in the hierarchy', () => {
    const topology = world(
      north,
      south,
      vault('a', {}, 'north'),
      vault('b', {}, 'south'),
      vault('c'),
      policyOn('acme'),
    );
    expect(topology.children(acme).map(({ ref }) => ref.name)).toEqual(['a', 'b']);
    expect(topology.policiesAt(acme).map(({ resource }) => resource.metadata.name)).toEqual(['p']);
    expect(topology.issues).toEqual([]);
  });

  it('does not attach a policy to a target without a source', () => {
    const [policy] = world(north, policyOn('ajax')).policies();
    expect(policy?.attachments).toMatchObject([{ outcome: 'TargetNotFound' }]);
  });

  it('derives one target from any number of sources, for as long as one of them exists', () => {
    const topology = world(north, south);
    expect([...topology.targets].map(({ locator }) => locator)).toEqual([acme]);
    topology.apply({ remove: ['namespace:north'] });
    expect(topology.get(acme)).toBeDefined();
    expect(topology.apply({ remove: ['namespace:south'] }).removed).toEqual([acme]);
  });

  it('does not count the target as changed when other resources change', () => {
    const topology = world(north);
    expect(topology.apply({ upsert: [vault('x')] })).toMatchObject({
      added: ['vault.bank.example.com:default/x'],
      changed: [],
    });
  });

  it('yields to an actual resource of the same locator', () => {
    const given = { apiVersion, kind: 'Tenant', metadata: { name: 'acme' }, spec: { namespaces: {} } };
    const topology = world(north, given);
    expect(topology.get(acme)?.resource).toBe(given);
  });

  it('needs no listing, unless derived resources only replace missing ones', () => {
    const required = (standIns: boolean) =>
      createTopology({ targetKinds: [defineTargetKind({ ...Tenant, standIns }), Vault] }).requiredKinds.map(
        ({ kind }) => kind,
      );
    expect(required(false)).not.toContain('Tenant');
    expect(required(true)).toContain('Tenant');
  });

  it('leaves out only its resource if it throws, or derives another kind', () => {
    const topology = world(north, namespaceWith('x', { tenant: 'broken' }), namespaceWith('y', { tenant: 'wrong' }));
    topology.apply({ upsert: [vault('v')] });
    expect([...topology.targets].map(({ ref }) => ref.name)).toEqual(['acme', 'v']);
    expect(topology.issues.map(formatIssue)).toMatchInlineSnapshot(`
      [
        "error: cannot be read: no such tenant; correct the resource (namespace:x) [unreadable-resource]",
        "error: a tenant.virtual.example.com is derived from it instead of a Tenant.virtual.example.com; derive a Tenant.virtual.example.com (namespace:y) [invalid-virtual-resource]",
      ]
    `);
  });
});
