import { formatIssue, type KubernetesObject } from '@policy-machinery/resource';
import { readTargetRefs, readTargetSelectors } from '@policy-machinery/target-ref';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bank, bank, grant, namespaceWith, Vault, vault } from '../bank.fixture.ts';
import type { AttachableKind, Attachment } from '../model/policy-node.ts';
import { Namespace } from '../museum.fixture.ts';
import { createTopology } from '../topology.ts';

const group = 'policies.example.com';

const GuardPolicy: AttachableKind = {
  group,
  kind: 'GuardPolicy',
  scope: 'Namespaced',
  targets: [Vault, Vault.sections.box, Bank, Namespace],
  crossNamespace: 'refuse',
  targetRefs: (policy) => readTargetRefs(policy, { orSelectors: true, ports: true }),
  targetSelectors: (policy) => readTargetSelectors(policy, { ports: true }),
};

const policy = (spec: object, namespace = 'shop'): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'GuardPolicy',
  metadata: { name: 'p', namespace },
  spec,
});
const selecting = (...selectors: readonly object[]) => ({
  targetSelectors: selectors.map((selector) => ({ group: Vault.group, kind: 'Vault', ...selector })),
});

const targets = [
  vault('a', { boxes: [{ name: 'x' }] }, 'shop', { tier: 'gold' }),
  vault('b', {}, 'shop', { tier: 'tin' }),
  vault('c', {}, 'abroad', { tier: 'gold' }),
  vault('d', {}, 'hidden', { tier: 'gold' }),
  bank('central', { tier: 'gold' }),
  namespaceWith('shop', { open: 'no' }),
  namespaceWith('abroad', { open: 'yes' }),
];
const granted = grant('abroad', { group, kind: 'GuardPolicy', namespace: 'shop' }, { kind: 'Vault' });

function attached(spec: object, change: Partial<AttachableKind> = {}, ...more: readonly KubernetesObject[]) {
  const topology = createTopology({
    targetKinds: [Vault, Bank, Namespace],
    policyKinds: [{ ...GuardPolicy, ...change }],
  });
  topology.apply({ upsert: [...targets, policy(spec), ...more] });
  return { attachments: topology.policies()[0]?.attachments ?? [], issues: topology.issues.map(formatIssue), topology };
}

/** `a`, or `a#x`, or the outcome. */
const brief = ({ outcome, target }: Attachment): string =>
  target === undefined ? outcome : `${target.ref.name}${target.section === undefined ? '' : `#${target.section.name}`}`;
const briefly = (...ask: Parameters<typeof attached>) => attached(...ask).attachments.map(brief);

const everywhere = { namespaces: { from: 'All' } };
const openOnes = { namespaces: { from: 'Selector', selector: { matchLabels: { open: 'yes' } } } };

