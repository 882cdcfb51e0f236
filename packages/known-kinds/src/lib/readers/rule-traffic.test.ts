import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { findPolicyKinds } from '../find/find-policy-kinds.ts';
import { ruleTraffic } from './rule-traffic.ts';

describe('ruleTraffic', () => {
  it.each<[JsonObject, JsonObject | undefined]>([
    [{}, undefined],
    [{ timeouts: {} }, undefined],
    [{ timeouts: { request: '5s' } }, { timeout: { http: { requestTimeout: '5s' } } }],
    [{ timeouts: { request: '5s', backendRequest: '1s' } }, { timeout: { http: { requestTimeout: '1s' } } }],
    [{ retry: { attempts: 3, codes: [503] } }, { retry: { numRetries: 3, retryOn: { httpStatusCodes: [503] } } }],
    [
      { timeouts: { request: '5s', backendRequest: '1s' }, retry: { attempts: 3, backoff: '1ms' } },
      {
        timeout: { http: { requestTimeout: '5s' } },
        retry: { numRetries: 3, perRetry: { timeout: '1s', backOff: { baseInterval: '1ms' } } },
      },
    ],
    [{ timeouts: 'soon', retry: 3 }, undefined],
  ])('reads %j as Envoy Gateway does', (rule, expected) => {
    expect(ruleTraffic(rule)).toEqual(expected);
  });
});

describe('a BackendTrafficPolicy of Envoy Gateway', () => {
  it('yields to the timeouts of a rule field by field, and to its whole retries', () => {
    const group = 'gateway.networking.k8s.io';
    const objects: readonly KubernetesObject[] = [
      {
        apiVersion: `${group}/v1`,
        kind: 'Gateway',
        metadata: { name: 'edge', namespace: 'shop' },
        spec: { listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
      },
      {
        apiVersion: `${group}/v1`,
        kind: 'HTTPRoute',
        metadata: { name: 'cart', namespace: 'shop' },
        spec: {
          parentRefs: [{ name: 'edge' }],
          rules: [{ name: 'own', timeouts: { request: '5s' }, retry: { attempts: 2 } }, { name: 'plain' }],
        },
      },
      {
        apiVersion: 'gateway.envoyproxy.io/v1alpha1',
        kind: 'BackendTrafficPolicy',
        metadata: { name: 'p', namespace: 'shop' },
        spec: {
          targetRefs: [{ group, kind: 'HTTPRoute', name: 'cart' }],
          timeout: { http: { requestTimeout: '60s', connectionIdleTimeout: '1h' } },
          retry: { numRetries: 5, retryOn: { triggers: ['5xx'] } },
        },
      },
    ];
    const { kinds } = findPolicyKinds({ resources: objects });
    const policyKinds = kinds.map(({ kind }) => kind);
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds });
    topology.apply({ upsert: objects });
    const specs = policyKinds.flatMap((kind) => [...effectivePolicies(topology, kind)].map(({ spec }) => spec));
    expect(specs).toEqual([
      { timeout: { http: { requestTimeout: '5s', connectionIdleTimeout: '1h' } }, retry: { numRetries: 2 } },
      {
        timeout: { http: { requestTimeout: '60s', connectionIdleTimeout: '1h' } },
        retry: { numRetries: 5, retryOn: { triggers: ['5xx'] } },
      },
    ]);
  });
});
