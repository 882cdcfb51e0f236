import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { reportPage } from '@policy-machinery/report';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { z } from 'zod';

const TimeoutPolicy = definePolicyKind({
  group: 'policies.example.com',
  version: 'v1',
  kind: 'TimeoutPolicy',
  targets: [Gateway, HTTPRoute],
  effectiveTargets: [HTTPRoute.sections.rule],
  spec: z.strictObject({ request: z.string(), idle: z.string() }).partial(),
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
});

const gatewayGroup = 'gateway.networking.k8s.io';

function object(apiVersion: string, kind: string, name: string, spec: JsonObject): KubernetesObject {
  const metadata = { name, namespace: 'shop', creationTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion, kind, metadata, spec };
}

function gateway(name: string): KubernetesObject {
  const listeners = [{ name: 'http', port: 80, protocol: 'HTTP' }];
  return object(`${gatewayGroup}/v1`, 'Gateway', name, { gatewayClassName: 'edge', listeners });
}

function route(name: string, gateways: readonly string[], path = `/${name}`): KubernetesObject {
  return object(`${gatewayGroup}/v1`, 'HTTPRoute', name, {
    parentRefs: gateways.map((parent) => ({ name: parent })),
    hostnames: ['shop.example.com'],
    rules: [{ matches: [{ path: { type: 'PathPrefix', value: path } }], backendRefs: [{ name: 'backend', port: 80 }] }],
  });
}

function timeouts(name: string, kind: string, target: string, spec: JsonObject): KubernetesObject {
  const targetRefs = [{ group: gatewayGroup, kind, name: target }];
  return object('policies.example.com/v1', 'TimeoutPolicy', name, { targetRefs, ...spec });
}

/** A shop with two Gateways, a route below both, routes without policies, and policies of which one lost something. */
export const shop: readonly KubernetesObject[] = [
  gateway('public'),
  gateway('internal'),
  route('cart', ['public', 'internal']),
  ...Array.from({ length: 8 }, (_, index) => route(`plain-${index}`, ['public'])),
  object('v1', 'Service', 'backend', { ports: [{ port: 80 }] }),
  timeouts('house-rules', 'Gateway', 'public', { defaults: { request: '10s', idle: '1m' } }),
  timeouts('patient', 'HTTPRoute', 'cart', { request: '30s' }),
  timeouts('lost', 'HTTPRoute', 'nowhere', { request: '5s' }),
];

const long = 'checkout-with-payments-and-refunds-of-the-northern-region';

/** A shop whose objects have long names, of which two begin alike, and one has wide letters alone. */
export const longShop: readonly KubernetesObject[] = [
  gateway(`${long}-public`),
  ...[`${long}-blue`, `${long}-green`, 'W'.repeat(26)].map((name) => route(name, [`${long}-public`])),
  timeouts(`${long}-blue`, 'HTTPRoute', `${long}-blue`, { request: '30s' }),
  timeouts(`${long}-green`, 'HTTPRoute', `${long}-green`, { request: '30s' }),
];

/** Returns a shop with a Gateway and many routes; every third has a policy. */
export function wideShop(names: readonly string[]): readonly KubernetesObject[] {
  const isSpecial = (_: string, index: number): boolean => index % 3 === 0;
  return [
    gateway('public'),
    ...names.map((name) => route(name, ['public'])),
    object('v1', 'Service', 'backend', { ports: [{ port: 80 }] }),
    ...names.filter(isSpecial).map((name) => timeouts(name, 'HTTPRoute', name, { request: '30s' })),
  ];
}

/** A shop whose owner writes markup wherever text may stand. */
export const hostileShop: readonly KubernetesObject[] = [
  gateway('<img src=x onerror="document.title=1">'),
  route(
    '</script><script>document.title=2<',
    ['<img src=x onerror="document.title=1">'].slice(0, 1),
    '/"><svg onload=document.title=3>',
  ),
  timeouts('\u202e<b>', 'Gateway', '<img src=x onerror="document.title=1">', {
    request: '<i>30s</i>',
    idle: 'x'.repeat(3_000),
  }),
].map((it) => ({ ...it, metadata: { ...it.metadata, name: it.metadata.name.replaceAll('/', '') } }));

/** Returns the page of some resources. */
export function pageOf(resources: readonly KubernetesObject[], title = 'The shop'): string {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
  topology.apply({ upsert: resources });
  const views = [effectivePolicies(topology, TimeoutPolicy)];
  return reportPage({ topology, views, title, now: new Date('2026-06-17T14:00:00Z') });
}
