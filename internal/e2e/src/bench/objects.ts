import type { KubernetesObject } from '@policy-machinery/resource';

/** The namespace of all objects of the benchmark. */
export const namespace = 'bench';

const metadata = (name: string) => ({ name, namespace });
const gatewayApi = 'gateway.networking.k8s.io';
const policies = 'policies.shop.example.com/v1';

/** Returns a Gateway with so many listeners: `listener-0`, `listener-1`, … */
export const gateway = (listeners: number): KubernetesObject => ({
  apiVersion: `${gatewayApi}/v1`,
  kind: 'Gateway',
  metadata: metadata('edge'),
  spec: {
    gatewayClassName: 'any',
    listeners: Array.from({ length: listeners }, (_, index) => ({
      name: `listener-${index}`,
      port: 8000 + index,
      protocol: 'HTTP',
    })),
  },
});

/** Returns a route of a listener. */
export const route = (name: string, listener = 0): KubernetesObject => ({
  apiVersion: `${gatewayApi}/v1`,
  kind: 'HTTPRoute',
  metadata: metadata(name),
  spec: {
    parentRefs: [{ name: 'edge', sectionName: `listener-${listener}` }],
    rules: [{ name: 'pages', matches: [{ path: { type: 'PathPrefix', value: `/${name}` } }] }],
  },
});

/** Returns a policy about timeouts. */
export const timeouts = (name: string, target: object, request = '10s'): KubernetesObject => ({
  apiVersion: policies,
  kind: 'TimeoutPolicy',
  metadata: metadata(name),
  spec: { targetRefs: [{ group: gatewayApi, ...target }], defaults: { request } },
});

/** Returns a policy about rates. */
export const rates = (name: string, target: object): KubernetesObject => ({
  apiVersion: policies,
  kind: 'RateLimitPolicy',
  metadata: metadata(name),
  spec: { targetRefs: [{ group: gatewayApi, ...target }], limits: { all: { requests: 10, per: 'second' } } },
});

/** Returns an object of about 930 bytes, as an API server sends it. */
export const configMap = (name: string): KubernetesObject & { readonly data: Readonly<Record<string, string>> } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: metadata(name),
  data: { text: 'x'.repeat(500) },
});
