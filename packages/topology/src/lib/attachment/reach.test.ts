import { formatIssue, type KubernetesObject } from '@policy-machinery/resource';
import { readTargetRefs } from '@policy-machinery/target-ref';
import { describe, expect, it } from 'vitest';
import { Bank, bank, grant, namespaceWith, Vault, vault } from '../bank.fixture.ts';
import type { AttachableKind } from '../model/policy-node.ts';
import { Namespace } from '../museum.fixture.ts';
import { createTopology } from '../topology.ts';

const group = 'policies.example.com';
const ways = ['refuse', 'granted', 'consumer', 'allow'] as const;
type Way = (typeof ways)[number];

const kindWith = (crossNamespace: Way): AttachableKind => ({
  group,
  kind: 'GuardPolicy',
  scope: 'Namespaced',
  targets: [Vault, Vault.sections.box, Bank, Namespace],
  crossNamespace,
  targetRefs: readTargetRefs,
});

const policyOn = (ref: object): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'GuardPolicy',
  metadata: { name: 'p', namespace: 'shop' },
  spec: { targetRefs: [{ group: Vault.group, kind: 'Vault', ...ref }] },
});

function world(way: Way, ...upsert: readonly KubernetesObject[]) {
  const topology = createTopology({ targetKinds: [Vault, Bank, Namespace], policyKinds: [kindWith(way)] });
  topology.apply({ upsert });
  return topology;
}

/** The attachment without its target, and the issues of the topology. */
function told(...[way, ...resources]: Parameters<typeof world>) {
  const topology = world(way, ...resources);
  const [attachment] = topology.policies()[0]?.attachments ?? [];
  const { target: _, ...rest } = attachment ?? {};
  return { ...rest, issues: topology.issues.map(formatIssue) };
}

const abroad = { name: 'v', namespace: 'abroad' };
const there = vault('v', { boxes: [{ name: 'a' }] }, 'abroad');
const from = { group, kind: 'GuardPolicy', namespace: 'shop' };
const granted = grant('abroad', from, { kind: 'Vault' });

