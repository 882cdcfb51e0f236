import { describe, expect, it } from 'vitest';
import { anp, ask, banp, everywhere, from, netpol, network, pod, within } from './network.fixture.ts';

const tierOf = (verdict: ReturnType<typeof ask>['ingress']) => verdict.decidedBy?.tier;
const denyAll = anp('deny-all', 500, everywhere, { ingress: [from('Deny')] });

describe('may one Pod talk to another?', () => {
  it('yes, if no rule matches', () => {
    expect(ask(network())).toMatchObject({ allowed: true, ingress: { decidedBy: undefined, beaten: [] } });
  });

  it.each([
    ['Allow', true],
    ['Deny', false],
  ])('an AdminNetworkPolicy that says %s beats all that comes after', (action, allowed) => {
    const opposite = allowed ? 'Deny' : 'Allow';
    const { ingress } = ask(
      network(
        anp('first', 1, everywhere, { ingress: [from(action)] }),
        anp('second', 2, everywhere, { ingress: [from(opposite)] }),
        netpol('bank/own', { podSelector: {}, ingress: allowed ? [] : [{}] }),
        banp({ ingress: [from(opposite)] }),
      ),
    );
    expect(ingress.allowed).toBe(allowed);
    expect(ingress.decidedBy?.policies[0]?.name).toBe('first');
    expect(ingress.beaten.map(({ policies }) => policies[0]?.name)).toEqual(['second', 'bank/own', 'default']);
  });

  it('Pass skips the other AdminNetworkPolicies, and lets NetworkPolicies decide', () => {
    const pass = anp('pass', 1, everywhere, { ingress: [from('Pass')] });
    const { ingress } = ask(network(pass, denyAll, netpol('bank/own', { podSelector: {}, ingress: [{}] })));
    expect(ingress).toMatchObject({ allowed: true, passedBy: { action: 'Pass' } });
    expect(tierOf(ingress)).toBe('NetworkPolicy');
    expect(ingress.beaten.map(({ policies }) => policies[0]?.name)).toEqual(['deny-all']);
  });

  it('Pass leaves it to the baseline where no NetworkPolicy selects the Pod', () => {
    const pass = anp('pass', 1, everywhere, { ingress: [from('Pass')] });
    const { ingress } = ask(network(pass, banp({ ingress: [from('Deny')] })));
    expect([ingress.allowed, tierOf(ingress)]).toEqual([false, 'BaselineAdminNetworkPolicy']);
    expect(ask(network(pass, denyAll))).toMatchObject({ allowed: true, ingress: { decidedBy: undefined } });
  });

  it('no, if a Pod is isolated and no rule allows it, regardless of the baseline', () => {
    const { ingress } = ask(network(netpol('bank/own', { podSelector: {} }), banp({ ingress: [from('Allow')] })));
    expect([ingress.allowed, tierOf(ingress)]).toEqual([false, 'NetworkPolicy']);
    expect(ingress.beaten.map(({ tier }) => tier)).toEqual(['BaselineAdminNetworkPolicy']);
  });

  it('both ends must allow it', () => {
    const out = anp('out', 1, within('shop'), { egress: [{ action: 'Deny', to: [within('bank')] }] });
    expect(ask(network(out))).toMatchObject({ allowed: false, egress: { allowed: false }, ingress: { allowed: true } });
    expect(ask(network(out), { source: 'bank/ledger', to: 'shop/web' }).allowed).toBe(true);
  });
});

describe('the peers of a rule', () => {
  const app = (name: string) => ({ matchLabels: { app: name } });
  it.each([
    ['Namespaces', within('shop'), true],
    ['other Namespaces', within('bank'), false],
    ['Pods of Namespaces', { pods: { namespaceSelector: {}, podSelector: app('web') } }, true],
    ['other Pods of them', { pods: { namespaceSelector: {}, podSelector: app('cart') } }, false],
  ])('of an AdminNetworkPolicy are %s', (_, peer, denied) => {
    expect(ask(network(anp('a', 1, everywhere, { ingress: [from('Deny', peer)] }))).allowed).toBe(!denied);
  });

  it.each([
    ['Pods of its own Namespace', { podSelector: app('web') }, false],
    ['Namespaces', { namespaceSelector: { matchLabels: { tier: 'public' } } }, true],
    ['Pods of Namespaces', { namespaceSelector: {}, podSelector: app('web') }, true],
    ['addresses outside the cluster', { ipBlock: { cidr: '0.0.0.0/0' } }, false],
  ])('of a NetworkPolicy are %s', (_, peer, allowed) => {
    expect(ask(network(netpol('bank/own', { podSelector: {}, ingress: [{ from: [peer] }] }))).allowed).toBe(allowed);
  });

  it.each([
    ['Allow', 'never match', true],
    ['Deny', 'deny all', false],
    ['Pass', 'deny all', false],
  ])('fail closed where they are not understood: with %s they %s', (action, _, allowed) => {
    const rule = { action, from: [{ nodes: {} }, within('nowhere')] };
    const { ingress } = ask(network(anp('new', 1, everywhere, { ingress: [rule] })));
    expect(ingress.allowed).toBe(allowed);
    expect(ingress.decidedBy === undefined).toBe(allowed);
  });

  it('are never Pods on the network of the host', () => {
    const topology = network(
      pod('shop/agent', { hostNetwork: true }),
      anp('a', 1, within('bank'), { ingress: [from('Deny')] }),
    );
    expect([ask(topology, { source: 'shop/agent' }).allowed, ask(topology).allowed]).toEqual([true, false]);
  });
});

describe('the ports of a rule', () => {
  it.each([
    [{ portNumber: { protocol: 'TCP', port: 5432 } }, true],
    [{ portNumber: { protocol: 'UDP', port: 5432 } }, false],
    [{ portNumber: { port: 5433 } }, false],
    [{ portRange: { start: 5000, end: 5432 } }, true],
    [{ portRange: { start: 5433, end: 6000 } }, false],
    [{ namedPort: 'sql' }, true],
    [{ namedPort: 'http' }, false],
  ])('of an AdminNetworkPolicy: %j', (port, denied) => {
    const rule = from('Deny', everywhere, { ports: [port] });
    expect(ask(network(anp('a', 1, everywhere, { ingress: [rule] }))).allowed).toBe(!denied);
  });

  it.each([
    [{ port: 5432 }, true],
    [{ port: 5000, endPort: 6000 }, true],
    [{ port: 'sql' }, true],
    [{ protocol: 'TCP' }, true],
    [{ protocol: 'UDP', port: 5432 }, false],
    [{ port: 5431 }, false],
  ])('of a NetworkPolicy: %j', (port, allowed) => {
    const own = netpol('bank/own', { podSelector: {}, ingress: [{ ports: [port] }] });
    expect(ask(network(own)).allowed).toBe(allowed);
  });
});
