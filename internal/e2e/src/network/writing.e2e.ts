import { type Connection, connect, type ObjectWrite, type WriterOptions } from '@policy-machinery/cluster';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import type { ProxiedRequest } from './fault-proxy.ts';
import { type FollowedSources, followSources } from './followed-sources.ts';
import { type FrontedServer, startFrontedServer } from './fronted-server.ts';
import { definitionOf, objectOf } from './kinds.ts';
import { createGate, type StatusWriter, startStatusWriter } from './status-writer.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 50 };

const namespace = 'writing';
const Widget = { group: 'example.com', kind: 'Widget', versions: ['v1'] };
const ready = { ready: true };

describe.runIf(inject('cluster').isOwn)('a write to a real API server, while another process writes', () => {
  let fronted: FrontedServer;
  let connection: Connection;
  let followed: FollowedSources;
  let statuses: StatusWriter;
  const statusPath = (name: string) => `/widgets/${name}/status`;
  const patches = () => fronted.proxy.requests.filter((it) => it.startsWith('PATCH'));
  const results = () => statuses.outcomes.map(({ result }) => result);
  const objectNamed = (name: string) => followed.sources.get(`widget.example.com:${namespace}/${name}`);
  const statusOf = async (name: string) =>
    JSON.parse(await fronted.run('get', 'widgets', name, '-n', namespace, '-o', 'json')).status;
  const isWritten = (name: string, status: object = ready) =>
    vi.waitFor(async () => expect(await statusOf(name)).toEqual(status), patience);
  /** Changes an object, as another process does. Returns its new version. */
  const edit = (name: string, content: string) => {
    const patch = ['-p', JSON.stringify({ spec: { content } }), '-o', 'jsonpath={.metadata.resourceVersion}'];
    return fronted.run('patch', 'widgets', name, '-n', namespace, '--type=merge', ...patch);
  };
  const start = (options: Partial<WriterOptions<ObjectWrite>> = {}) => {
    statuses = startStatusWriter(connection, followed.sources, { kind: Widget, namespace }, options);
  };
  /** Stops the next write to an object on its way, until the function that is returned is called. */
  const hold = (name: string) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const fault = async (request: ProxiedRequest) => {
      await released;
      return request;
    };
    fronted.proxy.fail({ method: 'PATCH', path: statusPath(name), times: 1, fault });
    return release;
  };
  const isOnItsWay = (name: string) =>
    vi.waitFor(() => expect(fronted.proxy.open.join()).toContain(statusPath(name)), patience);

  beforeAll(async () => {
    fronted = await startFrontedServer();
    await fronted.apply(definitionOf({ kind: 'Widget', hasStatus: true }));
    await fronted.run('create', 'namespace', namespace);
    connection = await connect({ server: fronted.proxy.url });
  });
  beforeEach(async () => {
    await vi.waitFor(() => fronted.apply(...['a', 'b', 'c'].map((it) => objectOf('Widget', namespace, it))), patience);
    followed = await followSources({ server: fronted.proxy.url }, [Widget]);
    await vi.waitFor(() => expect(followed.names(Widget)).toEqual(['a', 'b', 'c']), patience);
  });
  afterEach(async () => {
    statuses.writer.close();
    await followed.close();
    await fronted.run('delete', 'widgets', '--all', '-n', namespace);
  });
  afterAll(async () => {
    connection?.close();
    await fronted?.close();
  });

  it('is planned again from the new version of the object when it has changed in the meantime, each time a little later', async () => {
    start();
    fronted.proxy.silence(); // So that no change is known.
    let rivals = 0;
    const fault = async (request: ProxiedRequest) => {
      rivals += 1;
      await edit('a', `${rivals}`);
      return request;
    };
    fronted.proxy.fail({ method: 'PATCH', path: statusPath('a'), times: 3, fault });
    statuses.want('a', ready);
    await isWritten('a');
    await statuses.writer.idle();
    expect(results()).toEqual(['conflict', 'conflict', 'conflict', 'written']);
    expect(statuses.outcomes.map(({ code, retryIn }) => [code, retryIn])).toEqual([
      [409, 10],
      [409, 20],
      [409, 40],
      [undefined, undefined],
    ]);
    expect(statuses.replanned).toEqual(['a', 'a', 'a']);
    expect(objectNamed('a')?.spec).toEqual({ content: '3' });
  });

  it('is not sent when a newer version of its object is known by then', async () => {
    start({ parallel: 1 });
    const before = patches().length;
    const release = hold('a');
    statuses.want('a', ready);
    statuses.want('b', ready);
    await isOnItsWay('a');
    const version = await edit('b', 'new');
    await vi.waitFor(() => expect(objectNamed('b')?.metadata.resourceVersion).toBe(version), patience);
    release();
    await isWritten('b');
    await statuses.writer.idle();
    expect(results()).toEqual(['written', 'outdated', 'written']);
    expect(patches().length - before).toBe(2);
  });

  it('is replaced by a newer plan while it waits, and followed by another one while it is on its way', async () => {
    start({ parallel: 1 });
    const before = patches().length;
    const release = hold('a');
    statuses.want('a', { attempt: 1 });
    statuses.want('b', { attempt: 1 });
    await isOnItsWay('a');
    statuses.want('a', { attempt: 2 });
    statuses.want('b', { attempt: 2 });
    release();
    await isWritten('a', { attempt: 2 });
    await isWritten('b', { attempt: 2 });
    await statuses.writer.idle();
    expect(statuses.replanned).toEqual(['a']);
    expect(results()).toEqual(['written', 'written', 'written']);
    expect(patches().length - before).toBe(3);
  });

  it('is aborted when the gate closes; nothing is sent until it opens, and all is planned again then', async () => {
    const gate = createGate();
    start({ gate });
    const release = hold('a');
    statuses.want('a', ready);
    await isOnItsWay('a');
    gate.set(false);
    const before = patches().length;
    statuses.want('b', ready);
    await vi.waitFor(() => expect(fronted.proxy.open.filter((it) => it.startsWith('PATCH'))).toEqual([]), patience);
    await vi.waitFor(() => expect(statuses.writer.sending).toBe(0), patience);
    expect(patches()).toHaveLength(before);
    release();
    gate.set(true);
    for (const name of ['a', 'b']) await isWritten(name);
    expect([...statuses.replanned].sort()).toEqual(['a', 'b']);
    expect(results()).toEqual(['written', 'written']);
  });

  it('ends when its object is gone, and is planned later and later as long as the sources have the object', async () => {
    start();
    fronted.proxy.silence();
    await fronted.run('delete', 'widgets', 'a', '-n', namespace);
    statuses.want('a', ready);
    await vi.waitFor(() => expect(statuses.outcomes.length).toBeGreaterThanOrEqual(2), patience);
    expect(statuses.outcomes.slice(0, 2).map(({ result, code, retryIn }) => [result, code, retryIn])).toEqual([
      ['gone', 404, 1000],
      ['gone', 404, 2000],
    ]);
    fronted.proxy.cut();
    await vi.waitFor(() => expect(objectNamed('a')).toBeUndefined(), patience);
    await vi.waitFor(() => expect(statuses.replanned.length).toBeGreaterThanOrEqual(2), patience);
    await statuses.writer.idle();
    expect(statuses.writer.queued).toBe(0);
  });
});