describe('AttachableKind.crossNamespace (T-09, T-10, T-11, P-13)', () => {
  const cases: readonly (readonly [string, KubernetesObject, Readonly<Record<Way, string>>])[] = [
    ['its own namespace', policyOn({ name: 'v' }), all('Attached')],
    [
      'another namespace',
      policyOn(abroad),
      {
        refuse: 'CrossNamespaceRefused',
        granted: 'ReferenceNotPermitted',
        consumer: 'Attached for shop',
        allow: 'Attached',
      },
    ],
    [
      'another namespace, by section',
      policyOn({ ...abroad, sectionName: 'a' }),
      {
        refuse: 'CrossNamespaceRefused',
        granted: 'ReferenceNotPermitted',
        consumer: 'Attached for shop',
        allow: 'Attached',
      },
    ],
    ['its own Namespace', policyOn({ group: '', kind: 'Namespace', name: 'shop' }), all('Attached')],
    [
      'another Namespace',
      policyOn({ group: '', kind: 'Namespace', name: 'abroad' }),
      { ...all('ClusterScopeRefused'), allow: 'Attached' },
    ],
    [
      'what is cluster-scoped',
      policyOn({ kind: 'Bank', name: 'central' }),
      { ...all('ClusterScopeRefused'), allow: 'Attached' },
    ],
  ];

  it.each(
    cases.flatMap(([where, policy, outcomes]) => ways.map((way) => [way, where, policy, outcomes[way]] as const)),
  )('%s: a target in %s', (way, _, policy, expected) => {
    const namespaces = ['shop', 'abroad'].map((name) => namespaceWith(name));
    const targets = [vault('v', {}, 'shop'), there, bank('central'), ...namespaces];
    const { outcome, consumerNamespace } = told(way, policy, ...targets);
    expect(consumerNamespace === undefined ? outcome : `${outcome} for ${consumerNamespace}`).toBe(expected);
  });

  it.each([
    ['what is cluster-scoped', policyOn({ kind: 'Bank', name: 'central' }), 'Attached'],
    ['its own Namespace', policyOn({ group: '', kind: 'Namespace', name: 'shop' }), 'Attached'],
    ['another Namespace', policyOn({ group: '', kind: 'Namespace', name: 'abroad' }), 'ClusterScopeRefused'],
    ['another namespace', policyOn(abroad), 'CrossNamespaceRefused'],
  ])(
    'with clusterScopedTargets, a policy may target cluster-scoped objects, and no more: %s',
    (_, policy, expected) => {
      const kind = { ...kindWith('refuse'), clusterScopedTargets: 'allow' } as const;
      const topology = createTopology({ targetKinds: [Vault, Bank, Namespace], policyKinds: [kind] });
      topology.apply({
        upsert: [policy, there, bank('central'), ...['shop', 'abroad'].map((name) => namespaceWith(name))],
      });
      expect(topology.policies()[0]?.attachments[0]?.outcome).toBe(expected);
    },
  );

  it.each([
    ['any of the kind', granted, 'Attached'],
    ['this one by name', grant('abroad', from, { kind: 'Vault', name: 'v' }), 'Attached'],
    ['another one by name', grant('abroad', from, { kind: 'Vault', name: 'w' }), 'ReferenceNotPermitted'],
    ['another kind', grant('abroad', from, { kind: 'Bank' }), 'ReferenceNotPermitted'],
    ['other policies', grant('abroad', { ...from, kind: 'OtherPolicy' }, { kind: 'Vault' }), 'ReferenceNotPermitted'],
    [
      'policies of other namespaces',
      grant('abroad', { ...from, namespace: 'x' }, { kind: 'Vault' }),
      'ReferenceNotPermitted',
    ],
    ['it, in the wrong namespace', grant('shop', from, { kind: 'Vault' }), 'ReferenceNotPermitted'],
  ])('granted: with a grant of %s', (_, given, outcome) => {
    expect(told('granted', policyOn(abroad), there, given).outcome).toBe(outcome);
  });

  it('granted: ends when the grant is revoked', () => {
    const topology = world('granted', policyOn(abroad), there, granted);
    const outcome = () => topology.policies()[0]?.attachments[0]?.outcome;
    expect(outcome()).toBe('Attached');
    expect(topology.apply({ remove: [granted] }).changed).toEqual([
      'guardpolicy.policies.example.com:shop/p',
      'vault.bank.example.com:abroad/v',
    ]);
    expect(outcome()).toBe('ReferenceNotPermitted');
  });

  it.each(['refuse', 'granted'] as const)('%s: reports the same whether the target exists or not (T-25)', (way) => {
    for (const ref of [abroad, { ...abroad, sectionName: 'a' }, { ...abroad, sectionName: 'z' }]) {
      expect(told(way, policyOn(ref), there)).toEqual(told(way, policyOn(ref)));
    }
  });

  it.each([
    ['granted', [granted]],
    ['consumer', []],
    ['allow', []],
  ] as const)(
    '%s: reports a missing target to those who may refer to it, but not its sections (T-25)',
    (way, given) => {
      expect(told(way, policyOn(abroad), ...given).outcome).toBe('TargetNotFound');
      const { outcome, message } = told(way, policyOn({ ...abroad, sectionName: 'z' }), there, ...given);
      expect(outcome).toBe('SectionNotFound');
      expect(message).toContain('give the resource a box of that name');
    },
  );

  it('granted: names the remedy for a missing grant', () => {
    const { message, issues } = told('granted', policyOn(abroad), there);
    expect(message).toBe(
      'targets Vault abroad/v, and no ReferenceGrant in namespace abroad permits GuardPolicy to target it; create one there, or move the policy to abroad',
    );
    expect(issues).toEqual([
      `error: ${message} (guardpolicy.policies.example.com:shop/p /spec/targetRefs/0) [reference-not-permitted]`,
    ]);
  });
});

function all(outcome: string): Readonly<Record<Way, string>> {
  return { refuse: outcome, granted: outcome, consumer: outcome, allow: outcome };
}

describe('AttachableKind.manages (T-22)', () => {
  const mine = (managed: AttachableKind['manages']) => ({ ...kindWith('refuse'), manages: managed ?? (() => true) });
  const attached = (managed: AttachableKind['manages']) => {
    const topology = createTopology({ targetKinds: [Vault, Bank, Namespace], policyKinds: [mine(managed)] });
    topology.apply({ upsert: [vault('v', { owner: 'us' }, 'shop'), policyOn({ name: 'v' })] });
    const { attachments = [] } = topology.policies()[0] ?? {};
    return {
      attachments,
      issues: topology.issues.map(formatIssue),
      reached: topology.policiesAt('vault.bank.example.com:shop/v'),
    };
  };
  const owner =
    (name: string) =>
    ({ resource: { spec } }: { resource: KubernetesObject }) =>
      (spec as { owner?: string }).owner === name;

  it('keeps the targets that this controller manages', () => {
    expect(attached(owner('us')).attachments).toMatchObject([{ outcome: 'Attached' }]);
  });

  it('leaves out targets of other controllers, without an issue', () => {
    const { attachments, issues, reached } = attached(owner('them'));
    expect(attachments).toMatchObject([
      { outcome: 'ManagedElsewhere', message: 'targets Vault shop/v, which another controller manages' },
    ]);
    expect({ issues, reached }).toEqual({ issues: [], reached: [] });
  });

  it('counts a target as managed elsewhere when manages throws', () => {
    const { attachments, issues } = attached(() => {
      throw new Error('who knows');
    });
    expect(attachments).toMatchObject([{ outcome: 'ManagedElsewhere' }]);
    expect(issues).toEqual([expect.stringContaining('cannot be read: who knows')]);
  });
});
