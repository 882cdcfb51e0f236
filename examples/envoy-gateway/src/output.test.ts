import { effectivePolicies } from '@policy-machinery/effective-policy';
import { describeOutput, specsBelowTwoGateways } from '@policy-machinery/golden-output';
import { describe, expect, it } from 'vitest';
import { BackendTrafficPolicy } from './backend-traffic-policy.ts';
import { cluster } from './cluster.ts';
import { report } from './report.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says for each route what applies, and what the status of each policy says',
  async (colors) => report(await cluster(), colors),
);

describe('the manifests', () => {
  it('are without faults', async () => {
    const topology = await cluster();
    expect([...topology.issues, ...effectivePolicies(topology, BackendTrafficPolicy).issues]).toEqual([]);
  });
});

describe('a route below two Gateways', () => {
  it('has the values of the policy of each Gateway below it', () => {
    const applying = specsBelowTwoGateways(BackendTrafficPolicy, {
      public: { timeout: { http: { requestTimeout: '500s' } } },
      internal: { timeout: { http: { requestTimeout: '5s' } } },
    });
    expect(applying).toEqual({
      public: [{ timeout: { http: { requestTimeout: '500s' } } }],
      internal: [{ timeout: { http: { requestTimeout: '5s' } } }],
    });
  });
});
