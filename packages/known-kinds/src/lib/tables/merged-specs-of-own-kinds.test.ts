import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const v1 = 'gateway.networking.k8s.io/v1';
const limits = z
  .object({ min: z.number().nullable().optional(), max: z.number().optional(), name: z.string().optional() })
  .refine(({ min, max }) => (min ?? 0) <= (max ?? 9), { error: 'min must not exceed max', path: ['min'] });

const LimitPolicy = definePolicyKind({
  group: 'example.com',
  version: 'v1',
  kind: 'LimitPolicy',
  targets: [Gateway, HTTPRoute],
  effectiveTargets: [HTTPRoute],
  stanzas: bareSpec({ strategies: { patch } }),
  spec: limits,
});

function effective(parent: object, child: object) {
  const policy = (name: string, kind: string, spec: object) => ({
    apiVersion: 'example.com/v1',
    kind: 'LimitPolicy',
    metadata: { name, namespace: 'a', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { targetRefs: [{ group: 'gateway.networking.k8s.io', kind, name: kind }], ...spec },
  });
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [LimitPolicy] });
  const listeners = [{ name: 'http', port: 80, protocol: 'HTTP' }];
  topology.apply({
    upsert: [
      { apiVersion: v1, kind: 'Gateway', metadata: { name: 'Gateway', namespace: 'a' }, spec: { listeners } },
      {
        apiVersion: v1,
        kind: 'HTTPRoute',
        metadata: { name: 'HTTPRoute', namespace: 'a' },
        spec: { parentRefs: [{ name: 'Gateway' }] },
      },
      policy('parent', 'Gateway', parent),
      policy('child', 'HTTPRoute', child),
    ],
  });
  const [found] = effectivePolicies(topology, LimitPolicy).of('httproute.gateway.networking.k8s.io:a/HTTPRoute');
  return { messages: found?.issues.map(({ message }) => message), outcomes: found?.shares.map((it) => it.outcome) };
}

describe('a kind with its own schema', () => {
  it('has an issue for a merged spec that the schema refuses, and no enforced policy', () => {
    const { messages, outcomes } = effective({ max: 3 }, { min: 5 });
    expect(new Set(messages)).toEqual(
      new Set(['the merged spec is refused: min must not exceed max; a/child sets /min']),
    );
    expect(outcomes).toContain('partly-enforced');
  });

  it('has none for a merged spec that the schema accepts', () => {
    expect(effective({ max: 8 }, { min: 5 })).toEqual({ messages: [], outcomes: ['enforced', 'enforced'] });
  });
});
