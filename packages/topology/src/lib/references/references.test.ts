import { formatIssue, type KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { bank, bankWorld, borrower, grant, namespaceWith, vault } from '../bank.fixture.ts';
import type { Topology } from '../model/topology.ts';

/** Returns the parents of the borrower, without their kind: `default/v#a`. */
function parents(topology: Topology): readonly string[] {
  const [node] = [...topology.targets].filter(({ ref }) => ref.kind === 'Borrower');
  return (node?.linksFrom ?? []).map(({ locator }) => locator.slice(locator.indexOf(':') + 1));
}

/** Returns all answers of a topology about references that make no link. */
const told = ({ issues, unresolved, refused }: Topology) => ({
  issues: issues.map(formatIssue),
  missing: unresolved.map(({ missing }) => missing),
  refused: refused.map(({ to, reason, message }) => ({ to, reason, message })),
});

const boxes = [{ name: 'a', lock: 'gold' }, { name: 'b', lock: 'iron' }, { name: 'c' }];

describe('Reference.admits', () => {
  it('links only targets that admit the reference', () => {
    const topology = bankWorld(vault('v', { boxes }), borrower({ name: 'v', box: '*' }, 'gold'));
    expect(parents(topology)).toEqual(['default/v#a', 'default/v#c']);
  });

  it('makes no link to a whole target that refuses', () => {
    expect(parents(bankWorld(vault('v', { lock: 'gold' }), borrower({ name: 'v' }, 'gold')))).toEqual(['default/v']);
    expect(parents(bankWorld(vault('v', { lock: 'gold' }), borrower({ name: 'v' })))).toEqual([]);
  });

  it('is not an issue if another section admits the reference, but is listed as refused', () => {
    const { issues, missing, refused } = told(
      bankWorld(vault('v', { boxes }), borrower({ name: 'v', box: '*' }, 'gold')),
    );
    expect({ issues, missing }).toEqual({ issues: [], missing: [] });
    expect(refused).toEqual([{ to: 'vault.bank.example.com:default/v#b', reason: 'WrongKey', message: 'lock iron' }]);
  });

  it('is a warning if no target admits the reference, and names three that refuse', () => {
    const locked = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, lock: name }));
    const topology = bankWorld(vault('v', { boxes: locked }), borrower({ name: 'v', box: '*' }));
    expect(topology.refused).toHaveLength(5);
    expect(topology.issues.map(formatIssue)).toMatchInlineSnapshot(`
      [
        "warning: reference to Vault default/v#a (lock a), Vault default/v#b (lock b), Vault default/v#c (lock c) and 2 more was refused; allow it there, or correct the reference (borrower.bank.example.com:default/b /spec/uses/0) [refused-reference]",
      ]
    `);
  });

  it('is decided again when the target or an answer of the lookup changes', () => {
    const topology = bankWorld(vault('v', { trade: 'art' }), borrower({ name: 'v' }), namespaceWith('default'));
    const after = (resource: KubernetesObject) => {
      topology.apply({ upsert: [resource] });
      return parents(topology);
    };
    expect(parents(topology)).toEqual([]);
    expect(after(namespaceWith('default', { trade: 'art' }))).toEqual(['default/v']);
    expect(after(vault('v', { trade: 'wine' }))).toEqual([]);
    expect(after(namespaceWith('default', { trade: 'wine' }))).toEqual(['default/v']);
    topology.apply({ remove: ['namespace:default'] });
    expect(parents(topology)).toEqual([]);
  });

  it('knows the labels of Namespaces though they are not targets', () => {
    const topology = bankWorld(vault('v', { trade: 'art' }), borrower({ name: 'v' }));
    expect(topology.apply({ upsert: [namespaceWith('default', { trade: 'art' })] })).toMatchObject({
      changed: ['borrower.bank.example.com:default/b', 'vault.bank.example.com:default/v'],
      ignored: [],
    });
    expect(topology.get('namespace:default')).toBeUndefined();
  });
});

