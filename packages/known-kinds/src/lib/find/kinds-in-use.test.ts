import { groupKindKey, type KubernetesObject } from '@policy-machinery/resource';
import { createTopology, formatPath } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { backendKinds } from '../tables/backends.ts';
import { findPolicyKinds } from './find-policy-kinds.ts';

const object = (apiVersion: string, kind: string, name: string, spec: object = {}): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { namespace: 'shop', name },
  spec,
});

const gateway = object('gateway.networking.k8s.io/v1', 'Gateway', 'g', {
  listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
});

const routeTo = (...backendRefs: readonly object[]) =>
  object('gateway.networking.k8s.io/v1', 'HTTPRoute', 'r', {
    parentRefs: [{ name: 'g' }],
    rules: [{ name: 'all', backendRefs }],
  });

/** Returns the paths of requests to backends, and what is missing. */
function waysIn(...resources: readonly KubernetesObject[]) {
  const { targetKinds } = findPolicyKinds({ resources: [gateway, ...resources] });
  const topology = createTopology({ targetKinds });
  topology.apply({ upsert: [gateway, ...resources] });
  const ends = topology.get('httproute.gateway.networking.k8s.io:shop/r#all')?.linksTo ?? [];
  return {
    paths: ends.flatMap((end) => Array.from(topology.pathsTo(end), formatPath)),
    missing: topology.unresolved.map(({ missing }) => missing),
  };
}

describe('the backends of routes', () => {
  it.each(backendKinds.map(({ system, kind }) => [kind.kind, system, kind] as const))(
    'are found if they are a %s of %s',
    (_kind, _system, { group, kind, versions: [version] = [] }) => {
      const ways = waysIn(routeTo({ group, kind, name: 'b', port: 80 }), object(`${group}/${version}`, kind, 'b'));
      expect(ways).toEqual({
        paths: [`Gateway shop/g#http > HTTPRoute shop/r#all > ${kind} shop/b`],
        missing: [],
      });
    },
  );

  it('are found if they are of a kind that nothing declares', () => {
    const bucket = object('store.example.com/v1', 'Bucket', 'b');
    const reference = { group: 'store.example.com', kind: 'Bucket', name: 'b' };
    expect(waysIn(routeTo(reference), bucket).paths).toEqual([
      'Gateway shop/g#http > HTTPRoute shop/r#all > Bucket shop/b',
    ]);
    expect(waysIn(routeTo({ ...reference, name: 'c' }), bucket).missing).toEqual(['bucket.store.example.com:shop/c']);
  });

  it('are not found if the reference has the kind in another spelling', () => {
    const bucket = object('store.example.com/v1', 'Bucket', 'b');
    expect(waysIn(routeTo({ group: 'store.example.com', kind: 'bucket', name: 'b' }), bucket).paths).toEqual([]);
  });
});

describe('findPolicyKinds', () => {
  const keysFor = (...resources: readonly KubernetesObject[]) =>
    findPolicyKinds({ resources }).targetKinds.map(groupKindKey);

  it('has the target kinds of objects that routes refer to, and no others', () => {
    const bucket = object('store.example.com/v1', 'Bucket', 'b');
    expect(keysFor(bucket, routeTo({ name: 's' }))).not.toContain('bucket.store.example.com');
    expect(keysFor(routeTo({ group: 'store.example.com', kind: 'Bucket', name: 'b' }))).not.toContain(
      'bucket.store.example.com',
    );
  });

  it('has known kinds of backends that are defined, so that a cluster is asked for them', () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'backends.gateway.envoyproxy.io' },
      spec: {
        group: 'gateway.envoyproxy.io',
        scope: 'Namespaced',
        names: { kind: 'Backend', plural: 'backends' },
        versions: [{ name: 'v1alpha1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    expect(keysFor(definition)).toContain('backend.gateway.envoyproxy.io');
  });

  it('leaves Secrets alone, which only statuses depend on', () => {
    const listener = { name: 's', port: 443, protocol: 'HTTPS', tls: { certificateRefs: [{ name: 'c' }] } };
    const https = object('gateway.networking.k8s.io/v1', 'Gateway', 'h', { listeners: [listener] });
    expect(keysFor(https, object('v1', 'Secret', 'c'))).not.toContain('secret');
  });
});
