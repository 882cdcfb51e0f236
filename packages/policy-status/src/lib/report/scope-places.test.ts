import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute, ServiceFrontend } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { gateway, ref, route, timeoutKind, timeouts } from '../cluster.fixture.ts';
import { planStatus } from '../plan/plan-status.ts';

const Cdn = defineTargetKind({
  group: 'net.example.com',
  kind: 'Tunnel',
  references: ({ metadata: { namespace = '' } }) => {
    const { group, kind } = HTTPRoute;
    return [{ to: { group, kind, namespace, name: 'pay' }, direction: 'down', pointer: '/spec/route' }];
  },
});
const Timeouts = timeoutKind('TimeoutPolicy', {
  targets: [Gateway, HTTPRoute, HTTPRoute.sections.rule, ServiceFrontend, Cdn],
});

const cart: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'cart', namespace: 'shop' },
  spec: { ports: [{ name: 'web', port: 80 }] },
};
const cdn: KubernetesObject = {
  apiVersion: 'net.example.com/v1',
  kind: 'Tunnel',
  metadata: { name: 'cdn', namespace: 'shop', generation: 1 },
};
const toCart = { group: '', kind: 'Service', name: 'cart' };

/** Returns a route with some parentRefs. */
function pay(...parentRefs: readonly object[]): KubernetesObject {
  const plain = route('pay', []);
  return { ...plain, spec: { ...(plain.spec as object), parentRefs } };
}

/** Returns the entries in the planned status of the policy `own`: `Gateway edge: In force in all scopes.`. */
function entries(...resources: readonly KubernetesObject[]): readonly string[] {
  const topology = createTopology({ targetKinds: [...gatewayApi({ mesh: true }), Cdn], policyKinds: [Timeouts] });
  topology.apply({ upsert: [gateway('edge'), ...resources] });
  const { writes } = planStatus(effectivePolicies(topology, Timeouts), {
    controllerName: 'example.com/timeouts',
    now: new Date('2026-01-01T00:00:00Z'),
  });
  const status = writes.find((write) => write.ref.name === 'own')?.result.status as {
    readonly ancestors: readonly {
      readonly ancestorRef: { readonly kind: string; readonly name: string };
      readonly conditions: readonly { readonly message: string }[];
    }[];
  };
  return status.ancestors.map(
    ({ ancestorRef, conditions }) => `${ancestorRef.kind} ${ancestorRef.name}: ${conditions.at(-1)?.message}`,
  );
}

const inForce = 'In force in all scopes.';

describe('planStatus, for scopes without a Gateway above', () => {
  const own = timeouts('own', ['HTTPRoute pay'], { request: 5 });

  it('has an entry for the other parent of a route, which overrides the policy', () => {
    const targetRefs = [{ group: ServiceFrontend.group, kind: 'ServiceFrontend', name: 'cart' }];
    const mesh = timeouts('mesh', [], { targetRefs, overrides: { request: 1 } });
    expect(entries(cart, pay(ref('Gateway edge'), toCart), own, mesh)).toEqual([
      `Gateway edge: ${inForce}`,
      'ServiceFrontend cart: Overridden in all scopes. shop/mesh replaces it (Patch overrides).',
    ]);
  });

  it('has the same entries if all parents have the same policies', () => {
    expect(entries(cart, pay(ref('Gateway edge'), toCart), own)).toEqual([
      `Gateway edge: ${inForce}`,
      `ServiceFrontend cart: ${inForce}`,
    ]);
  });

  it('has an entry for a parent of a custom kind', () => {
    const onCdn = timeouts('cdn', ['Tunnel cdn'], { overrides: { request: 1 } });
    expect(entries(cdn, pay(ref('Gateway edge')), own, onCdn)).toEqual([
      `Gateway edge: ${inForce}`,
      'Tunnel cdn: Overridden in all scopes. shop/cdn replaces it (Patch overrides).',
    ]);
  });

  it('names the target itself if no scope has a Gateway', () => {
    expect(entries(cart, pay(toCart), own)).toEqual([`HTTPRoute pay: ${inForce}`]);
  });
});
