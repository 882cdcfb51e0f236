import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { anyObject } from './spec-checks.ts';
import { unmergedKind } from './unmerged.ts';

const group = 'policies.example.com';
const gateway = 'gateway.networking.k8s.io';
const kind = unmergedKind({
  group,
  version: 'v1',
  kind: 'RetryPolicy',
  targets: [Gateway, HTTPRoute],
  crossNamespace: 'allow',
  spec: anyObject,
});

function object(apiVersion: string, kind: string, name: string, spec: JsonObject): KubernetesObject {
  return { apiVersion, kind, metadata: { name, namespace: 'shop', creationTimestamp: '2025-01-01T00:00:00Z' }, spec };
}

const policy = (name: string, kind: string, target: string, spec: JsonObject) =>
  object(`${group}/v1`, 'RetryPolicy', name, { targetRefs: [{ group: gateway, kind, name: target }], ...spec });

function cluster(...policies: KubernetesObject[]) {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [kind] });
  topology.apply({
    upsert: [
      object(`${gateway}/v1`, 'Gateway', 'edge', { listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] }),
      object(`${gateway}/v1`, 'HTTPRoute', 'cart', { parentRefs: [{ name: 'edge' }], rules: [{}] }),
      ...policies,
    ],
  });
  return effectivePolicies(topology, kind);
}

const route = 'httproute.gateway.networking.k8s.io:shop/cart';

describe('unmergedKind', () => {
  const effective = cluster(
    policy('everywhere', 'Gateway', 'edge', { attempts: 3, on: ['5xx'] }),
    policy('cart', 'HTTPRoute', 'cart', { attempts: 1 }),
    policy('also-cart', 'HTTPRoute', 'cart', { attempts: 2 }),
  );

  it('keeps the spec of each policy of a context, by the name of the policy', () => {
    expect(effective.of(route).map(({ spec }) => spec)).toEqual([
      {
        'shop/everywhere': { attempts: 3, on: ['5xx'] },
        'shop/cart': { attempts: 1 },
        'shop/also-cart': { attempts: 2 },
      },
    ]);
  });

  it('loses nothing, on one level or between levels', () => {
    expect([...effective].flatMap(({ losses }) => losses)).toEqual([]);
    expect(
      effective
        .explain(route)
        .policies.map(({ name }) => name)
        .sort(),
    ).toEqual(['shop/also-cart', 'shop/cart', 'shop/everywhere']);
  });

  it('has only the policies of a target there', () => {
    const [gatewayPolicy] = effective.of('gateway.gateway.networking.k8s.io:shop/edge');
    expect(Object.keys(gatewayPolicy?.spec ?? {})).toEqual(['shop/everywhere']);
  });

  it('has the origin of each field', () => {
    const [cart] = effective.of(route);
    expect(cart?.originOf('/shop~1cart/attempts')?.policy.name).toBe('shop/cart');
  });

  it('reports a policy that cannot be read, and keeps the others', () => {
    const { spec: _spec, ...broken } = policy('cart', 'HTTPRoute', 'cart', {});
    const rest = cluster(broken, policy('everywhere', 'Gateway', 'edge', { attempts: 3 }));
    expect(rest.of(route).map(({ spec }) => spec)).toEqual([{ 'shop/everywhere': { attempts: 3 } }]);
  });
});
