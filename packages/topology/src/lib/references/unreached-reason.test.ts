import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { Borrower, bankWith, borrower, namespaceWith, vault } from '../bank.fixture.ts';
import { unreachedReason } from './unreached-reason.ts';

describe('the reason why nothing leads to a target', () => {
  const inVault = borrower({ name: 'v' });
  const reasons = (isComplete: boolean, ...resources: readonly KubernetesObject[]) => {
    const topology = bankWith({ isComplete: () => isComplete }, ...resources);
    return [...topology.targetsOf([Borrower])].map((target) => unreachedReason(target, topology));
  };

  it.each<[string, readonly KubernetesObject[], string | undefined, string | undefined]>([
    ['a missing parent', [inVault], 'Vault default/v does not exist', 'Vault default/v is not in this input'],
    [
      'a parent that refuses it',
      [inVault, vault('v', { lock: 'x' })],
      'Vault default/v refuses it: lock x',
      'Vault default/v refuses it: lock x',
    ],
    [
      'a parent that may accept it, by the labels of its namespace',
      [inVault, vault('v', { trade: 'gold' })],
      'Vault default/v refuses it: only for gold',
      'Vault default/v may refuse it: only for gold',
    ],
    ['a parent that accepts it', [inVault, vault('v'), namespaceWith('default')], undefined, undefined],
  ])('is %s', (_, resources, whole, part) => {
    expect(reasons(true, ...resources)).toEqual([whole]);
    expect(reasons(false, ...resources)).toEqual([part]);
  });

  it('is a missing reference', () => {
    const alone = { ...inVault, spec: {} };
    expect(reasons(false, alone)).toEqual(['it does not name a parent, and nothing refers to it']);
  });
});
