import { effectivePolicies } from '@policy-machinery/effective-policy';
import {
  Gateway,
  gatewayApi,
  HTTPRoute,
  ListenerSet,
  Namespace,
  Service,
  ServiceFrontend,
} from '@policy-machinery/gateway-api';
import { type KubernetesObject, specOf } from '@policy-machinery/resource';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gateway, ref, route, timeoutKind, timeouts } from '../lib/cluster.fixture.ts';
import { reportPolicies } from '../lib/report/policy-report.ts';
import { runs } from './runs.fixture.ts';

/** A target kind of the product: a parent of routes beside Gateways. */
const Cdn = defineTargetKind({
  group: 'net.example.com',
  kind: 'Tunnel',
  *references(resource) {
    const { group, kind } = HTTPRoute;
    for (const name of [specOf(resource).routes ?? []].flat()) {
      yield { to: { group, kind, namespace: 'shop', name: String(name) }, direction: 'down', pointer: '/spec/routes' };
    }
  },
});

const { sections } = HTTPRoute;
const targets = [Gateway, ListenerSet, HTTPRoute, sections.rule, ServiceFrontend, Cdn, Namespace, Service];
const kinds = {
  rules: timeoutKind('TimeoutPolicy', { targets }),
  ports: timeoutKind('TimeoutPolicy', {
    targets: [...targets, Service.sections.port],
    effectiveTargets: [Service.sections.port],
  }),
  nearest: timeoutKind('TimeoutPolicy', {
    targets,
    ancestors: [Gateway, ListenerSet],
    ancestorEntries: { naming: 'sections', reach: 'nearest' },
  }),
};

const meta = { namespace: 'shop', generation: 1 };
const service = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, ...meta },
  spec: {
    ports: [
      { name: 'web', port: 80 },
      { name: 'metrics', port: 90 },
    ],
  },
});
const listenerSet: KubernetesObject = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'ListenerSet',
  metadata: { name: 'more', ...meta },
  spec: { parentRef: { kind: 'Gateway', name: 'g1' }, listeners: [{ name: 'extra', port: 8443, protocol: 'HTTPS' }] },
};
const g1 = gateway('g1');
const allowedListeners = { namespaces: { from: 'All' } };
const base: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  { ...g1, spec: { ...specOf(g1), allowedListeners } },
  gateway('g2'),
  listenerSet,
  service('cart'),
  service('pay'),
];

const parents = [
  ref('Gateway g1'),
  ref('Gateway g2'),
  { kind: 'ListenerSet', name: 'more' },
  { group: '', kind: 'Service', name: 'cart' },
];
const backends = [
  { name: 'pay', port: 80 },
  { name: 'cart', port: 80 },
  { group: HTTPRoute.group, kind: 'HTTPRoute', name: 'child' },
];
const routes = fc
  .tuple(
    ...['r1', 'r2'].map((name) =>
      fc.tuple(fc.subarray(parents), fc.subarray(backends)).map(([parentRefs, backendRefs]) => ({
        ...route(name, []),
        spec: { parentRefs, rules: [{ name: 'pay', backendRefs }] },
      })),
    ),
    fc.constant({ ...route('child', []), spec: { rules: [{ name: 'pay', backendRefs: backends.slice(0, 1) }] } }),
  )
  .map((all): readonly KubernetesObject[] => all);
const cdn = fc.subarray(['r1', 'r2', 'child']).map((names): KubernetesObject => {
  return {
    apiVersion: 'net.example.com/v1',
    kind: 'Tunnel',
    metadata: { name: 'cdn', ...meta },
    spec: { routes: names },
  };
});

const places = [
  'Gateway g1',
  'Gateway g2',
  'HTTPRoute r1',
  'HTTPRoute r2',
  'HTTPRoute child',
  'Tunnel cdn',
  'Service pay',
];
const refs = [
  ...places.map(ref),
  ref('Namespace shop'),
  ref('ListenerSet more'),
  { group: ServiceFrontend.group, kind: 'ServiceFrontend', name: 'cart' },
];
const stanza = fc.record(
  { request: fc.constantFrom(1, 2), idle: fc.constantFrom(1, 2) },
  { requiredKeys: ['request'] },
);
const spec = fc.oneof(fc.record({ defaults: stanza }), fc.record({ overrides: stanza }));
const policies = fc
  .tuple(
    ...['p1', 'p2', 'p3'].map((name, seconds) =>
      fc
        .tuple(fc.subarray(refs, { minLength: 1, maxLength: 2 }), spec)
        .map(([targetRefs, stanzas]) => timeouts(name, [], { ...stanzas, targetRefs }, { seconds })),
    ),
  )
  .map((all): readonly KubernetesObject[] => all);

const worlds = fc.record({ kind: fc.constantFrom(...Object.values(kinds)), routes, cdn, policies });
type World = typeof worlds extends fc.Arbitrary<infer Value> ? Value : never;

function build({ kind, routes, cdn, policies }: World) {
  const targetKinds = [...gatewayApi({ mesh: true, delegation: true }), Cdn];
  const topology = createTopology({ targetKinds, policyKinds: [kind] });
  topology.apply({ upsert: [...base, ...routes, cdn, ...policies] });
  return effectivePolicies(topology, kind);
}

const said = { 'In force in all scopes.': 'enforced', 'Overridden in all scopes.': 'overridden' } as const;

describe('reportPolicies, below Gateways, ListenerSets, Services, delegating routes and custom kinds', () => {
  it('reports an outcome in all scopes only if `reach` does not have another', () => {
    const counts = { 'In force in all scopes.': 0, 'Overridden in all scopes.': 0, beside: 0 };
    fc.assert(
      fc.property(worlds, (world) => {
        const effective = build(world);
        for (const { policy, ancestors } of reportPolicies(effective)) {
          const reached = new Set(effective.reach(policy.locator).map(({ outcome }) => outcome));
          for (const [opening, outcome] of Object.entries(said)) {
            if (!ancestors.every(({ message }) => message.startsWith(opening))) continue;
            counts[opening as keyof typeof said] += 1;
            if (ancestors.length > 1) counts.beside += 1;
            expect([...reached]).toEqual([outcome]);
          }
        }
      }),
      { numRuns: runs(2_000) },
    );
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(10);
  });

  it('has an outcome for an ancestor that is the outcome in each scope below the ancestor', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const effective = build(world);
        for (const { policy, ancestors } of reportPolicies(effective)) {
          if (policy.attachments.length > 1) continue; // Each target has its own places.
          for (const { outcome, effective: context } of effective.reach(policy.locator)) {
            const names = new Set(context.ancestors.map(({ object: { ref } }) => `${ref.kind} ${ref.name}`));
            const entries = ancestors.filter(({ ancestorRef: { kind, name } }) => names.has(`${kind} ${name}`));
            for (const entry of entries) expect([outcome, 'partly-enforced']).toContain(entry.outcome);
          }
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
