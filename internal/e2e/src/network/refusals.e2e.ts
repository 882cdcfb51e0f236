import { type Connection, connect, type ObjectWrite, type WriterOptions } from '@policy-machinery/cluster';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { refusalOf } from '../refusal.ts';
import { waitsLong } from '../waits-long.ts';
import type { ProxiedRequest } from './fault-proxy.ts';
import { type FollowedSources, followSources } from './followed-sources.ts';
import { type FrontedServer, startFrontedServer } from './fronted-server.ts';
import { definitionOf, objectOf } from './kinds.ts';
import { type StatusWriter, startStatusWriter } from './status-writer.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 100 };

const namespace = 'refusals';
const names = ['a', 'b', 'c', 'd'];
const kind = { group: 'example.com', kind: 'Widget', versions: ['v1'] };
const ready = { ready: true };

/** What is wrong with a request, as something on its way may make it, so that the API server refuses it with a status. */
const damages: readonly (readonly [status: number, damage: (request: ProxiedRequest) => ProxiedRequest])[] = [
  [400, (request) => ({ ...request, body: request.body.slice(1) })],
  [405, (request) => ({ ...request, method: 'POST' })],
  [413, (request) => ({ ...request, body: request.body + ' '.repeat(4 * 2 ** 20) })],
  [415, (request) => ({ ...request, headers: { ...request.headers, 'content-type': 'application/json' } })],
];

/** Forbids the statuses of some objects. */
const refusing = (...objects: readonly string[]) =>
  refusalOf({
    name: 'no-status',
    group: kind.group,
    resource: 'widgets/status',
    objects,
    message: 'No statuses today.',
    reason: 'Forbidden',
  });

describe.runIf(inject('cluster').isOwn)('a write that a real API server refuses', () => {
  let fronted: FrontedServer;
  let connection: Connection;
  let followed: FollowedSources;
  let statuses: StatusWriter;
  const statusOf = async (name: string) =>
    JSON.parse(await fronted.run('get', 'widgets', name, '-n', namespace, '-o', 'json')).status;
  const isWritten = (name: string, status: object) =>
    vi.waitFor(async () => expect(await statusOf(name)).toEqual(status), patience);
  const outcomesOf = (name: string) => statuses.outcomes.filter(({ write }) => write.ref.name === name);
  const ends = (name: string, count = 1) =>
    vi.waitFor(() => expect(outcomesOf(name).length).toBeGreaterThanOrEqual(count), patience);
  const start = (options: Partial<WriterOptions<ObjectWrite>> = {}) => {
    statuses = startStatusWriter(connection, followed.sources, { kind, namespace }, options);
  };

  beforeAll(async () => {
    fronted = await startFrontedServer();
    await fronted.apply(definitionOf({ kind: 'Widget', hasStatus: true }));
    await fronted.run('create', 'namespace', namespace);
    await vi.waitFor(() => fronted.apply(...names.map((it) => objectOf('Widget', namespace, it))), patience);
    connection = await connect({ server: fronted.proxy.url });
    followed = await followSources({ server: fronted.proxy.url }, [kind]);
    await vi.waitFor(() => expect(followed.names(kind)).toEqual(names), patience);
  });
  afterEach(() => statuses.writer.close());
  afterAll(async () => {
    await followed?.close();
    connection?.close();
    await fronted?.close();
  });

  it.each(damages)(
    'with %i is reported, and not sent again for a minute; another plan is sent at once',
    async (code, fault) => {
      start();
      fronted.proxy.fail({ method: 'PATCH', path: '/widgets/a/status', times: 1, fault });
      statuses.want('a', { code, attempt: 1 });
      await ends('a');
      expect(outcomesOf('a')).toMatchObject([{ result: 'refused', code, retryIn: 60_000 }]);
      statuses.want('a', { code, attempt: 1 });
      statuses.want('b', { code });
      await isWritten('b', { code });
      expect(outcomesOf('a')).toHaveLength(1);
      statuses.want('a', { code, attempt: 2 });
      await isWritten('a', { code, attempt: 2 });
      if (!waitsLong) return;
      fronted.proxy.fail({ method: 'PATCH', path: '/widgets/b/status', times: 1, fault });
      statuses.want('b', { code, attempt: 3 });
      await isWritten('b', { code, attempt: 3 });
    },
  );

  it('to a status that its kind does not have is reported, and another plan is written when the kind has one', async () => {
    start();
    await fronted.apply(definitionOf({ kind: 'Widget' }));
    const path = `/apis/example.com/v1/namespaces/${namespace}/widgets/a/status`;
    await vi.waitFor(() => expect(fronted.run('get', '--raw', path)).rejects.toThrow('NotFound'), patience);
    statuses.want('a', { shown: 1 });
    await ends('a');
    expect(outcomesOf('a')).toMatchObject([{ result: 'refused', code: 404, retryIn: 60_000 }]);
    await fronted.apply(definitionOf({ kind: 'Widget', hasStatus: true }));
    await vi.waitFor(() => {
      statuses.want('a', { shown: statuses.outcomes.length + 1 });
      expect(outcomesOf('a').at(-1)?.result).toBe('written');
    }, patience);
  });

  it('as an admission policy forbids some objects waits for each of these, while others are written', async () => {
    start();
    const refused = names.slice(0, 3);
    await fronted.apply(...refusing(...refused));
    await vi.waitFor(async () => {
      // The admission policy works a moment after it is created.
      const args = [
        'patch',
        'widgets',
        'c',
        '-n',
        namespace,
        '--subresource=status',
        '--type=merge',
        '--dry-run=server',
      ];
      await expect(fronted.run(...args, '-p', '{"status":{"dry":true}}')).rejects.toThrow('No statuses today.');
    }, patience);
    for (const name of names) statuses.want(name, ready);
    await isWritten('d', ready);
    for (const name of refused) await ends(name, 2);
    for (const name of refused) {
      const [first, second] = outcomesOf(name);
      expect(first).toMatchObject({ result: 'retried', code: 403, retryIn: 5000 });
      expect(second).toMatchObject({ result: 'retried', code: 403, retryIn: 10_000 });
    }
    statuses.want('d', { more: true });
    await isWritten('d', { more: true });
    await fronted.run('delete', 'validatingadmissionpolicybinding,validatingadmissionpolicy', 'no-status');
    for (const name of refused) await isWritten(name, ready);
  });

  it('because the namespace of an object to create is missing is made when the namespace comes', async () => {
    const metadata = { namespace: 'later', name: 'new' };
    const apply = { apiVersion: 'example.com/v1', kind: kind.kind, metadata, spec: { size: 1 } };
    const ref = { group: kind.group, kind: kind.kind, ...metadata };
    const locator = 'widget.example.com:later/new';
    start({ planAgain: (write) => statuses.writer.write(write) });
    statuses.writer.write({ ref, locator, subresource: undefined, patch: [], apply, action: 'apply' });
    await ends('new', 2);
    const [first, second] = outcomesOf('new');
    expect(first).toMatchObject({ result: 'gone', code: 404, retryIn: 1000 });
    expect(second).toMatchObject({ result: 'gone', code: 404, retryIn: 2000 });
    expect(first?.message).toContain('namespaces "later" not found');
    await fronted.run('create', 'namespace', 'later');
    await vi.waitFor(() => expect(followed.sources.get(locator)?.spec).toEqual({ size: 1 }), patience);
  });
});
