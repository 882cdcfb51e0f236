import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, connect } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type ApiServer, startApiServer } from '../api-server.ts';
import { accessTo, kubectl } from '../cluster.ts';
import { type FollowedSources, followSources } from './followed-sources.ts';
import { definitionOf, objectOf } from './kinds.ts';
import { type StatusWriter, startStatusWriter } from './status-writer.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 100 };

const namespace = 'restart';
const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const kind = { group: 'example.com', kind: 'Widget', versions: ['v1'] };

describe.runIf(inject('cluster').isOwn)('a real API server that dies and comes back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'restart-'));
  const [kubeconfig, authority] = [join(folder, 'kubeconfig'), join(folder, 'ca.crt')];
  let server: ApiServer;
  let connection: Connection;
  let followed: FollowedSources;
  let statuses: StatusWriter;
  const run = (args: readonly string[], input?: unknown) =>
    kubectl(accessTo(server.kubeconfig), args, input === undefined ? undefined : JSON.stringify(input));
  const apply = (...items: readonly object[]) =>
    run(['apply', '--server-side', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  const configuration = async () => JSON.parse(await run(['config', 'view', '--raw', '-o', 'json']));
  /** Writes the certificates of the API server to the file that the connection trusts. */
  const trust = async () => {
    const [{ cluster }] = (await configuration()).clusters;
    writeFileSync(authority, Buffer.from(cluster['certificate-authority-data'], 'base64'));
  };
  const ask = async () => {
    const response = await connection.request({ method: 'GET', path: '/version' });
    await response.text();
    return response.status;
  };
  const areWritten = (status: object) =>
    vi.waitFor(async () => {
      const { items } = JSON.parse(await run(['get', 'widgets', '-n', namespace, '-o', 'json']));
      expect(items.map((it: { readonly status?: object }) => it.status)).toEqual(names.map(() => status));
    }, patience);

  beforeAll(async () => {
    server = await startApiServer();
    await apply(definitionOf({ kind: 'Widget', hasStatus: true }));
    await run(['create', 'namespace', namespace]);
    await vi.waitFor(() => apply(...names.map((it) => objectOf('Widget', namespace, it))), patience);
    await trust();
    const { clusters, ...others } = await configuration();
    const cluster = { server: clusters[0].cluster.server, 'certificate-authority': authority };
    writeFileSync(kubeconfig, JSON.stringify({ ...others, clusters: [{ ...clusters[0], cluster }] }), { mode: 0o600 });
    connection = await connect({ kubeconfig });
    followed = await followSources({ kubeconfig }, [kind]);
    await vi.waitFor(() => expect(followed.names(kind)).toEqual(names), patience);
    statuses = startStatusWriter(connection, followed.sources, { kind, namespace });
  });
  afterAll(async () => {
    statuses?.writer.close();
    await followed?.close();
    connection?.close();
    await server?.close();
  });

  it('is asked by one write at a time until it is back, and gets all of them then', async () => {
    await server.kill();
    for (const name of names) statuses.want(name, { round: 1 });
    await vi.waitFor(() => expect(statuses.outcomes.length).toBeGreaterThanOrEqual(names.length + 2), patience);
    const together = statuses.outcomes.slice(0, names.length);
    expect(together[0]?.result).toBe('retried');
    expect(together[0]?.retryIn).toBeLessThanOrEqual(1000);
    // They have failed together, and count as one attempt, unless the machine is busy.
    for (const { retryIn } of together) expect(retryIn).toBeLessThan(5000);
    await server.start();
    await areWritten({ round: 1 });
    await statuses.writer.idle();
    // A server that is starting may answer with an error at first: then it is back.
    const attempts = statuses.outcomes.findIndex(({ result, code }) => result === 'written' || code !== undefined);
    expect(new Set(statuses.inFlight.slice(names.length, attempts))).toEqual(new Set([1]));
    expect(followed.removed).toEqual([]);
  });

  it('has a certificate of a new authority: no request fails from when the file has the authority', async () => {
    await server.kill();
    server.forgetCertificates();
    await server.start();
    await expect(ask()).rejects.toThrow('certificate');
    await apply(objectOf('Widget', namespace, 'a', { spec: { certificate: 'new' } }));
    await trust();
    expect(await ask()).toBe(200);
    for (const name of names) statuses.want(name, { round: 2 });
    await areWritten({ round: 2 });
    await vi.waitFor(
      () => expect(followed.sources.get(`widget.example.com:${namespace}/a`)?.spec).toEqual({ certificate: 'new' }),
      patience,
    );
    expect(followed.removed).toEqual([]);
  });
});
