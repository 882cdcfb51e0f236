import { effectivePolicies } from '@policy-machinery/effective-policy';
import { describeOutput, specsBelowTwoGateways } from '@policy-machinery/golden-output';
import { describe, expect, it } from 'vitest';
import { AgentgatewayPolicy } from './agentgateway-policy.ts';
import { cluster } from './cluster.ts';
import { report } from './report.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says what applies to each target, and what became of each policy',
  async (colors) => report(await cluster(), colors),
);

describe('the manifests', () => {
  it('are without faults', async () => {
    const topology = await cluster();
    expect([...topology.issues, ...effectivePolicies(topology, AgentgatewayPolicy).issues]).toEqual([]);
  });
});

describe('a route below two Gateways', () => {
  it('has the values of the policy of each Gateway below it', () => {
    const applying = specsBelowTwoGateways(AgentgatewayPolicy, {
      public: { strategy: { inheritance: 'Override' }, traffic: { timeouts: { request: '500s' } } },
      internal: { strategy: { inheritance: 'Override' }, traffic: { timeouts: { request: '5s' } } },
    });
    expect(applying).toEqual({
      public: [{ traffic: { timeouts: { request: '500s' } } }],
      internal: [{ traffic: { timeouts: { request: '5s' } } }],
    });
  });
});
