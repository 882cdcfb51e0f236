import { effectivePolicies } from '@policy-machinery/effective-policy';
import { describeOutput, specsBelowTwoGateways } from '@policy-machinery/golden-output';
import { describe, expect, it } from 'vitest';
import { cluster } from './cluster.ts';
import { AuthPolicy, RateLimitPolicy } from './policy-kinds.ts';
import { report } from './report.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says case by case what applies, who set it, and what the status of each policy says',
  async (colors) => report(await cluster(), colors),
);

describe('the manifests', () => {
  it('are without faults', async () => {
    const topology = await cluster();
    const views = [effectivePolicies(topology, AuthPolicy), effectivePolicies(topology, RateLimitPolicy)];
    expect([topology, ...views].flatMap(({ issues }) => issues)).toEqual([]);
  });
});

describe('a route below two Gateways', () => {
  it('has the values of the policy of each Gateway below it', () => {
    const applying = specsBelowTwoGateways(RateLimitPolicy, {
      public: { overrides: { limits: { a: { rates: [{ limit: 500, window: '1s' }] } } } },
      internal: { overrides: { limits: { a: { rates: [{ limit: 5, window: '1s' }] } } } },
    });
    expect(applying).toEqual({
      public: [{ limits: { a: { rates: [{ limit: 500, window: '1s' }] } } }],
      internal: [{ limits: { a: { rates: [{ limit: 5, window: '1s' }] } } }],
    });
  });
});