describe('Reference.needsGrant (T-24, T-25)', () => {
  const uses = { name: 'v', namespace: 'abroad', needsGrant: true };
  const there = vault('v', {}, 'abroad');
  const from = { kind: 'Borrower', namespace: 'default' };

  it.each([
    ['any of the kind', grant('abroad', from, { kind: 'Vault' }), true],
    ['this one by name', grant('abroad', from, { kind: 'Vault', name: 'v' }), true],
    ['another one by name', grant('abroad', from, { kind: 'Vault', name: 'w' }), false],
    ['another kind', grant('abroad', from, { kind: 'Bank' }), false],
    ['another group', grant('abroad', from, { kind: 'Vault', group: 'other.example.com' }), false],
    ['referrers of another kind', grant('abroad', { ...from, kind: 'Vault' }, { kind: 'Vault' }), false],
    ['referrers of another namespace', grant('abroad', { ...from, namespace: 'x' }, { kind: 'Vault' }), false],
    ['all that, but in another namespace than the target', grant('default', from, { kind: 'Vault' }), false],
    ['nothing, for it is malformed', grant('abroad', from, { kind: 5 }), false],
  ])('is met by a grant of %s: %#', (_, granted, isMet) => {
    expect(parents(bankWorld(there, borrower(uses), granted))).toEqual(isMet ? ['abroad/v'] : []);
  });

  it('ends when the grant is removed, and begins when it is added', () => {
    const granted = grant('abroad', from, { kind: 'Vault' });
    const topology = bankWorld(there, borrower(uses));
    topology.apply({ upsert: [granted] });
    expect(parents(topology)).toEqual(['abroad/v']);
    expect(topology.apply({ remove: [granted] }).changed).toEqual([
      'borrower.bank.example.com:default/b',
      'vault.bank.example.com:abroad/v',
    ]);
    expect(parents(topology)).toEqual([]);
  });

  it('reports the missing grant, and the same whether or not the target exists', () => {
    const withTarget = told(bankWorld(there, borrower(uses)));
    expect(withTarget).toEqual(told(bankWorld(borrower(uses))));
    expect(withTarget).toMatchInlineSnapshot(`
      {
        "issues": [
          "warning: reference to Vault abroad/v (no ReferenceGrant in namespace abroad permits it) was refused; allow it there, or correct the reference (borrower.bank.example.com:default/b /spec/uses/0) [refused-reference]",
        ],
        "missing": [],
        "refused": [
          {
            "message": "no ReferenceGrant in namespace abroad permits it",
            "reason": "RefNotPermitted",
            "to": "vault.bank.example.com:abroad/v",
          },
        ],
      }
    `);
  });

  it('reports the same for a section, an unknown kind and a target that would refuse', () => {
    for (const asked of [{ box: 'a' }, { kind: 'Attic' }]) {
      const reference = borrower({ ...uses, ...asked });
      expect(told(bankWorld(vault('v', { boxes, lock: 'gold' }, 'abroad'), reference))).toEqual(
        told(bankWorld(reference)),
      );
    }
  });

  it.each([
    ['within a namespace', { name: 'v', needsGrant: true }, vault('v'), 'default/v'],
    ['to what is cluster-scoped', { kind: 'Bank', name: 'v', needsGrant: true }, bank('v'), 'v'],
    ['where a reference does not ask for it', { ...uses, needsGrant: false }, there, 'abroad/v'],
  ])('is not needed %s', (_, asked, target, parent) => {
    expect(parents(bankWorld(target, borrower(asked)))).toEqual([parent]);
  });

  it('reports malformed grants', () => {
    const { issues } = bankWorld(grant('abroad', from, { kind: 5 }));
    expect(issues).toMatchObject([
      { code: 'invalid-reference-grant', resource: 'referencegrant.gateway.networking.k8s.io:abroad/grant' },
    ]);
  });
});