describe('AttachableKind.targetSelectors (T-07)', () => {
  it.each<[string, object, readonly string[]]>([
    ['all of its namespace', {}, ['a', 'b']],
    ['those with a label', { matchLabels: { tier: 'gold' } }, ['a']],
    ['those by an expression', { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['gold'] }] }, ['b']],
    ['none', { matchLabels: { tier: 'iron' } }, ['NothingSelected']],
    ['none of a kind that is not supported', { kind: 'Attic' }, ['UnsupportedTarget']],
    ['none of a kind in another case (X-02)', { kind: 'vault' }, ['UnsupportedTarget']],
  ])('attaches a policy to %s', (_, selector, expected) => {
    expect(briefly(selecting(selector))).toEqual(expected);
  });

  it.each([
    ['refuse', everywhere, ['a', 'b']],
    ['refuse', openOnes, ['NothingSelected']],
    ['granted', everywhere, ['c', 'a', 'b']],
    ['granted', openOnes, ['c']],
    ['consumer', everywhere, ['c', 'd', 'a', 'b']],
    ['allow', everywhere, ['c', 'd', 'a', 'b']],
    ['allow', openOnes, ['c']],
  ] as const)(
    'goes to other namespaces as far as the kind does: %s, %j (E-08)',
    (crossNamespace, selector, expected) => {
      expect(briefly(selecting(selector), { crossNamespace }, granted)).toEqual(expected);
    },
  );

  it('records for each target elsewhere that only traffic of the policy counts, if the kind says so (T-11)', () => {
    const { attachments } = attached(selecting(everywhere), { crossNamespace: 'consumer' });
    expect(attachments.map(({ consumerNamespace }) => consumerNamespace)).toEqual([
      'shop',
      'shop',
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['refuse', ['NothingSelected']],
    ['granted', ['NothingSelected']],
    ['allow', ['central']],
  ] as const)(
    'selects cluster-scoped targets only where the kind may target these: %s (P-13)',
    (crossNamespace, expected) => {
      expect(briefly(selecting({ kind: 'Bank' }), { crossNamespace })).toEqual(expected);
    },
  );

  it('selects its own Namespace and no other', () => {
    expect(briefly(selecting({ group: '', kind: 'Namespace' }))).toEqual(['shop']);
  });

  it('reports the same with and without targets out of reach (T-25)', () => {
    const spec = selecting({ matchLabels: { tier: 'secret' }, ...everywhere });
    for (const crossNamespace of ['refuse', 'granted'] as const) {
      const { attachments, issues } = attached(spec, { crossNamespace });
      const more = attached(spec, { crossNamespace }, vault('x', {}, 'hidden', { tier: 'secret' }));
      expect({ attachments, issues }).toEqual({ attachments: more.attachments, issues: more.issues });
    }
  });

  it('lets cluster-scoped policies select any target, but none of the same namespace, because they are without a namespace', () => {
    const cluster = { scope: 'Cluster' } as const;
    expect(briefly(selecting(everywhere, { kind: 'Bank' }), cluster)).toEqual(['c', 'd', 'a', 'b', 'central']);
    expect(briefly(selecting({}), cluster)).toEqual(['NothingSelected']);
  });

  it('counts a target once that is named and selected, or selected twice', () => {
    const targetRefs = [{ group: Vault.group, kind: 'Vault', name: 'b' }];
    const { attachments } = attached({ targetRefs, ...selecting({ matchLabels: { tier: 'gold' } }, {}) });
    expect(attachments.map((attachment) => [brief(attachment), attachment.via, attachment.declared.pointer])).toEqual([
      ['b', 'targetRef', '/spec/targetRefs/0'],
      ['a', 'targetSelector', '/spec/targetSelectors/0'],
    ]);
  });

  it('counts a named section and the selected whole as two targets', () => {
    const targetRefs = [{ group: Vault.group, kind: 'Vault', name: 'a', sectionName: 'x' }];
    expect(briefly({ targetRefs, ...selecting({ matchLabels: { tier: 'gold' } }) })).toEqual(['a#x', 'a']);
  });

  it('warns about a selector that selects nothing', () => {
    const { attachments, issues } = attached(selecting({ matchLabels: { tier: 'iron' } }));
    expect(attachments).toMatchObject([
      { via: 'targetSelector', message: expect.stringContaining('selects Vault, but') },
    ]);
    expect(issues).toMatchInlineSnapshot(`
      [
        "warning: selects Vault, but no Vault in the permitted namespaces matches; correct the selector or the labels (guardpolicy.policies.example.com:shop/p /spec/targetSelectors/0) [nothing-selected]",
      ]
    `);
  });

  it('attaches no target of a policy with malformed selectors, not even those that it names', () => {
    const targetRefs = [{ group: Vault.group, kind: 'Vault', name: 'b' }];
    const { attachments, issues } = attached({ targetRefs, ...selecting({ sectionName: 'X' }) });
    expect(attachments).toMatchObject([
      { declared: { pointer: '/spec/targetSelectors/0/sectionName' }, via: 'targetSelector', outcome: 'Malformed' },
    ]);
    expect(issues).toEqual([expect.stringContaining('/spec/targetSelectors/0/sectionName) [invalid-target-selector]')]);
  });

  it('leaves the targets of others to them, each by itself (T-22)', () => {
    expect(briefly(selecting({}), { manages: ({ ref }) => ref.name === 'a' })).toEqual(['a', 'ManagedElsewhere']);
  });

  it('follows targets that are added, removed and relabelled', () => {
    const { topology } = attached(selecting({ matchLabels: { tier: 'gold' } }));
    const now = () => topology.policies()[0]?.attachments.map(brief);
    topology.apply({ upsert: [vault('b', {}, 'shop', { tier: 'gold' })] });
    expect(now()).toEqual(['a', 'b']);
    topology.apply({ upsert: [vault('a', {}, 'shop')], remove: ['vault.bank.example.com:shop/b'] });
    expect(now()).toEqual(['NothingSelected']);
  });
});

describe('port of a reference or selector', () => {
  const boxes = [
    { name: 'x', port: 80 },
    { name: 'y', port: 81 },
    { name: 'z', port: 80 },
  ];
  const gold = { matchLabels: { tier: 'gold' } };
  const safe = vault('safe', { boxes }, 'shop', { tier: 'gold' });
  const named = (port: number) => ({ targetRefs: [{ group: Vault.group, kind: 'Vault', name: 'safe', port }] });

  it('attaches a policy to each section with the port', () => {
    expect(briefly(named(80), {}, safe)).toEqual(['safe#x', 'safe#z']);
    expect(briefly(selecting({ ...gold, port: 81 }), {}, safe)).toEqual(['safe#y', 'SectionNotFound']);
  });

  it('reports a port that no section has', () => {
    const { attachments, issues } = attached(named(82), {}, safe);
    expect(attachments.map(brief)).toEqual(['SectionNotFound']);
    expect(issues).toEqual([expect.stringContaining('targets Vault shop/safe on port 82, a box that does not')]);
    expect(briefly(selecting({ ...gold, port: 82 }), {}, safe)).toEqual(['SectionNotFound', 'SectionNotFound']);
  });

  it('follows sections that get another port', () => {
    const { topology } = attached(named(80), {}, safe);
    topology.apply({ upsert: [vault('safe', { boxes: [{ name: 'y', port: 80 }] }, 'shop')] });
    expect(topology.policies()[0]?.attachments.map(brief)).toEqual(['safe#y']);
  });
});

