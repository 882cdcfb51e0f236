import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { describeOutput, specsByGateway } from '@policy-machinery/golden-output';
import { parseManifests } from '@policy-machinery/resource/manifests';
import { createTopology } from '@policy-machinery/topology';
import { ApiObject, App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { TimeoutPolicy as TimeoutPolicyKind } from '../../quickstart/src/policy-kinds.ts';
import { constructsOf } from './constructs.ts';
import { report } from './report.ts';
import { shop } from './shop.ts';

describeOutput(new URL('../output.golden.txt', import.meta.url), 'says what the charts will make apply', (colors) =>
  report(shop(), colors),
);

describe('the charts', () => {
  it('give manifests that can be read, with the definition of the kind', () => {
    const objects = [...parseManifests(shop().synthYaml())];
    expect(objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`)).toEqual([
      'CustomResourceDefinition timeoutpolicies.policies.shop.example.com',
      'Gateway shop-edge',
      'HTTPRoute shop-cart',
      'TimeoutPolicy shop-house-rules',
      'TimeoutPolicy shop-patient',
    ]);
  });

  it('give each of two Gateways above a route its own override', () => {
    const { Policy } = constructsOf(TimeoutPolicyKind);
    const chart = new Chart(new App(), 'shop', { namespace: 'shop', disableResourceNameHashes: true });
    const apiVersion = 'gateway.networking.k8s.io/v1';
    const listeners = [{ name: 'http', port: 80, protocol: 'HTTP' }];
    const parentRefs = Object.entries({ public: '500s', internal: '5s' }).map(([name, request]) => {
      const on = new ApiObject(chart, name, { apiVersion, kind: 'Gateway', metadata: { name }, spec: { listeners } });
      new Policy(chart, `${name}-timeouts`, { targets: [{ on }], overrides: { request } });
      return { name };
    });
    new ApiObject(chart, 'cart', { apiVersion, kind: 'HTTPRoute', spec: { parentRefs, rules: [{ name: 'all' }] } });
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicyKind] });
    topology.apply({ upsert: chart.toJson() });
    expect(specsByGateway(effectivePolicies(topology, TimeoutPolicyKind))).toEqual({
      public: [{ request: '500s' }],
      internal: [{ request: '5s' }],
    });
  });

  it('refuse a policy that the kind would refuse, with the reason', () => {
    const { Policy } = constructsOf(TimeoutPolicyKind);
    const chart = new Chart(new App(), 'shop');
    const on = new ApiObject(chart, 'edge', { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway' });
    expect(() => new Policy(chart, 'soon', { targets: [{ on }], defaults: { request: 'soon' } })).toThrow(
      expect.objectContaining({ code: 'invalid-policy', message: expect.stringContaining('expected a duration') }),
    );
    // @ts-expect-error The spec has no such field.
    expect(() => new Policy(chart, 'retries', { targets: [{ on }], defaults: { retries: 3 } })).toThrow('retries');
  });
});
