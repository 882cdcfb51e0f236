import { effectivePolicies } from '@policy-machinery/effective-policy';
import { describeOutput, specsBelowTwoGateways } from '@policy-machinery/golden-output';
import { describe, expect, it } from 'vitest';
import { cluster } from './cluster.ts';
import { report } from './report.ts';
import { TrafficPolicy } from './traffic-policy.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says for each rule on each path what applies, and what the status of each policy says',
  async (colors) => report(await cluster(), colors),
);

describe('the manifests', () => {
  it('are without faults', async () => {
    const topology = await cluster();
    expect([...topology.issues, ...effectivePolicies(topology, TrafficPolicy).issues]).toEqual([]);
  });
});

describe('a route below two Gateways', () => {
  it('has the values of the policy of each Gateway below it', () => {
    const applying = specsBelowTwoGateways(TrafficPolicy, {
      public: { timeouts: { request: '500s' } },
      internal: { timeouts: { request: '5s' } },
    });
    expect(applying).toEqual({
      public: [{ timeouts: { request: '500s' } }],
      internal: [{ timeouts: { request: '5s' } }],
    });
  });
});