describe('sectionName of a selector (T-08)', () => {
  const gold = { matchLabels: { tier: 'gold' } };

  it('attaches a policy to the section of that name of each selected target', () => {
    const more = vault('e', { boxes: [{ name: 'x' }, { name: 'y' }] }, 'shop', { tier: 'gold' });
    expect(briefly(selecting({ ...gold, sectionName: 'x' }), {}, more)).toEqual(['a#x', 'e#x']);
  });

  it('reports each selected target without such a section, and attaches the policy to the others', () => {
    const { attachments, issues } = attached(selecting({ sectionName: 'x' }));
    expect(attachments.map(brief)).toEqual(['a#x', 'SectionNotFound']);
    expect(attachments[1]?.object?.locator).toBe('vault.bank.example.com:shop/b');
    expect(issues).toMatchInlineSnapshot(`
      [
        "error: selects Vault shop/b#x, a box that does not exist, or with a name that is not unique; give the resource a box of that name or correct the reference (guardpolicy.policies.example.com:shop/p /spec/targetSelectors/0) [missing-section]",
      ]
    `);
  });

  it('says nothing of the other sections of targets in other namespaces (T-25)', () => {
    const elsewhere = vault('c', { boxes: [{ name: 'secret' }] }, 'abroad', { tier: 'gold' });
    const { issues } = attached(selecting({ ...everywhere, ...gold, sectionName: 'x' }), { crossNamespace: 'granted' });
    const { topology } = attached(selecting({ ...openOnes, ...gold, sectionName: 'x' }), { crossNamespace: 'allow' });
    topology.apply({ upsert: [elsewhere] });
    const told = topology.issues.map(formatIssue);
    expect(told).toEqual([expect.stringContaining('Vault abroad/c#x')]);
    expect([...issues, ...told].join()).not.toContain('secret');
  });

  it.each<[string, Partial<AttachableKind>]>([
    ['whose sections it cannot target', { targets: [Vault, Bank] }],
    ['that has no sections', { targets: [Bank] }],
  ])('is of no use for a kind %s', (_, change) => {
    expect(briefly(selecting({ sectionName: 'x' }), change)).toEqual(['UnsupportedTarget']);
  });

  it('lets a kind be selected if its sections alone can be targeted', () => {
    const targets = [Vault.sections.box];
    expect(briefly(selecting({ ...gold, sectionName: 'x' }), { targets })).toEqual(['a#x']);
    expect(briefly(selecting(gold), { targets })).toEqual(['UnsupportedTarget']);
  });

  it('counts a section once that is named and selected', () => {
    const targetRefs = [{ group: Vault.group, kind: 'Vault', name: 'a', sectionName: 'x' }];
    expect(briefly({ targetRefs, ...selecting({ ...gold, sectionName: 'x' }) })).toEqual(['a#x']);
  });

  it('follows sections that are added and removed as if all were added at once', () => {
    const box = fc.uniqueArray(fc.constantFrom('x', 'y'), { maxLength: 2 });
    const change = fc.record({
      name: fc.constantFrom('a', 'b', 'e'),
      boxes: box,
      tier: fc.constantFrom('gold', 'tin'),
      isGone: fc.boolean(),
    });
    const spec = selecting({ ...gold, sectionName: 'x' }, { sectionName: 'y' });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        const { topology } = attached(spec);
        for (const { name, boxes, tier, isGone } of changes) {
          const it = vault(name, { boxes: boxes.map((one) => ({ name: one })) }, 'shop', { tier });
          topology.apply(isGone ? { remove: [it] } : { upsert: [it] });
          const afresh = createTopology({ targetKinds: [Vault, Bank, Namespace], policyKinds: [GuardPolicy] });
          const targetsNow = [...topology.targets].filter(({ section }) => section === undefined);
          afresh.apply({ upsert: [...targetsNow.map(({ resource }) => resource), policy(spec)] });
          expect(topology.policies()[0]?.attachments.map(brief)).toEqual(afresh.policies()[0]?.attachments.map(brief));
          expect(topology.issues.map(formatIssue)).toEqual(afresh.issues.map(formatIssue));
        }
      }),
      { numRuns: 200 },
    );
  });
});
