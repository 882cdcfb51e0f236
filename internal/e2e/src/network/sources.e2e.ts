import type { WatchedKind } from '@policy-machinery/cluster';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { waitsLong } from '../waits-long.ts';
import type { NetworkFault, ProxiedRequest } from './fault-proxy.ts';
import { type FollowedSources, followSources } from './followed-sources.ts';
import { type FrontedServer, startFrontedServer } from './fronted-server.ts';
import { definitionOf, objectOf } from './kinds.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 50 };

const namespace = 'sources';
const ConfigMap = { group: '', kind: 'ConfigMap', versions: ['v1'], namespaces: [namespace] };
const Widget = { group: 'example.com', kind: 'Widget', versions: ['v1'] };
/** A kind that is stored in one version and read in another, so that the API server converts it. */
const Gadget = { group: 'example.com', kind: 'Gadget', versions: ['v2'] };
const gadgets = (conversion?: object) => definitionOf({ kind: 'Gadget', versions: ['v1', 'v2'], conversion });
/** Nothing listens on this port. */
const clientConfig = { url: 'https://127.0.0.1:1' };
const broken = gadgets({ strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } });
/** Kinds that are not installed at first. */
const missing = ['Cog', 'Lever', 'Spring'].map((kind) => ({ ...Widget, kind }));

const answer = (status: number, headers = {}): NetworkFault => {
  const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status });
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
};

const faults: readonly (readonly [what: string, fault: NetworkFault])[] = [
  ['500', answer(500)],
  ['503', answer(503)],
  ['429', answer(429, { 'retry-after': '2' })],
  ['401', answer(401)],
  ['a cut connection', 'cut'],
  ...(waitsLong ? [['no answer', 'silence'] as const] : []),
];

