import { type Connection, connect } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type ApiServer, startApiServer } from '../api-server.ts';
import { accessTo, kubectl } from '../cluster.ts';
import { type FollowedSources, followSources } from './followed-sources.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 100 };

const namespace = 'large';
const names = Array.from({ length: 160 }, (_, index) => `secret-${1000 + index}`);
const kind = { group: '', kind: 'Secret', versions: ['v1'], namespaces: [namespace] };

describe.runIf(inject('cluster').isOwn)('Secrets that are too long for one answer of a real API server', () => {
  let server: ApiServer;
  let connection: Connection;
  let followed: FollowedSources;

  beforeAll(async () => {
    server = await startApiServer({ flags: ['--feature-gates=WatchList=false'] });
    await kubectl(accessTo(server.kubeconfig), ['create', 'namespace', namespace]);
    connection = await connect({ kubeconfig: server.kubeconfig });
    const content = Buffer.alloc(0.93 * 2 ** 20, 'x').toString('base64');
    for (const name of names) {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { content } });
      const response = await connection.request({
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/secrets`,
        headers: { 'content-type': 'application/json' },
        body,
      });
      await response.text();
      expect(response.status).toBe(201);
    }
  });
  afterAll(async () => {
    await followed?.close();
    connection?.close();
    await server?.close();
  });

  it('are all read, in shorter pages', async () => {
    followed = await followSources({ kubeconfig: server.kubeconfig }, [kind]);
    await vi.waitFor(() => expect(followed.names(kind)).toEqual(names), patience);
    expect(followed.stateOf(kind)?.phase).toBe('synced');
  });
});
