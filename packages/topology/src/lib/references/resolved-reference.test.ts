import { describe, expect, it } from 'vitest';
import { bankWorld, borrower, grant, vault } from '../bank.fixture.ts';
import type { Topology } from '../model/topology.ts';

const debtor = 'borrower.bank.example.com:default/b';
const boxes = [
  { name: 'a', lock: 'gold' },
  { name: 'b', lock: 'iron' },
];

/** Returns the outcome of the borrower's only reference. */
const toldOf = (topology: Topology) =>
  topology.referencesOf(debtor).map(({ ends, missing, refusals }) => ({
    ends: ends.map(({ locator }) => locator.replace(/^.*:/, '')),
    missing: missing?.replace(/^.*:/, ''),
    refused: refusals.map(({ reason }) => reason),
  }));

describe('Topology.referencesOf', () => {
  it('returns the ends of each reference, the missing ones, and those that refuse it', () => {
    const to = (box: string) => borrower({ name: 'v', box }, 'gold');
    expect(toldOf(bankWorld(vault('v', { boxes }), to('*')))).toEqual([
      { ends: ['default/v#a'], missing: undefined, refused: ['WrongKey'] },
    ]);
    expect(toldOf(bankWorld(vault('v', { boxes }), to('c')))).toEqual([
      { ends: [], missing: 'default/v#?', refused: [] },
    ]);
    expect(toldOf(bankWorld(to('a')))).toEqual([{ ends: [], missing: 'default/v', refused: [] }]);
    expect(toldOf(bankWorld())).toEqual([]);
  });
});

describe('Reference.withoutLink', () => {
  const seeing = (spec: object = {}) => borrower({ name: 'v', withoutLink: true, ...spec });

  it('resolves a reference without a link', () => {
    const topology = bankWorld(vault('v'), seeing());
    expect(topology.get(debtor)?.linksFrom).toEqual([]);
    expect(toldOf(topology)).toEqual([{ ends: ['default/v'], missing: undefined, refused: [] }]);
  });

  it('is reported nowhere else', () => {
    const abroad = seeing({ namespace: 'abroad', needsGrant: true });
    for (const topology of [bankWorld(seeing()), bankWorld(abroad)]) {
      expect([topology.unresolved, topology.refused, topology.issues]).toEqual([[], [], []]);
    }
    expect(toldOf(bankWorld(abroad))).toEqual([{ ends: [], missing: undefined, refused: ['RefNotPermitted'] }]);
    const permitted = grant('abroad', { kind: 'Borrower', namespace: 'default' }, { kind: 'Vault' });
    expect(toldOf(bankWorld(abroad, permitted))).toEqual([{ ends: [], missing: 'abroad/v', refused: [] }]);
  });
});
