import { effectivePolicies, type PolicyShare } from '@policy-machinery/effective-policy';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import { scopesMessage } from './scopes-message.ts';

/** The share of a policy on a Gateway, where a policy on a route sets the same field. */
function shareBeside(name: string): PolicyShare<unknown> {
  const { topology } = cluster(
    TimeoutPolicy,
    gateway('edge'),
    timeouts('house', ['Gateway edge'], { request: 1 }),
    route(name, ['edge']),
    timeouts(name, [`HTTPRoute ${name}`], { request: 2 }),
  );
  const [group] = effectivePolicies(topology, TimeoutPolicy).reachInGroups('timeoutpolicy.example.com:shop/house');
  if (group === undefined) throw new Error('the policy has no scope');
  return group.share;
}

describe('scopesMessage', () => {
  it('repeats no sentence about the values of targets', () => {
    const [loss] = shareBeside('cart').losses;
    const [winner] = loss?.winners ?? [];
    if (loss === undefined || winner === undefined) throw new Error('the policy loses nothing');
    const ofTarget = { ...winner, level: { ...winner.level, resource: winner.policy.resource } };
    const losses = (['Atomic defaults', 'Patch defaults'] as const).map((strategy) => ({
      ...loss,
      strategy,
      winners: [ofTarget],
    }));
    expect(scopesMessage('undecided', [{ losses, issues: [] }])).toBe(
      'Not known in all scopes. Whether values set by targets prevail is not known.',
    );
  });

  it('states one reason once for several policies', () => {
    const shares = ['cart', 'pay', 'ship'].map((name) => shareBeside(name));
    expect(scopesMessage('partly-enforced', shares)).toBe(
      'In force in part. shop/cart, shop/pay and shop/ship replace it (Patch defaults).',
    );
  });
});
