import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { describeOutput, specsByGateway } from '@policy-machinery/golden-output';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { cluster } from './cluster.ts';
import { report } from './report.ts';
import { RouteOption } from './route-option.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says what applies to each target, and what became of each policy',
  async (colors) => report(await cluster(), colors),
);

describe('the manifests', () => {
  it('are without faults', async () => {
    const topology = await cluster();
    expect([...topology.issues, ...effectivePolicies(topology, RouteOption).issues]).toEqual([]);
  });
});

describe('a route below two Gateways, by delegation', () => {
  it('has below each Gateway the options of the parent that delegates there', () => {
    const { gateway, httpRoute, policy } = createFixtures({ namespace: 'shop' });
    const child = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'cart' };
    const objects = Object.entries({ public: '500s', internal: '5s' }).flatMap(([name, timeout]) => {
      const parent = httpRoute(name, { parents: [name], rules: [{ backends: [child] }] });
      return [gateway(name), parent, policy(RouteOption, name, { on: parent, spec: { options: { timeout } } })];
    });
    const topology = createTopology({ targetKinds: gatewayApi({ delegation: true }), policyKinds: [RouteOption] });
    topology.apply({ upsert: [...objects, httpRoute('cart')] });
    const effective = effectivePolicies(topology, RouteOption);
    expect(specsByGateway(effective)).toEqual({
      public: [{ options: { timeout: '500s' } }],
      internal: [{ options: { timeout: '5s' } }],
    });
  });
});