describe.runIf(inject('cluster').isOwn)('a kind that is read from a real API server through a network', () => {
  let fronted: FrontedServer;
  let followed: FollowedSources;
  const requests = (part: string) => fronted.proxy.requests.filter((it) => it.startsWith('GET') && it.includes(part));
  /** How often the API server was asked for all kinds. */
  const questions = () => requests('/apis').filter((it) => it === 'GET /apis').length;
  const create = (kind: string, name: string) => fronted.apply(objectOf(kind, namespace, name));
  const drop = (kind: string, name: string) => fronted.run('delete', kind, name, '-n', namespace);
  const createConfigMap = (name: string) => fronted.run('create', 'configmap', name, '-n', namespace);
  const arrives = (kind: WatchedKind, name: string) =>
    vi.waitFor(() => expect(followed.names(kind)).toContain(name), patience);
  const phaseOf = (kind: WatchedKind) => followed.stateOf(kind)?.phase;
  const becomes = (kind: WatchedKind, phase: string) => vi.waitFor(() => expect(phaseOf(kind)).toBe(phase), patience);
  const breakConversion = async () => {
    await fronted.apply(broken);
    await vi.waitFor(() => expect(fronted.run('get', 'gadgets.v2.example.com', '-A')).rejects.toThrow(), patience);
  };
  const follow = async (kinds: readonly WatchedKind[], options?: Parameters<typeof followSources>[2]) => {
    followed = await followSources({ server: fronted.proxy.url }, kinds, options);
  };
  /** Follows kinds, until all their objects are known. */
  const followAll = async (kinds: readonly WatchedKind[], options?: Parameters<typeof followSources>[2]) => {
    await follow(kinds, options);
    await vi.waitFor(() => expect(followed.sources.isSettled).toBe(true), patience);
    followed.forget();
  };

  beforeAll(async () => {
    fronted = await startFrontedServer();
    await fronted.apply(definitionOf({ kind: 'Widget' }), gadgets());
    await fronted.run('create', 'namespace', namespace);
    for (const kind of ['Widget', 'Gadget']) await vi.waitFor(() => create(kind, 'kept'), patience);
  });
  afterEach(() => followed.close());
  afterAll(() => fronted?.close());

  it.each(faults)('is stale and keeps its objects while the answer is %s; the others go on', async (what, fault) => {
    const [lost, other] = ['lost', 'other'].map((name) => `${name}-${what.replaceAll(' ', '-')}`);
    if (lost === undefined || other === undefined) throw new Error('there are two names');
    await create('Widget', lost);
    await followAll([Widget, ConfigMap]);
    const mend = fronted.proxy.fail({ method: 'GET', path: '/widgets?', times: Number.POSITIVE_INFINITY, fault });
    fronted.proxy.cut();
    await drop('widget', lost);
    await createConfigMap(other);
    await becomes(Widget, 'stale');
    await vi.waitFor(() => expect(followed.stateOf(Widget)?.failures).toBeGreaterThan(1), patience);
    await arrives(ConfigMap, other);
    expect(followed.names(Widget)).toEqual(['kept', lost]);
    expect(followed.sources.isSettled).toBe(true);
    expect(followed.removed).toEqual([]);
    mend();
    await becomes(Widget, 'synced');
    await vi.waitFor(() => expect(followed.names(Widget)).toEqual(['kept']), patience);
    expect(followed.stateOf(Widget)?.failures).toBe(0);
    expect(followed.removed).toEqual([`widget.example.com:${namespace}/${lost}`]);
  });

  it('is stale and keeps its objects while the API server cannot convert them; the others go on', async () => {
    await followAll([Gadget, ConfigMap]);
    await breakConversion();
    fronted.proxy.cut();
    await becomes(Gadget, 'stale');
    await createConfigMap('unconverted');
    await arrives(ConfigMap, 'unconverted');
    expect(followed.stateOf(Gadget)?.message).toMatch(/conversion webhook .*Gadget/);
    expect(followed.names(Gadget)).toEqual(['kept']);
    expect(followed.removed).toEqual([]);
    await fronted.apply(gadgets());
    await becomes(Gadget, 'synced');
    expect(followed.changed).toEqual(['unconverted']);
  });

  it('stays listing while the API server cannot convert its objects, and nothing is settled until they are read', async () => {
    await breakConversion();
    await follow([Gadget, ConfigMap]);
    await becomes(ConfigMap, 'synced');
    await vi.waitFor(() => expect(followed.stateOf(Gadget)?.failures).toBeGreaterThan(1), patience);
    expect(followed.stateOf(Gadget)).toMatchObject({
      phase: 'listing',
      message: expect.stringMatching(/conversion webhook .*Gadget/),
    });
    expect(followed.sources.isSettled).toBe(false);
    await fronted.apply(gadgets());
    await becomes(Gadget, 'synced');
    expect(followed.sources.isSettled).toBe(true);
    expect(followed.names(Gadget)).toEqual(['kept']);
  });

  it.each([
    ['for a moment', 1, []],
    ['for longer than two seconds', 3, ['outage']],
  ] as const)(
    'is down %s while an object is deleted and created again: it is another one afterwards',
    async (_, failures, relists) => {
      await create('Widget', 'again');
      await followAll([Widget]);
      const locator = `widget.example.com:${namespace}/again`;
      const known = followed.sources.get(locator)?.metadata;
      fronted.proxy.silence();
      const mend = fronted.proxy.fail({
        method: 'GET',
        path: '/widgets?',
        times: Number.POSITIVE_INFINITY,
        fault: 'cut',
      });
      await drop('widget', 'again');
      await create('Widget', 'again');
      fronted.proxy.cut();
      await vi.waitFor(() => expect(followed.failures.length).toBeGreaterThanOrEqual(failures), patience);
      expect(followed.sources.get(locator)?.metadata).toEqual(known);
      mend();
      await vi.waitFor(() => expect(followed.changed).toEqual(['again']), patience);
      const found = followed.sources.get(locator)?.metadata;
      expect(found?.uid).not.toBe(known?.uid);
      expect(followed.relists).toEqual(expect.arrayContaining([...relists]));
      // A list brings both in one step, and a watch one after the other.
      expect(followed.relists.length > 0 ? [[]] : [[], [locator]]).toContainEqual(followed.removed);
      await drop('widget', 'again');
    },
  );

  it('is absent after two denials if the API server does not serve it, which is as good as synced', async () => {
    const before = questions();
    await followAll([ConfigMap, ...missing]);
    for (const kind of missing) expect(phaseOf(kind)).toBe('absent');
    expect(questions() - before).toBeGreaterThanOrEqual(2);
  });

  it.runIf(waitsLong)(
    'is looked for again by one request for all absent kinds, and read when it is installed',
    async () => {
      await followAll([ConfigMap, ...missing], { random: Math.random });
      const before = questions();
      await fronted.apply(definitionOf({ kind: 'Cog' }));
      await vi.waitFor(() => create('Cog', 'late'), patience);
      await arrives({ ...Widget, kind: 'Cog' }, 'late');
      expect(questions() - before).toBeLessThan(missing.length);
    },
  );

  it.runIf(waitsLong)('goes on as soon each time that a proxy closes its connection, which was quiet', async () => {
    fronted.proxy.closeQuiet(11_000);
    await followAll([Widget]);
    for (let cut = 1; cut <= 3; cut += 1) {
      await vi.waitFor(() => expect(followed.failures.length).toBeGreaterThanOrEqual(cut), patience);
      await create('Widget', `late-${cut}`);
      await arrives(Widget, `late-${cut}`);
    }
    fronted.proxy.closeQuiet(0);
    for (const { retryIn } of followed.failures) expect(retryIn).toBeLessThanOrEqual(800);
    expect(phaseOf(Widget)).toBe('synced');
  });

  describe('with watches that the API server ends after two seconds', () => {
    let mend: () => void;
    beforeAll(() => {
      const fault = (request: ProxiedRequest) => {
        return { ...request, url: request.url.replace(/timeoutSeconds=\d+/, 'timeoutSeconds=2') };
      };
      mend = fronted.proxy.fail({ method: 'GET', path: '/widgets?', times: Number.POSITIVE_INFINITY, fault });
    });
    afterAll(() => mend());

    it('is watched on from the last version, without a list, if its list is new enough', async () => {
      await followAll([Widget]);
      const before = requests('/widgets?').length;
      await vi.waitFor(() => expect(requests('/widgets?').length - before).toBeGreaterThan(2), patience);
      await create('Widget', 'watched');
      await arrives(Widget, 'watched');
      expect(
        requests('/widgets?')
          .slice(before)
          .some((it) => !it.includes('sendInitialEvents')),
      ).toBe(true);
      expect(followed.relists).not.toContain('periodic');
      expect(followed.changed).toEqual(['watched']);
    });

    it('is read again, with the difference alone, so that nothing that was missed stays missed', async () => {
      await create('Widget', 'dropped');
      await followAll([Widget], { relistAfter: 0 });
      fronted.proxy.alter({ with: '"type":"DELETED"', times: 1, to: () => '' });
      fronted.proxy.alter({ with: '"name":"missed"', times: 1, to: () => '' });
      await drop('widget', 'dropped');
      await create('Widget', 'missed');
      await arrives(Widget, 'missed');
      await vi.waitFor(() => expect(followed.names(Widget)).not.toContain('dropped'), patience);
      expect([followed.changed, followed.removed]).toEqual([['missed'], [`widget.example.com:${namespace}/dropped`]]);
      expect(followed.relists).toContain('periodic');
    });
  });
});
