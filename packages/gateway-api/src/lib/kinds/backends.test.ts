import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, formatPath } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { gatewayApi } from '../gateway-api.ts';
import { InferencePool } from './inference-pool.ts';
import { Pod, podTemplates } from './pod.ts';
import { ServiceImport } from './service-import.ts';

function pathsTo(locator: string, backendRef: object, resource: KubernetesObject): readonly string[] {
  const topology = createTopology({ targetKinds: [...gatewayApi(), ServiceImport, InferencePool] });
  const apiVersion = 'gateway.networking.k8s.io/v1';
  const metadata = { name: 'edge', namespace: 'shop' };
  topology.apply({
    upsert: [
      { apiVersion, kind: 'Gateway', metadata, spec: { listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] } },
      {
        apiVersion,
        kind: 'HTTPRoute',
        metadata,
        spec: { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs: [backendRef] }] },
      },
      resource,
    ],
  });
  return [...topology.pathsTo(locator)].map((path) => formatPath(path));
}

const before = 'Gateway shop/edge#http > HTTPRoute shop/edge#rule-1';

describe('ServiceImport', () => {
  const imported = {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ServiceImport',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: { type: 'ClusterSetIP', ports: [{ name: 'http', port: 80 }, { port: 9090 }] },
  };

  it.each([
    [80, 'http'],
    [9090, '9090'],
  ])('is a backend of rules by its port %i', (port, section) => {
    const { apiVersion: _, kind, metadata } = imported;
    const backendRef = { group: 'multicluster.x-k8s.io', kind, name: metadata.name, port };
    expect(pathsTo(`serviceimport.multicluster.x-k8s.io:shop/cart#${section}`, backendRef, imported)).toEqual([
      `${before} > ServiceImport shop/cart#${section}`,
    ]);
  });
});

describe('InferencePool', () => {
  it('is a backend of rules as a whole, for any port', () => {
    const pool = {
      apiVersion: 'inference.networking.k8s.io/v1',
      kind: 'InferencePool',
      metadata: { name: 'llama', namespace: 'shop' },
      spec: { selector: { matchLabels: { app: 'vllm' } }, targetPorts: [{ number: 8000 }] },
    };
    const backendRef = { group: 'inference.networking.k8s.io', kind: 'InferencePool', name: 'llama', port: 8000 };
    expect(pathsTo('inferencepool.inference.networking.k8s.io:shop/llama', backendRef, pool)).toEqual([
      `${before} > InferencePool shop/llama`,
    ]);
  });
});

describe('podTemplates', () => {
  const template = { metadata: { labels: { app: 'cart', odd: 1 } }, spec: { hostNetwork: true } };
  const holder = (apiVersion: string, kind: string, spec: object): KubernetesObject => ({
    apiVersion,
    kind,
    metadata: { name: 'cart', namespace: 'shop', labels: { app: 'other' } },
    spec,
  });

  it.each<[string, KubernetesObject]>([
    ['a Deployment', holder('apps/v1', 'Deployment', { template })],
    ['a StatefulSet', holder('apps/v1', 'StatefulSet', { template })],
    ['a DaemonSet', holder('apps/v1', 'DaemonSet', { template })],
    ['a Job', holder('batch/v1', 'Job', { template })],
    ['a CronJob', holder('batch/v1', 'CronJob', { jobTemplate: { spec: { template } } })],
  ])('have a Pod for %s, with the labels of its template, named as its Pods begin', (_, resource) => {
    const topology = createTopology({ targetKinds: podTemplates });
    topology.apply({ upsert: [resource] });
    const pod = topology.get('pod:shop/cart-*')?.resource;
    expect(pod).toMatchObject({ metadata: { labels: { app: 'cart' } }, spec: { hostNetwork: true } });
    expect(pod?.metadata.labels).toEqual({ app: 'cart' });
  });

  it.each<[string, KubernetesObject]>([
    ['another group', holder('example.com/v1', 'Deployment', { template })],
    ['another kind', holder('apps/v1', 'ReplicaSet', { template })],
    ['no template', holder('batch/v1', 'CronJob', { jobTemplate: 'none' })],
  ])('have none for a resource with %s', (_, resource) => {
    const topology = createTopology({ targetKinds: podTemplates });
    topology.apply({ upsert: [resource] });
    expect([topology.get('pod:shop/cart-*'), topology.issues]).toEqual([undefined, []]);
  });

  it('have the group and kind of Pod, so that policies target both', () => {
    expect(podTemplates.map(({ group, kind }) => [group, kind])).toContainEqual([Pod.group, Pod.kind]);
  });
});
