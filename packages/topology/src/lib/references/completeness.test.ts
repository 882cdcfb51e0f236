import type { KubernetesObject } from '@policy-machinery/resource';
import { readTargetRefs, readTargetSelectors } from '@policy-machinery/target-ref';
import { describe, expect, it } from 'vitest';
import { Bank, Borrower, bankWith, borrower, grant, namespaceWith, Vault, vault } from '../bank.fixture.ts';
import type { IsComplete } from '../model/completeness.ts';
import { defineTargetKind } from '../model/define-target-kind.ts';
import type { AttachableKind } from '../model/policy-node.ts';
import { createTopology } from '../topology.ts';

const nothing: IsComplete = () => false;
const group = 'bank.example.com';

const AuditPolicy: AttachableKind = {
  group,
  kind: 'AuditPolicy',
  scope: 'Namespaced',
  targets: [Bank, Vault, Vault.sections.box, Borrower],
  clusterScopedTargets: 'allow',
  crossNamespace: 'granted',
  targetRefs: (policy) => ('targetRefs' in (policy.spec as object) ? readTargetRefs(policy) : { refs: [], issues: [] }),
  targetSelectors: readTargetSelectors,
};

const audit = (spec: object): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'AuditPolicy',
  metadata: { name: 'audit', namespace: 'default' },
  spec,
});
const on = (ref: object) => audit({ targetRefs: [{ group, kind: 'Vault', name: 'v', ...ref }] });
const selecting = (selector: object) =>
  audit({ targetSelectors: [{ group, kind: 'Vault', matchLabels: { tier: 'gold' }, ...selector }] });

const attachmentsIn = (isComplete: IsComplete, ...resources: readonly KubernetesObject[]) => {
  const topology = bankWith({ policyKinds: [AuditPolicy], isComplete }, ...resources);
  return {
    outcomes: topology.policies().flatMap(({ attachments }) => attachments.map(({ outcome }) => outcome)),
    codes: topology.issues.map(({ code, severity }) => `${severity} ${code}`),
    messages: topology.issues.map(({ message }) => message),
  };
};

describe('a policy in a topology that is given a part of the resources', () => {
  it.each([
    ['a target', on({}), 'TargetNotFound', 'targets Vault default/v, which is not in this input; add it'],
    [
      'a cluster-scoped target',
      on({ kind: 'Bank' }),
      'TargetNotFound',
      'targets Bank v, which is not in this input; add it',
    ],
    [
      'a grant',
      on({ namespace: 'abroad' }),
      'ReferenceNotPermitted',
      'targets Vault abroad/v, and no ReferenceGrant in this input permits AuditPolicy to target it; add one in namespace abroad',
    ],
    [
      'a target to select',
      selecting({}),
      'NothingSelected',
      'selects Vault, but no Vault in the permitted namespaces of this input matches; add one',
    ],
  ])('is undecided without %s, and is not attached if everything is given', (_, policy, outcome, message) => {
    expect(attachmentsIn(() => true, policy).outcomes).toEqual([outcome]);
    expect(attachmentsIn(nothing, policy)).toEqual({
      outcomes: ['Undecided'],
      codes: ['warning not-in-input'],
      messages: [expect.stringContaining(message)],
    });
  });

  it('lacks sections that the given target does not have', () => {
    const { outcomes } = attachmentsIn(nothing, on({ sectionName: 'x' }), vault('v', { boxes: [{ name: 'a' }] }));
    expect(outcomes).toEqual(['SectionNotFound']);
  });

  it('is decided for namespaces that are given as a whole', () => {
    const isComplete: IsComplete = (_, namespace) => namespace === 'default';
    expect(attachmentsIn(isComplete, on({})).outcomes).toEqual(['TargetNotFound']);
    expect(attachmentsIn(isComplete, selecting({})).outcomes).toEqual(['NothingSelected']);
    expect(attachmentsIn(isComplete, selecting({ namespaces: { from: 'All' } })).outcomes).toEqual(['Undecided']);
    expect(attachmentsIn(isComplete, on({ namespace: 'abroad' })).outcomes).toEqual(['Undecided']);
  });

  it.each([
    ['grants', 'ReferenceGrant', { namespaces: { from: 'All' } }],
    ['labels of Namespaces', 'Namespace', { namespaces: { from: 'Selector', selector: { matchLabels: { a: 'b' } } } }],
  ])('is undecided for lack of %s that selectors need', (_, lacking, selector) => {
    const isComplete: IsComplete = ({ kind }) => kind !== lacking;
    expect(attachmentsIn(isComplete, selecting(selector)).outcomes).toEqual(['Undecided']);
    expect(attachmentsIn(isComplete, selecting({})).outcomes).toEqual(['NothingSelected']);
  });
});

