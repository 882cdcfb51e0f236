import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { type FollowedSources, followSources } from './followed-sources.ts';
import { type FrontedServer, startFrontedServer } from './fronted-server.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 50 };

const namespace = 'reading';
const kind = { group: '', kind: 'ConfigMap', versions: ['v1'], namespaces: [namespace] };
const path = `/api/v1/namespaces/${namespace}/configmaps`;

describe.runIf(inject('cluster').isOwn)('the responses of an API server without watch-lists through a network', () => {
  let fronted: FrontedServer;
  let followed: FollowedSources;
  /** How many requests there were before the test. */
  let asked = 0;
  const run = (...args: readonly string[]) => fronted.run(...args);
  const create = (name: string, value = 'first') =>
    run('create', 'configmap', name, '-n', namespace, `--from-literal=key=${value}`);
  const drop = (name: string) => run('delete', 'configmap', name, '-n', namespace);
  const names = () => followed.names(kind);
  const phase = () => followed.stateOf(kind)?.phase;
  const failures = () => followed.failures.map(({ message }) => message);
  const arrives = (name: string) => vi.waitFor(() => expect(names()).toContain(name), patience);
  const requests = (isWatch: boolean) =>
    fronted.proxy.requests.slice(asked).filter((it) => it.includes(path) && it.includes('watch=true') === isWatch);
  /** Returns the first line of a watch. */
  const watchFrom = (version: string) =>
    run('get', '--raw', `${path}?watch=true&resourceVersion=${version}&timeoutSeconds=1`);
  /** Makes the API server forget its past, and returns what it says to those that ask for it. */
  const forget = (version: string) =>
    vi.waitFor(async () => {
      fronted.server.compact();
      const answer = await watchFrom(version);
      expect(JSON.parse(answer)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
      return answer;
    }, patience);

  beforeAll(async () => {
    // Without its cache, it forgets at once.
    fronted = await startFrontedServer({ flags: ['--feature-gates=WatchList=false', '--watch-cache=false'] });
    await run('create', 'namespace', namespace);
    await create('kept');
  });
  beforeEach(async () => {
    asked = fronted.proxy.requests.length;
    followed = await followSources({ server: fronted.proxy.url }, [kind]);
    await arrives('kept');
    followed.forget();
  });
  afterEach(() => followed.close());
  afterAll(() => fronted?.close());

  it('is read as a list when it refuses a watch-list, which does not count as a failure', async () => {
    await create('listed');
    await arrives('listed');
    expect(requests(true).map((it) => it.includes('sendInitialEvents=true'))).toEqual([true, false]);
    expect(requests(false)).toHaveLength(1);
    expect(phase()).toBe('synced');
    expect(failures()).toEqual([]);
  });

  it('is an event with damage: the watch is opened again from the last good version', async () => {
    fronted.proxy.alter({ with: '"name":"damaged"', times: 1, to: (text) => text.replace('{"type"', '{"ty\0e') });
    await create('damaged');
    await arrives('damaged');
    expect(failures().join()).toContain('a line is not an event');
    expect(followed.relists).toEqual([]);
  });

  it('is damaged twice in the same place: all objects are read', async () => {
    fronted.proxy.alter({
      with: '"name":"twice"',
      times: 2,
      to: (text) => text.slice(0, text.length / 2).concat('\n'),
    });
    await create('twice');
    await arrives('twice');
    expect(followed.relists).toEqual(['failed']);
  });

  it('is an event that arrives twice: it counts once', async () => {
    fronted.proxy.alter({ with: '"name":"doubled"', times: 1, to: (text) => text + text });
    await create('doubled');
    await create('after-doubled');
    await arrives('after-doubled');
    expect(followed.changed.filter((it) => it === 'doubled')).toHaveLength(1);
    expect(failures()).toEqual([]);
  });

  it('is an object that is malformed: it is left out and reported, and its last good version stays', async () => {
    fronted.proxy.alter({ with: '"second"', times: 1, to: (text) => text.replace('"name":"kept"', '"name":"ke/pt"') });
    await run('patch', 'configmap', 'kept', '-n', namespace, '-p', '{"data":{"key":"second"}}');
    await create('after-malformed');
    await arrives('after-malformed');
    expect(followed.malformed).toMatchObject([{ metadata: { name: 'ke/pt' } }]);
    expect(followed.sources.get(`configmap:${namespace}/kept`)).toMatchObject({ data: { key: 'first' } });
  });

  it('is a line of more than 8 MiB: it is read no further, the failure has its beginning, and a list is read', async () => {
    const to = (text: string) => text.replace('"first"', `"${'x'.repeat(9 * 2 ** 20)}"`);
    fronted.proxy.alter({ with: '"name":"long"', times: 2, to });
    await create('long');
    await arrives('long');
    expect(failures()).toHaveLength(2);
    for (const it of failures()) expect(it).toMatch(/longer than 8 MiB: .*"name":"long"/);
    expect(followed.relists).toEqual(['failed']);
    expect(names()).toContain('kept');
    expect(phase()).toBe('synced');
  });

  it('is 410 for the known version: all objects are read, and the difference is one change', async () => {
    const { metadata } = JSON.parse(await run('get', 'configmap', 'long', '-n', namespace, '-o', 'json'));
    fronted.proxy.silence();
    await drop('damaged');
    await create('unheard');
    await forget(metadata.resourceVersion);
    expect(names()).toContain('damaged');
    fronted.proxy.cut();
    await arrives('unheard');
    expect(names()).not.toContain('damaged');
    // If the list has expired too, the newest one is read.
    expect(new Set(followed.relists)).toEqual(new Set(['expired']));
    expect(followed.changed).toEqual(['unheard']);
    expect(followed.removed).toEqual([`configmap:${namespace}/damaged`]);
  });

  it('is a list that lags behind the known version: it is not taken, and the newest one is requested', async () => {
    const body = await run('get', '--raw', path);
    await create('known');
    await arrives('known');
    fronted.proxy.silence();
    await create('newest');
    await forget(JSON.parse(body).metadata.resourceVersion);
    const headers = { 'content-type': 'application/json' };
    fronted.proxy.fail({ method: 'GET', path: 'limit=', times: 1, fault: { status: 200, headers, body } });
    fronted.proxy.cut();
    await arrives('newest');
    expect(failures().join()).toMatch(/the list is of \d+, but \d+ is known/);
    expect(requests(false).at(-1)).not.toContain('resourceVersion=');
    expect(names()).toContain('known');
    expect(followed.removed).toEqual([]);
  });

  it('is 410 for each watch: lists are read less and less often, until a watch brings something', async () => {
    const body = await forget('1');
    const before = requests(false).length;
    const begun = Date.now();
    const headers = { 'content-type': 'application/json' };
    fronted.proxy.fail({ method: 'GET', path: 'watch=true', times: 3, fault: { status: 200, headers, body } });
    fronted.proxy.cut();
    await create('at-last');
    await vi.waitFor(() => expect(failures().filter((it) => it.includes('410'))).toHaveLength(3), patience);
    await create('watched-again');
    await arrives('watched-again');
    // One at once, the others after about 1.6 s and 3.2 s; each may ask for the newest list as well.
    expect(requests(false).length - before).toBeLessThanOrEqual(6);
    expect(Date.now() - begun).toBeGreaterThan(3000);
    expect(names()).toContain('at-last');
    expect(phase()).toBe('synced');
  });
});