describe('Reference.orWhole', () => {
  it.each([
    ['a section that is meant', 'a', ['default/v#a']],
    ['the whole where none is', 'z', ['default/v']],
  ])('links %s', (_, box, expected) => {
    const topology = bankWorld(vault('v', { boxes }), borrower({ name: 'v', box, orWhole: true }, 'gold'));
    expect(parents(topology)).toEqual(expected);
  });
});

describe('Reference.to', () => {
  it('links the target of several references once, by locator', () => {
    const uses = [{ name: 'w' }, { name: 'v', box: 'c' }, { name: 'v', box: '*' }, { name: 'w' }];
    const one = borrower({}, 'gold');
    const topology = bankWorld(vault('v', { boxes }), vault('w'), { ...one, spec: { uses, key: 'gold' } });
    expect(parents(topology)).toEqual(['default/v#a', 'default/v#c', 'default/w']);
    topology.apply({ upsert: [vault('v', { boxes: boxes.slice(1) })] });
    expect(parents(topology)).toEqual(['default/v#c', 'default/w']);
  });
});

describe('Reference.to that selects', () => {
  const world = (select: object, more: object = {}) =>
    bankWorld(
      vault('a', { boxes: [{ name: 'x' }] }, 'default', { tier: 'gold', size: 'big' }),
      vault('b', {}, 'default', { tier: 'gold' }),
      vault('closed', { closed: true }, 'default', { tier: 'gold' }),
      vault('c', {}, 'abroad', { tier: 'gold' }),
      vault('d', {}, 'hidden', { tier: 'tin' }),
      bank('central', { tier: 'gold' }),
      namespaceWith('abroad', { open: 'yes' }),
      grant('abroad', { kind: 'Borrower', namespace: 'default' }, { kind: 'Vault' }),
      borrower({ select, ...more }),
    );

  it.each<[string, object, readonly string[]]>([
    ['all of its namespace', {}, ['default/a', 'default/b']],
    ['those with a label', { matchLabels: { size: 'big' } }, ['default/a']],
    ['those with all labels', { matchLabels: { tier: 'gold', size: 'small' } }, []],
    [
      'those of all namespaces',
      { matchLabels: { tier: 'gold' }, namespaces: { from: 'All' } },
      ['abroad/c', 'default/a', 'default/b'],
    ],
    ['all of another namespace', { namespace: 'abroad' }, ['abroad/c']],
    [
      'those of namespaces with a label',
      { namespaces: { from: 'Selector', selector: { matchLabels: { open: 'yes' } } } },
      ['abroad/c'],
    ],
    [
      'those by an expression',
      { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['gold'] }], namespaces: { from: 'All' } },
      ['hidden/d'],
    ],
  ])('links %s', (_, select, expected) => {
    expect(parents(world(select))).toEqual(expected);
  });

  it('links cluster-scoped targets by their labels only', () => {
    expect(parents(world({ matchLabels: { tier: 'gold' } }, { kind: 'Bank' }))).toEqual(['central']);
    expect(parents(world({ matchLabels: { tier: 'tin' } }, { kind: 'Bank' }))).toEqual([]);
  });

  it('links sections of the selected targets', () => {
    expect(parents(world({}, { box: '*' }))).toEqual(['default/a#x']);
  });

  it('leaves out targets that no grant permits, as if they did not exist (T-25)', () => {
    const select = { namespaces: { from: 'All' } };
    expect(parents(world(select, { needsGrant: true }))).toEqual(['abroad/c', 'default/a', 'default/b']);
    expect(world(select, { needsGrant: true }).refused).toEqual([]);
  });

  it('is unresolved if no target is selected', () => {
    expect(told(world({ matchLabels: { tier: 'none' } })).missing).toEqual(['vault.bank.example.com:?']);
  });

  it('follows targets that are added, removed and relabelled', () => {
    const topology = world({ matchLabels: { size: 'big' } });
    topology.apply({ upsert: [vault('b', {}, 'default', { size: 'big' }), vault('a')] });
    expect(parents(topology)).toEqual(['default/b']);
    topology.apply({ remove: [vault('b')] });
    expect(parents(topology)).toEqual([]);
  });
});