describe('Topology.isComplete', () => {
  const Ledger = defineTargetKind({ group, kind: 'Ledger', derive: () => [] });

  it('is about virtual resources if all others are given', () => {
    const isCompleteWith = (isComplete: IsComplete) =>
      createTopology({ targetKinds: [Bank, Vault, Borrower, Ledger], isComplete }).isComplete(Ledger, 'default');
    expect(isCompleteWith(({ kind }) => kind !== 'Ledger')).toBe(true);
    expect(isCompleteWith(({ kind }) => kind !== 'Bank')).toBe(false);
  });

  it('may be about one resource by its name', () => {
    const isComplete: IsComplete = (_kind, _namespace, name) => name === 'v';
    expect(attachmentsIn(isComplete, on({})).outcomes).toEqual(['TargetNotFound']);
    expect(attachmentsIn(isComplete, on({ name: 'w' })).outcomes).toEqual(['Undecided']);
  });
});

describe('a reference in a topology that is given a part of the resources', () => {
  const abroad = { name: 'v', namespace: 'abroad', needsGrant: true };

  const inPart = (isComplete: IsComplete, ...resources: readonly KubernetesObject[]) => {
    const topology = bankWith({ isComplete }, ...resources);
    const [reference] = topology.referencesOf('borrower.bank.example.com:default/b');
    return [
      reference?.isUndecided,
      ...[...topology.unresolved, ...topology.refused].map(({ isUndecided }) => isUndecided),
      ...topology.issues.map(({ code }) => code),
    ];
  };

  it.each([
    ['a target', [borrower({ name: 'v' })]],
    ['a selected target', [borrower({ select: {} })]],
    ['a grant', [borrower(abroad), vault('v', {}, 'abroad')]],
    ['the labels of a namespace', [borrower({ name: 'v' }), vault('v', { trade: 'art' })]],
  ])('is undecided without %s, and leads nowhere if everything is given', (_, resources) => {
    expect(inPart(nothing, ...resources)).toEqual([true, true]);
    expect(inPart(() => true, ...resources).slice(0, 2)).toEqual([false, false]);
  });

  it.each([
    ['its target', [borrower({ name: 'v' }), vault('v')]],
    ['a selected target', [borrower({ select: {} }), vault('v')]],
    [
      'a grant',
      [
        borrower(abroad),
        vault('v', {}, 'abroad'),
        grant('abroad', { kind: 'Borrower', namespace: 'default' }, { kind: 'Vault' }),
      ],
    ],
    [
      'the labels of a namespace',
      [borrower({ name: 'v' }), vault('v', { trade: 'art' }), namespaceWith('default', { trade: 'art' })],
    ],
  ])('is decided with %s', (_, resources) => {
    expect(inPart(nothing, ...resources)).toEqual([false]);
  });

  it('is decided without a section of a given target, and by a target that refuses', () => {
    expect(inPart(nothing, borrower({ name: 'v', box: 'x' }), vault('v'))).toEqual([false, false]);
    expect(inPart(nothing, borrower({ name: 'v' }), vault('v', { lock: 'gold' }))).toEqual([
      false,
      false,
      'refused-reference',
    ]);
  });

  it('is as undecided in copies and trials', () => {
    const topology = bankWith({ isComplete: nothing }, borrower({ name: 'v' }));
    const known = ({ unresolved }: typeof topology) => unresolved.map(({ isUndecided }) => isUndecided);
    expect(known(topology.with({}).topology)).toEqual([true]);
    expect(topology.trial().of({}, () => true)).toBe(true);
    const trial = topology.trial();
    expect(trial.of({ upsert: [borrower({ name: 'w' })] }, () => known(trial.topology))).toEqual([true]);
    expect(topology.isComplete(Vault, 'default')).toBe(false);
  });
});

describe('a policy without a namespace that may target its own namespace only', () => {
  const outcomes = (isComplete: IsComplete, namespace: string | undefined) => {
    const policy = on({ namespace: 'bank' });
    const metadata = { name: 'audit', ...(namespace !== undefined && { namespace }) };
    const policyKinds = [{ ...AuditPolicy, crossNamespace: 'refuse' as const }];
    const topology = bankWith({ policyKinds, isComplete }, { ...policy, metadata });
    return topology.policies().flatMap(({ attachments }) => attachments.map(({ outcome }) => outcome));
  };

  it('may be beside its target if not everything was read', () => {
    expect(outcomes(nothing, undefined)).toEqual(['Undecided']);
    expect(outcomes(() => true, undefined)).toEqual(['CrossNamespaceRefused']);
    expect(outcomes(nothing, 'default')).toEqual(['CrossNamespaceRefused']);
  });
});
