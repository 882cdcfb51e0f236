import { groupKindOf, type KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { Bank, Borrower, borrower, grant, Vault, vault } from '../bank.fixture.ts';
import type { TargetKind } from '../model/target-kind.ts';
import type { StatusDefinition } from '../model/target-status.ts';
import type { TopologyChange } from '../model/topology-change.ts';
import { createTopology } from '../topology.ts';
import { statusesTouched } from './statuses-touched.ts';

const own: StatusDefinition = { of: () => ({}) };
const withStatus = (kind: TargetKind, status: StatusDefinition): TargetKind => ({ ...kind, status });

/** Creates a topology of borrowers with a status of their own. Returns a function that applies a change and lists the touched kinds. */
function followed(resources: readonly KubernetesObject[], vaults: StatusDefinition = {}) {
  const targetKinds = [Bank, withStatus(Vault, vaults), withStatus(Borrower, own)];
  const topology = createTopology({ targetKinds });
  topology.apply({ upsert: resources });
  return (change: TopologyChange) => {
    const { version } = topology;
    topology.apply(change);
    return Array.from(statusesTouched(topology, topology.changesSince(version)), ({ ref }) => ref.kind);
  };
}

describe('statusesTouched', () => {
  const key = (lock?: string) => vault('v', lock === undefined ? {} : { lock });

  it('names a resource that was added or changed', () => {
    const change = followed([key()]);
    expect(change({ upsert: [borrower({ name: 'v' })] })).toEqual(['Borrower']);
    expect(change({ upsert: [borrower({ name: 'v' }, 'gold')] })).toEqual(['Borrower']);
    expect(change({ remove: ['borrower.bank.example.com:default/b'] })).toEqual([]);
  });

  it('names a resource with changed links, or with references that are refused in another way', () => {
    const change = followed([key(), borrower({ name: 'v' })]);
    expect(change({ upsert: [key('gold')] })).toEqual(['Borrower']);
    expect(change({ upsert: [key('iron')] })).toEqual(['Borrower']);
    expect(change({ remove: [key()] })).toEqual(['Borrower']);
    expect(change({ upsert: [vault('other')] })).toEqual([]);
  });

  it('names no resource with unchanged references', () => {
    const change = followed([key(), borrower({ name: 'v' })]);
    expect(change({ upsert: [{ ...key(), status: { boxes: 1 } }] })).toEqual([]);
  });

  it('names a resource with references without links that mean something else', () => {
    const needsGrant = { namespace: 'abroad', needsGrant: true, withoutLink: true };
    const change = followed([vault('v', {}, 'abroad'), borrower({ name: 'v', ...needsGrant })]);
    const permitted = grant('abroad', { kind: 'Borrower', namespace: 'default' }, { kind: 'Vault' });
    expect(change({ upsert: [permitted] })).toEqual(['Borrower']);
    expect(change({ remove: [vault('v', {}, 'abroad')] })).toEqual(['Borrower']);
    expect(change({ upsert: [vault('w', {}, 'abroad')] })).toEqual([]);
  });

  it('names the dependents of a changed resource, and passes the reason', () => {
    const causes: string[] = [];
    const change = followed([key(), borrower({ name: 'v' })], {
      dependents: ({ linksTo }, { cause }) => {
        causes.push(cause);
        return linksTo;
      },
    });
    expect(change({ upsert: [{ ...key(), status: { boxes: 1 } }] })).toEqual(['Borrower']);
    change({ remove: ['borrower.bank.example.com:default/b'] });
    expect(causes).toEqual(['resource', 'links']);
  });

  it('names all resources of the kinds with a status if changes are not known', () => {
    const topology = createTopology({ targetKinds: [withStatus(Vault, {}), withStatus(Borrower, own)] });
    topology.apply({ upsert: [key(), borrower({ name: 'v' })] });
    const kinds = Array.from(statusesTouched(topology, undefined), ({ resource }) => groupKindOf(resource).kind);
    expect(kinds).toEqual(['Borrower']);
  });
});
