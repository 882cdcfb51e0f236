import { customResourceDefinition } from '@policy-machinery/crd';
import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import { definePolicyKind, gep713 } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { z } from 'zod';

/** The kind of policies of the tests. */
export const TimeoutPolicy = definePolicyKind({
  ...gep713(),
  group: 'timeouts.example.com',
  version: 'v1',
  kind: 'TimeoutPolicy',
  targets: [Gateway, HTTPRoute],
  effectiveTargets: [HTTPRoute],
  spec: z.strictObject({ request: z.string(), idle: z.string() }).partial(),
});

/** Its CustomResourceDefinition. */
export const { definition } = customResourceDefinition(TimeoutPolicy);

/** The namespace of all objects. */
export const namespace = 'shop';

const meta = (name: string) => ({ name, namespace });

/** Returns a Gateway with so many listeners. */
export const gateway = (name: string, listeners = 1): KubernetesObject => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: meta(name),
  spec: {
    gatewayClassName: 'any',
    listeners: Array.from({ length: listeners }, (_, index) => ({
      name: index === 0 ? 'http' : `http-${index}`,
      port: 80 + index,
      protocol: 'HTTP',
    })),
  },
});

/** Returns a route of some Gateways. */
export const route = (name: string, ...parents: readonly object[]): KubernetesObject => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: meta(name),
  spec: { parentRefs: parents, rules: [{ matches: [{ path: { type: 'PathPrefix', value: '/' } }] }] },
});

/** Returns a policy. */
export const timeouts = (name: string, kind: string, target: string, spec: object): KubernetesObject => ({
  apiVersion: 'timeouts.example.com/v1',
  kind: 'TimeoutPolicy',
  metadata: meta(name),
  spec: { targetRefs: [{ group: 'gateway.networking.k8s.io', kind, name: target }], ...spec },
});
