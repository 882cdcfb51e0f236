import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { atomic, patch } from '@policy-machinery/merge';
import {
  defaultsAndOverrides,
  definePolicyKind,
  type PolicyKind,
  type PolicyKindDefinition,
} from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, defineTargetKind, type Topology } from '@policy-machinery/topology';
import jsonpatch, { type Operation } from 'fast-json-patch';
import { z } from 'zod';
import type { StatusWrite } from './status/status-write.ts';

const routing = 'gateway.networking.k8s.io/v1';

/** Options of resources that matter to statuses. */
export interface Meta {
  readonly namespace?: string;
  readonly generation?: number;
  readonly status?: unknown;
}

function resource(
  apiVersion: string,
  kind: string,
  name: string,
  spec: object,
  { namespace = 'shop', generation = 1, status }: Meta = {},
): KubernetesObject {
  const metadata = { name, namespace, generation, resourceVersion: '1' };
  return { apiVersion, kind, metadata, spec, ...(status === undefined ? {} : { status }) };
}

export const gateway = (name: string, listeners: readonly string[] = ['https'], meta?: Meta) =>
  resource(
    routing,
    'Gateway',
    name,
    {
      listeners: listeners.map((it, index) => ({
        name: it,
        port: 443 + index,
        protocol: 'HTTP',
        allowedRoutes: { namespaces: { from: 'All' } },
      })),
    },
    meta,
  );

/** Returns a route with one rule, `pay`, below the parents: `edge` or `edge#https`. */
export const route = (name: string, parents: readonly string[], meta?: Meta) =>
  resource(routing, 'HTTPRoute', name, { parentRefs: parents.map(parentRef), rules: [{ name: 'pay' }] }, meta);

export function parentRef(parent: string): { readonly name: string; readonly sectionName?: string } {
  const [name = '', sectionName] = parent.split('#');
  return { name, ...(sectionName === undefined ? {} : { sectionName }) };
}

/** A kind without a place for conditions. */
export const Tunnel = defineTargetKind({ group: 'net.example.com', kind: 'Tunnel' });
export const tunnel = (name: string, meta?: Meta) => resource('net.example.com/v1', 'Tunnel', name, {}, meta);

/** Returns a target reference: `Gateway edge`, `Gateway edge#https`, `Gateway infra/edge`. */
export function ref(target: string) {
  const [kind = '', where = ''] = target.split(' ');
  const [place = '', sectionName] = where.split('#');
  const [name = '', namespace] = place.split('/').reverse();
  const groups: Readonly<Record<string, string>> = { Tunnel: 'net.example.com', Service: '', Namespace: '' };
  return {
    group: groups[kind] ?? 'gateway.networking.k8s.io',
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(sectionName === undefined ? {} : { sectionName }),
  };
}

let age = 0;

/** Returns a TimeoutPolicy, each younger than the one before it. */
export function timeouts(
  name: string,
  targets: readonly string[],
  spec: object,
  meta: Meta & { readonly kind?: string; readonly seconds?: number } = {},
): KubernetesObject {
  const { kind = 'TimeoutPolicy', seconds = age++ } = meta;
  const policy = resource('example.com/v1', kind, name, { targetRefs: targets.map(ref), ...spec }, meta);
  const creationTimestamp = new Date(Date.UTC(2024, 0, 1) + seconds * 1000).toISOString().replace('.000', '');
  return { ...policy, metadata: { ...policy.metadata, creationTimestamp } };
}

const timeoutSpec = z.object({ request: z.number(), idle: z.number() }).partial();

/** Returns a kind of policy on Gateways, listeners, routes and rules, with an effect on rules. */
export function timeoutKind(kind: string, differing: Partial<PolicyKindDefinition<typeof timeoutSpec>> = {}) {
  return definePolicyKind({
    group: 'example.com',
    version: 'v1',
    kind,
    targets: [Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule],
    effectiveTargets: [HTTPRoute.sections.rule],
    spec: timeoutSpec,
    stanzas: defaultsAndOverrides({ strategies: { patch, atomic }, defaultStrategy: 'patch' }),
    ...differing,
  });
}

export const TimeoutPolicy = timeoutKind('TimeoutPolicy');

/** Returns a topology of Gateway API resources, tunnels and policies of one kind, and their effective policies. */
export function cluster<Spec>(
  kind: PolicyKind<Spec>,
  ...resources: readonly KubernetesObject[]
): { readonly topology: Topology; readonly effective: EffectivePolicies<Spec> } {
  const topology = createTopology({ targetKinds: [...gatewayApi(), Tunnel], policyKinds: [kind] });
  topology.apply({ upsert: resources });
  return { topology, effective: effectivePolicies(topology, kind) };
}

/** Returns a resource, target or policy in its present state. */
export function resourceIn(topology: Topology, locator: string): KubernetesObject {
  const policy = topology.policies().find((it) => it.locator === locator);
  const found = policy?.resource ?? topology.get(locator)?.resource;
  if (found === undefined) throw new Error(`no ${locator}`);
  return found;
}

/** Carries out the JSON Patches of writes as an API server would. */
export function carryOut(topology: Topology, writes: readonly StatusWrite[]): void {
  const upsert = writes.map(({ locator, patch: operations }) => {
    const before = JSON.parse(JSON.stringify(resourceIn(topology, locator))) as KubernetesObject; // No shared parts.
    const { newDocument } = jsonpatch.applyPatch(before, operations as Operation[], true);
    const { resourceVersion } = newDocument.metadata as { readonly resourceVersion?: string };
    return { ...newDocument, metadata: { ...newDocument.metadata, resourceVersion: `${Number(resourceVersion) + 1}` } };
  });
  topology.apply({ upsert });
}
