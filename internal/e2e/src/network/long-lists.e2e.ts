import { type Connection, connect, listObjects } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type ApiServer, startApiServer } from '../api-server.ts';
import { followSources } from './followed-sources.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 50 };

const Secret = { group: '', kind: 'Secret', versions: ['v1'] };
const path = '/api/v1/namespaces/default/secrets';

/** Together, they are longer than an answer that is read, which may have 128 MiB. */
const names = Array.from({ length: 160 }, (_, index) => `secret-${index}`).sort();
const data = { content: Buffer.alloc(730_000).toString('base64') };

describe.runIf(inject('cluster').isOwn)('160 Secrets of 0.93 MiB on a real API server', () => {
  let server: ApiServer;
  let connection: Connection;

  beforeAll(async () => {
    server = await startApiServer({ flags: ['--feature-gates=WatchList=false'] });
    connection = await connect({ kubeconfig: server.kubeconfig });
    const headers = { 'content-type': 'application/json' };
    for (const name of names) {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data });
      const response = await connection.request({ method: 'POST', path, headers, body });
      expect([response.status, await response.text()]).toEqual([201, expect.anything()]);
    }
  });
  afterAll(async () => {
    connection?.close();
    await server?.close();
  });

  it('are read without watch-lists, in pages that are short enough', async () => {
    const followed = await followSources({ kubeconfig: server.kubeconfig }, [Secret]);
    await vi.waitFor(() => expect(followed.sources.isSettled).toBe(true), patience);
    expect(followed.names(Secret)).toEqual(names);
    expect(followed.failures).toEqual([]);
    await followed.close();
  });

  it('are listed once', async () => {
    const secrets = await listObjects(connection, { group: '', version: 'v1', kind: 'Secret', resource: 'secrets' });
    expect(secrets.map(({ metadata }) => metadata.name).sort()).toEqual(names);
  });
});
