import { describe, expect, it } from 'vitest';
import { anp, banp, everywhere, from, namespace, netpol, network, pod, rules, within } from './network.fixture.ts';

describe('the rules for a Pod', () => {
  it('come from AdminNetworkPolicies by priority, then NetworkPolicies, then the baseline; in each in the written order', () => {
    const policies = [
      banp({ ingress: [from('Deny', everywhere, { name: 'baseline' })] }),
      netpol('bank/own', { podSelector: {}, ingress: [{}] }),
      anp('late', 1000, everywhere, { ingress: [from('Allow', everywhere, { name: 'c' })] }),
      anp('second', 7, everywhere, {
        ingress: [from('Pass', everywhere, { name: 'b1' }), from('Deny', everywhere, { name: 'b2' })],
      }),
      anp('zero', 0, everywhere, { ingress: [from('Allow', everywhere, { name: 'a' })] }),
    ];
    const expected = [
      'Allow a of zero',
      'Pass b1 of second',
      'Deny b2 of second',
      'Allow c of late',
      'Allow #1 of bank/own',
      'Deny all else of bank/own',
      'Deny baseline of default',
    ];
    expect(rules(network(...policies), 'bank/ledger')).toEqual(expected);
    expect(rules(network(...policies.toReversed()), 'bank/ledger')).toEqual(expected);
  });

  it('of equal priorities come by name, because the API leaves their order undefined', () => {
    const topology = network(
      anp('b', 5, everywhere, { ingress: [from('Deny')] }),
      anp('a', 5, everywhere, { ingress: [from('Allow')] }),
    );
    expect(rules(topology, 'bank/ledger')).toEqual(['Allow #1 of a', 'Deny #1 of b']);
  });

  it('are the same whether its policy selects Namespaces or Pods: priority alone counts', () => {
    const pods = { pods: { namespaceSelector: {}, podSelector: { matchLabels: { app: 'ledger' } } } };
    const topology = network(
      anp('on-pods', 9, pods, { ingress: [from('Allow')] }),
      anp('on-namespaces', 8, within('bank'), { ingress: [from('Deny')] }),
    );
    expect(rules(topology, 'bank/ledger')).toEqual(['Deny #1 of on-namespaces', 'Allow #1 of on-pods']);
    expect(rules(topology, 'shop/web')).toEqual([]);
  });

  it('keep directions apart', () => {
    const topology = network(anp('out', 1, everywhere, { egress: [{ action: 'Deny', to: [everywhere] }] }));
    expect(rules(topology, 'shop/web', 'ingress')).toEqual([]);
    expect(rules(topology, 'shop/web', 'egress')).toEqual(['Deny #1 of out']);
  });

  it('follow the labels of Namespaces, and Pods that come', () => {
    const topology = network(
      anp('pci', 1, { namespaces: { matchLabels: { pci: 'yes' } } }, { ingress: [from('Deny')] }),
    );
    expect(rules(topology, 'bank/ledger')).toEqual([]);
    topology.apply({ upsert: [namespace('bank', { pci: 'yes' }), pod('bank/new')] });
    expect(['bank/ledger', 'bank/new'].map((name) => rules(topology, name))).toEqual([
      ['Deny #1 of pci'],
      ['Deny #1 of pci'],
    ]);
  });

  it('are none on the network of the host', () => {
    const topology = network(
      pod('bank/agent', { hostNetwork: true }),
      anp('all', 1, everywhere, { ingress: [from('Deny')] }),
    );
    expect(rules(topology, 'bank/agent')).toEqual([]);
    expect(topology.issues).toEqual([]);
  });

  it.each([
    ['none of the two', {}],
    ['both', { ...everywhere, pods: { namespaceSelector: {}, podSelector: {} } }],
    ['Pods without Namespaces', { pods: { podSelector: {} } }],
    ['a malformed selector', { namespaces: { matchLabels: 'bank' } }],
    ['nothing at all', undefined],
  ])('leave out a policy with %s as its subject, and report it', (_, subject) => {
    const topology = network(anp('odd', 1, subject, { ingress: [from('Deny')] }));
    expect(topology.issues).toMatchObject([
      { severity: 'error', resource: 'adminnetworkpolicy.policy.networking.k8s.io:odd' },
    ]);
    expect(rules(topology, 'bank/ledger')).toEqual([]);
  });

  it.each([-1, 1001, 1.5, '5', undefined])('leave out a policy of priority %s', (priority) => {
    expect(rules(network(anp('odd', priority, everywhere, { ingress: [from('Deny')] })), 'bank/ledger')).toEqual([]);
  });

  it('leave out a baseline that passes: there is nothing to pass to', () => {
    expect(rules(network(banp({ ingress: [from('Pass')] })), 'bank/ledger')).toEqual([]);
  });
});

describe('a NetworkPolicy', () => {
  it.each([
    ['without types isolates ingress', {}, ['ingress']],
    ['without types isolates egress, too, where it has rules for it', { egress: [{}] }, ['ingress', 'egress']],
    ['isolates what its types say, without any rule', { policyTypes: ['Egress'] }, ['egress']],
  ] as const)('%s', (_, spec, isolated) => {
    const topology = network(netpol('bank/own', { podSelector: {}, ...spec }));
    const denying = (['ingress', 'egress'] as const).filter((direction) =>
      rules(topology, 'bank/ledger', direction).includes('Deny all else of bank/own'),
    );
    expect(denying).toEqual(isolated);
  });

  it('selects Pods of the same Namespace only, all of them if its selector is empty', () => {
    const topology = network(netpol('bank/own', { podSelector: {} }));
    expect(rules(topology, 'shop/web')).toEqual([]);
    expect(rules(topology, 'bank/ledger')).toEqual(['Deny all else of bank/own']);
  });

  it('must have a selector', () => {
    expect(network(netpol('bank/own', {})).issues).toMatchObject([{ pointer: '/spec/podSelector' }]);
  });
});
