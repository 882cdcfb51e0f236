import { describe, expect, it } from 'vitest';
import { specOf } from '../index.ts';
import { objectFaults } from '../inner.ts';

const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'cart', namespace: 'prod' } };

describe('objectFaults', () => {
  it.each([
    service,
    { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata: { name: 'a' } },
    { ...service, metadata: { name: 'cart', namespace: '' } },
    { ...service, metadata: { name: 'system:node' } },
    {
      ...service,
      metadata: {
        name: 'cart',
        uid: '1',
        generation: 3,
        creationTimestamp: null,
        labels: { env: 'prod' },
        annotations: null,
        more: {},
      },
    },
  ])('finds none in %j', (value) => {
    expect(objectFaults(value)).toEqual([]);
  });

  it.each([
    [null, 'null'],
    ['text', '"text"'],
    [[service], 'a list'],
    [5, 'a number'],
    [new Map(), 'an object'],
  ])('reports that %j is not an object', (value, found) => {
    expect(objectFaults(value)).toEqual([
      { pointer: '', message: `not a Kubernetes object but ${found}; set apiVersion, kind and metadata` },
    ]);
  });

  it('names everything that is missing', () => {
    expect(objectFaults({}).map(({ message }) => message)).toEqual([
      'not a Kubernetes object: apiVersion is missing; set it to group/version, or to the version alone in the core group: "v1"',
      'not a Kubernetes object: kind is missing; set it to letters, digits and "-": "Service"',
      'not a Kubernetes object: metadata.name is missing; set it, without "/" and "#"',
    ]);
  });

  it.each([
    ['/apiVersion', { ...service, apiVersion: '' }],
    ['/apiVersion', { ...service, apiVersion: 1 }],
    ['/apiVersion', { ...service, apiVersion: 'a/b/v1' }],
    ['/apiVersion', { ...service, apiVersion: '/v1' }],
    ['/kind', { ...service, kind: null }],
    ['/kind', { ...service, kind: 'Service.apps' }],
    ['/kind', { ...service, kind: 'Service:a' }],
    ['/kind', { ...service, kind: '-' }],
    ['/metadata/name', { ...service, metadata: 'cart' }],
    ['/metadata/name', { ...service, metadata: { name: ['cart'] } }],
    ['/metadata/name', { ...service, metadata: { name: 'prod/cart' } }],
    ['/metadata/name', { ...service, metadata: { name: 'cart#http' } }],
    ['/metadata/name', { ...service, metadata: { name: 'n'.repeat(254) } }],
    ['/metadata/namespace', { ...service, metadata: { name: 'cart', namespace: 'n'.repeat(254) } }],
    ['/metadata/namespace', { ...service, metadata: { name: 'cart', namespace: null } }],
    ['/metadata/namespace', { ...service, metadata: { name: 'cart', namespace: 'a/b' } }],
    ['/metadata/uid', { ...service, metadata: { name: 'cart', uid: 1 } }],
    ['/metadata/creationTimestamp', { ...service, metadata: { name: 'cart', creationTimestamp: new Date(0) } }],
    ['/metadata/generation', { ...service, metadata: { name: 'cart', generation: '1' } }],
    ['/metadata/resourceVersion', { ...service, metadata: { name: 'cart', resourceVersion: 1 } }],
    ['/metadata/labels/canary', { ...service, metadata: { name: 'cart', labels: { canary: true } } }],
    ['/metadata/labels', { ...service, metadata: { name: 'cart', labels: 'canary' } }],
    ['/metadata/annotations', { ...service, metadata: { name: 'cart', annotations: [] } }],
  ])('finds %s malformed in %j (T-06)', (pointer, value) => {
    expect(objectFaults(value).map((fault) => fault.pointer)).toEqual([pointer]);
  });

  it.each([
    [{ name: 'cart', namespace: false }, 'metadata.namespace is a boolean; put it in quotes'],
    [{ name: 5 }, 'metadata.name is a number; put it in quotes'],
    [{ name: 'cart', labels: { a: 'b', canary: true } }, 'a value of metadata.labels is a boolean; put it in quotes'],
    [{ name: 'cart', annotations: { a: ['b'] } }, 'a value of metadata.annotations is a list; make it a string'],
  ])('names the remedy for %j, which YAML does not read as text', (metadata, message) => {
    expect(objectFaults({ ...service, metadata }).map((fault) => fault.message)).toEqual([
      `not a Kubernetes object: ${message}`,
    ]);
  });

  it('sees own fields only', () => {
    expect(objectFaults(Object.create({ ...service }))).not.toEqual([]);
  });
});

describe('specOf', () => {
  it('returns the spec', () => {
    expect(specOf({ ...service, spec: { type: 'ClusterIP' } })).toEqual({ type: 'ClusterIP' });
  });

  it.each([undefined, null, 'text', []])('gives an empty object where the spec is %j', (spec) => {
    expect(specOf({ ...service, spec })).toEqual({});
  });
});
