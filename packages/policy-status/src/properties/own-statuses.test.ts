import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi, Secret } from '@policy-machinery/gateway-api';
import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimeoutPolicy, timeouts } from '../lib/cluster.fixture.ts';
import { planStatus } from '../lib/plan/plan-status.ts';
import type { StatusPlan } from '../lib/plan/status-plan.ts';
import { runs } from './runs.fixture.ts';

const apiVersion = 'gateway.networking.k8s.io/v1';
const settings = {
  affected: 'all',
  controllerName: 'example.com/gateways',
  now: new Date('2026-01-02T03:04:05Z'),
} as const;
const namespaces = ['infra', 'shop'];

const inNamespace = fc.constantFrom(...namespaces);
const named = (
  kind: string,
  spec: object,
  name: string,
  namespace?: string,
  version = apiVersion,
): KubernetesObject => ({
  apiVersion: version,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  spec,
});

const hostname = fc.constantFrom(undefined, 'a.com', '*.com');
const listener = fc.record({
  name: fc.constantFrom('l', 'm'),
  port: fc.constantFrom(80, 81),
  protocol: fc.constantFrom('HTTP', 'HTTPS', 'TCP', 'INVALID'),
  hostname,
  allowedRoutes: fc.constantFrom(
    undefined,
    { namespaces: { from: 'All' } },
    { namespaces: { from: 'Selector', selector: { matchLabels: { open: 'yes' } } } },
    { kinds: [{ kind: 'GRPCRoute' }] },
  ),
  tls: fc.constantFrom(undefined, { certificateRefs: [{ name: 'c', namespace: 'shop' }] }),
});
const listeners = fc.uniqueArray(listener, { selector: ({ name }) => name, minLength: 1, maxLength: 2 });
const parentRef = fc.record({
  kind: fc.constantFrom('Gateway', 'ListenerSet'),
  name: fc.constantFrom('a', 'b'),
  namespace: inNamespace,
  sectionName: fc.constantFrom(undefined, 'l'),
});
const backendRef = fc.record({ name: fc.constantFrom('s', 't'), namespace: inNamespace, port: fc.constant(80) });

const resource = fc.oneof(
  fc
    .record({ controllerName: fc.constantFrom('example.com/gateways', 'other.example.com/gateways') })
    .map((spec) => named('GatewayClass', spec, 'class')),
  fc
    .tuple(
      fc.record({
        gatewayClassName: fc.constantFrom(undefined, 'class'),
        listeners,
        allowedListeners: fc.constantFrom(undefined, { namespaces: { from: 'All' } }, { namespaces: { from: 'Same' } }),
      }),
      fc.constantFrom('a', 'b'),
      inNamespace,
    )
    .map(([spec, name, namespace]) => named('Gateway', spec, name, namespace)),
  fc
    .tuple(
      fc.record({ parentRef: fc.record({ name: fc.constantFrom('a', 'b'), namespace: inNamespace }), listeners }),
      fc.constantFrom('a', 'b'),
      inNamespace,
    )
    .map(([spec, name, namespace]) => named('ListenerSet', spec, name, namespace)),
  fc
    .tuple(
      fc.record({
        parentRefs: fc.array(parentRef, { maxLength: 2 }),
        hostnames: fc.constantFrom(undefined, ['a.com']),
        rules: fc.array(fc.record({ backendRefs: fc.array(backendRef, { maxLength: 1 }) }), { maxLength: 2 }),
      }),
      fc.constantFrom('r', 'q'),
      inNamespace,
    )
    .map(([spec, name, namespace]) => named('HTTPRoute', spec, name, namespace)),
  fc.tuple(fc.constantFrom('s', 't'), inNamespace).map(([name, namespace]) => {
    return named('Service', { ports: [{ port: 80 }] }, name, namespace, 'v1');
  }),
  inNamespace.map((namespace) => named('Secret', {}, 'c', namespace, 'v1')),
  fc.tuple(inNamespace, fc.boolean()).map(([name, isOpen]) => {
    const it = named('Namespace', {}, name, undefined, 'v1');
    return { ...it, metadata: { ...it.metadata, labels: isOpen ? { open: 'yes' } : {} } };
  }),
  fc
    .tuple(inNamespace, fc.constantFrom('Gateway', 'ListenerSet', 'HTTPRoute'), inNamespace)
    .map(([own, kind, from]) => {
      const spec = {
        from: [{ group: 'gateway.networking.k8s.io', kind, namespace: from }],
        to: [
          { group: '', kind: 'Service' },
          { group: '', kind: 'Secret' },
        ],
      };
      return named('ReferenceGrant', spec, 'grant', own, 'gateway.networking.k8s.io/v1beta1');
    }),
);
const step = fc.record({
  upsert: fc.uniqueArray(resource, { selector: keyOf, maxLength: 4 }),
  isRemoved: fc.boolean(),
});

function keyOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace} ${metadata.name}`;
}

const shown = ({ writes, refused }: StatusPlan) => ({
  writes: writes.map(({ locator, patch }) => ({ locator, patch })),
  refused,
});

describe('planStatus with changes', () => {
  it('plans the same for kind statuses as a plan of everything, after any changes', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), fc.boolean(), (steps, isCarriedOut) => {
        const targetKinds = [...gatewayApi({ statuses: true }), Secret];
        const topology = createTopology({ targetKinds, policyKinds: [TimeoutPolicy] });
        const policy = timeouts('p', ['Gateway a'], { request: 1 }, { namespace: 'infra', seconds: 1 });
        topology.apply({ upsert: [policy] });
        const effective = effectivePolicies(topology, TimeoutPolicy);
        const carryOut = (plan: StatusPlan): void => {
          topology.apply({ upsert: plan.writes.map(({ result }) => result) });
        };
        carryOut(planStatus(effective, settings));
        effective.takeChanges();
        const withStoredStatus = (it: KubernetesObject): KubernetesObject => {
          const status = topology.get(locatorOf(it, 'Namespaced'))?.resource.status;
          return status === undefined ? it : { ...it, status };
        };
        for (const { upsert, isRemoved } of steps) {
          topology.apply(isRemoved ? { remove: upsert } : { upsert: upsert.map(withStoredStatus) });
          const changes = isCarriedOut ? effective.takeChanges() : undefined;
          const afresh = planStatus(effectivePolicies(topology, TimeoutPolicy), settings);
          if (changes !== undefined) {
            expect(shown(planStatus(effective, { ...settings, changes: [changes] }))).toEqual(shown(afresh));
          }
          carryOut(afresh);
          expect(planStatus(effectivePolicies(topology, TimeoutPolicy), settings).writes).toEqual([]);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
