import { createFakeApiServer, createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { listObjects } from './list-objects.ts';

const things = { group: 'example.com', version: 'v1', kind: 'Thing', resource: 'things' };

const thing = (namespace: string, index: number) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { namespace, name: `thing-${index}`, managedFields: [{ manager: 'kubectl' }] },
});

function serverWith(count: number) {
  const objects = Array.from({ length: count }, (_, index) => thing(index % 2 === 0 ? 'even' : 'odd', index));
  return createFakeApiServer({ clock: createFakeClock(), kinds: [{ group: 'example.com', kind: 'Thing' }], objects });
}

describe('listObjects', () => {
  it('reads all pages', async () => {
    const server = serverWith(1201);
    const objects = await listObjects(server.transport, things);
    expect(new Set(objects.map(({ metadata }) => metadata.name)).size).toBe(1201);
    expect(server.requests.filter(({ verb }) => verb === 'list')).toHaveLength(3);
  });

  it('adds the kind, which lists leave out, and leaves out managed fields', async () => {
    const [first] = await listObjects(serverWith(1).transport, things);
    expect(first).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Thing' });
    expect(first?.metadata).not.toHaveProperty('managedFields', expect.anything());
  });

  it('reads one namespace', async () => {
    const objects = await listObjects(serverWith(10).transport, things, { namespace: 'odd' });
    expect(objects.map(({ metadata }) => metadata.namespace)).toEqual(Array(5).fill('odd'));
  });

  it('reads the metadata of objects with a label', async () => {
    const server = serverWith(2);
    const labelled = { ...thing('even', 7), spec: { size: 1 } };
    server.create({ ...labelled, metadata: { ...labelled.metadata, labels: { tier: 'gold' } } });
    const objects = await listObjects(server.transport, things, { labelSelector: 'tier=gold', metadataOnly: true });
    expect(objects).toEqual([{ apiVersion: 'example.com/v1', kind: 'Thing', metadata: expect.anything() }]);
  });

  it('rejects with the error of the API server', async () => {
    const server = serverWith(1);
    server.forbid('list things');
    await expect(listObjects(server.transport, things)).rejects.toMatchObject({ name: 'StatusError', code: 403 });
  });
});
