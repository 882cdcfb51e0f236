import type { KubernetesObject } from '@policy-machinery/resource';
import { readTargetRefs, readTargetSelectors } from '@policy-machinery/target-ref';
import { describe, expect, it } from 'vitest';
import { Bank, Borrower, bank, bankWith, borrower, Vault, vault } from '../bank.fixture.ts';
import type { AttachableKind } from '../model/policy-node.ts';
import type { TopologyOptions } from '../topology.ts';

const group = 'bank.example.com';

/** A kind for vaults whose bank is closed. */
const AuditPolicy: AttachableKind = {
  group,
  kind: 'AuditPolicy',
  scope: 'Namespaced',
  targets: [Vault, Vault.sections.box],
  crossNamespace: 'refuse',
  targetRefs: (policy) => readTargetRefs(policy, { orSelectors: true }),
  targetSelectors: readTargetSelectors,
  refuses({ spec }, find) {
    const { bank: name } = spec as { readonly bank: string };
    const isClosed = find({ group: Bank.group, kind: Bank.kind, name })?.metadata.labels?.closed === 'yes';
    return isClosed ? undefined : `whose bank ${name} is open; close the bank`;
  },
};

const audit = (spec: object): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'AuditPolicy',
  metadata: { name: 'audit', namespace: 'default' },
  spec,
});
const target = { group, kind: 'Vault', name: 'v' };
const named = audit({ targetRefs: [target] });
const v = vault('v', { bank: 'b', boxes: [{ name: 'x' }] });

function world(options: Partial<TopologyOptions>, ...resources: readonly KubernetesObject[]) {
  const topology = bankWith({ policyKinds: [AuditPolicy], ...options }, v, ...resources);
  const outcomes = () => topology.policies().flatMap(({ attachments }) => attachments.map(({ outcome }) => outcome));
  const messages = () => topology.issues.map(({ code, message }) => `${code}: ${message}`);
  return { topology, outcomes, messages };
}

describe('a target that a kind refuses', () => {
  it.each<[string, object, string]>([
    ['an object', { targetRefs: [target] }, 'Vault default/v'],
    ['a section', { targetRefs: [{ ...target, sectionName: 'x' }] }, 'Vault default/v#x'],
    ['a selected object', { targetSelectors: [{ group, kind: 'Vault' }] }, 'Vault default/v'],
  ])('is reported with the reason, and not attached: %s', (_, spec, name) => {
    const { outcomes, messages } = world({}, bank('b'), audit(spec));
    expect(outcomes()).toEqual(['UnsupportedTarget']);
    expect(messages()).toEqual([`unsupported-target: targets ${name}, whose bank b is open; close the bank`]);
  });

  it('is refused again, or no longer, when an object changes that decides', () => {
    const { topology, outcomes } = world({}, bank('b', { closed: 'yes' }), named);
    expect(outcomes()).toEqual(['Attached']);
    topology.apply({ upsert: [bank('b')] });
    expect(outcomes()).toEqual(['UnsupportedTarget']);
    topology.apply({ upsert: [bank('b', { closed: 'yes' })] });
    expect(outcomes()).toEqual(['Attached']);
  });

  it('is not known without an object that decides and need not have been given', () => {
    const { outcomes, messages } = world({ isComplete: () => false }, named);
    expect(outcomes()).toEqual(['Undecided']);
    expect(messages()).toEqual([
      'not-in-input: targets Vault default/v, and whether AuditPolicy has an effect there depends on Bank b, which is not in this input; add it',
    ]);
  });

  it('is decided again when an object comes, changes or goes that refers to the target', () => {
    const refuses: AttachableKind['refuses'] = (target, find, _, { metadata }) => {
      const [other] = find.referrers(target, Borrower);
      return other && { undecided: `which ${metadata.name} shares with ${other.metadata.name}` };
    };
    const { topology, outcomes, messages } = world({ policyKinds: [{ ...AuditPolicy, refuses }] }, named);
    expect(outcomes()).toEqual(['Attached']);
    topology.apply({ upsert: [borrower({ name: 'v' })] });
    expect(outcomes()).toEqual(['Undecided']);
    expect(messages()).toContain('not-in-input: targets Vault default/v, which audit shares with b');
    topology.apply({ upsert: [borrower({ name: 'w' })] });
    expect(outcomes()).toEqual(['Attached']);
    topology.apply({ upsert: [borrower({ name: 'v' })] });
    expect(outcomes()).toEqual(['Undecided']);
    topology.apply({ remove: [borrower({ name: 'v' })] });
    expect(outcomes()).toEqual(['Attached']);
  });

  it('is reported if the kind fails on it', () => {
    const fails: AttachableKind = {
      ...AuditPolicy,
      refuses() {
        throw new Error('odd');
      },
    };
    const { outcomes, messages } = world({ policyKinds: [fails] }, named);
    expect(outcomes()).toEqual(['UnsupportedTarget']);
    expect(messages().join()).toContain('odd');
  });
});
