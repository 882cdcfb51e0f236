import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { atomic, none, patch } from '@policy-machinery/merge';
import { bareSpec, defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology } from '@policy-machinery/topology';
import { z } from 'zod';
import type { AdmissionRequest, AdmissionReviewRequest } from '../answer/admission-envelope.ts';

const timeouts = {
  group: 'example.com',
  version: 'v1',
  kind: 'TimeoutPolicy',
  targets: [Gateway, HTTPRoute],
  effectiveTargets: [HTTPRoute],
  spec: z.strictObject({ request: z.string(), idle: z.string() }).partial(),
};

export const TimeoutPolicy = definePolicyKind({
  ...timeouts,
  stanzas: defaultsAndOverrides({ strategies: { patch, atomic } }),
});

/** A kind whose policies are in conflict with those on the same target. */
export const LonelyPolicy = definePolicyKind({ ...timeouts, stanzas: bareSpec({ strategies: { none } }) });

/** The same under another name, for topologies with both kinds. */
export const ConflictPolicy = definePolicyKind({
  ...timeouts,
  kind: 'ConflictPolicy',
  stanzas: bareSpec({ strategies: { none } }),
});

export const fixtures = createFixtures({ namespace: 'shop' });
export const { gateway, httpRoute, policy } = fixtures;

/** Returns a Gateway with routes and their policies. */
export function world(kind = TimeoutPolicy, ...policies: readonly KubernetesObject[]) {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [kind] });
  const edge = gateway('edge');
  const routes = ['cart', 'menu'].map((name) => httpRoute(name, { parents: ['edge'], rules: [{ matches: ['/'] }] }));
  topology.apply({ upsert: [edge, ...routes, ...policies] });
  return { topology, views: effectivePolicies(topology, kind), edge, routes };
}

/** Returns the request of the API server about an object that is created. */
export function reviewOf(object: KubernetesObject, parts: Partial<AdmissionRequest> = {}): AdmissionReviewRequest {
  const [group = '', version = ''] = object.apiVersion.split('/');
  const { name, namespace = '' } = object.metadata;
  const kind = { group, version, kind: object.kind };
  const request = {
    uid: 'u-1',
    operation: 'CREATE',
    kind,
    name,
    namespace,
    object,
    oldObject: null,
    ...parts,
  } as const;
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}
