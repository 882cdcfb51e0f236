import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createFakeApiServer } from './fake-api-server.ts';
import { allRoutes, httpRoute, locatorOfRoute, readEvents, route, routes, setUp } from './server.fixture.ts';

const watchList = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' };
const kind = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' };

describe('a server without a clock', () => {
  it('uses the time of the machine', () => {
    const [namespace] = createFakeApiServer().list({ group: '', kind: 'Namespace' });
    const age = Date.now() - Date.parse(String(namespace?.metadata.creationTimestamp));
    expect(Math.abs(age)).toBeLessThan(60_000);
  });
});

describe('a watch', () => {
  it('hears of everything that happens to objects', async () => {
    const { server, clock, watch } = setUp({ objects: [route('a')] });
    const events = await watch({ resourceVersion: server.resourceVersion });
    server.create(route('b'));
    server.update(locatorOfRoute('a'), (object) => ({ ...object, spec: { hostnames: ['a.example'] } }));
    server.delete(locatorOfRoute('a'), locatorOfRoute('b'));
    await clock.advance(0);
    expect(events).toEqual(['ADDED b', 'MODIFIED a', 'DELETED a', 'DELETED b']);
  });

  it('begins with the objects and a bookmark, and gets bookmarks each minute and before its end', async () => {
    const { clock, watch } = setUp({ objects: [route('a')] });
    const events = await watch({ ...watchList, timeoutSeconds: '90' });
    await clock.advance(0);
    expect(events).toEqual(['ADDED a', 'BOOKMARK end of initial events']);
    await clock.advance(60_000);
    expect(events.slice(2)).toEqual(['BOOKMARK']);
    await clock.advance(28_000);
    expect(events.slice(2)).toEqual(['BOOKMARK', 'BOOKMARK']);
    await clock.advance(2000);
    expect(events.slice(2)).toEqual(['BOOKMARK', 'BOOKMARK', 'end']);
    expect(clock.timers).toBe(0);
  });

  it('is refused initial events by a server without them', async () => {
    const { request } = setUp({ watchLists: false });
    expect((await request('GET', allRoutes, { query: { watch: '1', ...watchList } })).status).toBe(422);
  });

  it('hears of objects that come into its selection and leave it', async () => {
    const { server, clock, watch } = setUp({ objects: [route('a')] });
    const events = await watch({ labelSelector: 'tier=gold' });
    const label = (tier: string) =>
      server.update(locatorOfRoute('a'), (object) => ({
        ...object,
        metadata: { ...object.metadata, labels: { tier } },
      }));
    label('gold');
    label('iron');
    await clock.advance(0);
    expect(events).toEqual(['ADDED a', 'DELETED a']);
  });

  it('gets 410 for a version before a compaction, and continues from later ones', async () => {
    const { server, clock, watch } = setUp({ objects: [route('a')] });
    const before = server.resourceVersion;
    server.create(route('b'));
    server.compact();
    const [old, present] = [
      await watch({ resourceVersion: before }),
      await watch({ resourceVersion: server.resourceVersion }),
    ];
    server.create(route('c'));
    await clock.advance(0);
    expect([old, present]).toEqual([['ERROR 410', 'end'], ['ADDED c']]);
  });

  it('ends when its client aborts, and frees its resources', async () => {
    const { request, clock } = setUp();
    const controller = new AbortController();
    const { signal } = controller;
    const events = readEvents(await request('GET', allRoutes, { query: { watch: '1' }, signal }));
    controller.abort();
    await clock.advance(0);
    expect([events, clock.timers]).toEqual([['AbortError'], 0]);
  });
});

describe('a page of a list', () => {
  const namesOf = (list: unknown) =>
    (list as { items: { metadata: { name: string } }[] }).items.map((item) => item.metadata.name);
  const first = async ({ request }: ReturnType<typeof setUp>) => {
    const list = await (await request('GET', allRoutes, { query: { limit: '1' } })).json();
    return list as { metadata: { continue: string } };
  };

  it('shows the objects at the time of the first page', async () => {
    const setup = setUp({ objects: [route('a'), route('b')] });
    const { metadata } = await first(setup);
    setup.server.delete(locatorOfRoute('b'));
    setup.server.create(route('c'));
    const second = await setup.request('GET', allRoutes, { query: { continue: metadata.continue } });
    expect(namesOf(await second.json())).toEqual(['b']);
  });

  it('has all objects if any version will do, as a list from the cache of an API server has', async () => {
    const { request } = setUp({ objects: [route('a'), route('b')] });
    const list = await request('GET', allRoutes, { query: { limit: '1', resourceVersion: '0' } });
    expect(namesOf(await list.json())).toEqual(['a', 'b']);
  });

  it('is 410 after a compaction, with a token to continue with the present objects', async () => {
    const setup = setUp({ objects: [route('a'), route('b')] });
    const { metadata } = await first(setup);
    setup.server.delete(locatorOfRoute('b'));
    setup.server.create(route('c'));
    setup.server.compact();
    const gone = await setup.request('GET', allRoutes, { query: { continue: metadata.continue } });
    const status = (await gone.json()) as { metadata: { continue: string } };
    expect(gone.status).toBe(410);
    const rest = await setup.request('GET', allRoutes, { query: { continue: status.metadata.continue } });
    expect(namesOf(await rest.json())).toEqual(['c']);
  });
});

describe('a kind', () => {
  it('is added and removed with its definition, and its objects and watches end with it', async () => {
    const { server, request, clock, watch } = setUp({ objects: [route('a')] });
    const events = await watch();
    server.uninstall(kind);
    await clock.advance(0);
    expect(events).toEqual(['ADDED a', 'DELETED a', 'end']);
    expect((await request('GET', allRoutes)).status).toBe(404);
    server.install({ ...httpRoute, versions: ['v1beta1'] });
    expect((await request('GET', allRoutes.replace('v1', 'v1beta1'))).status).toBe(200);
    expect((await request('GET', allRoutes)).status).toBe(404);
    expect(server.list(kind)).toEqual([]);
  });

  it('must be served for its objects to exist', () => {
    const { server } = setUp();
    expect(() => server.create({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'a' } })).toThrow(
      'The fake API server does not serve Gadget.example.com; add it to kinds. It serves ConfigMap, ',
    );
    expect(() => server.uninstall({ group: '', kind: 'Service' })).toThrow('Service lacks a CustomResourceDefinition');
  });
});

describe('an object', () => {
  it('is named by its locator, by the created object, or by the stored one', () => {
    const { server } = setUp();
    const [stored] = server.create(route('a'));
    expect(stored && server.get(stored)).toEqual(stored);
    expect(server.get(locatorOfRoute('a'))).toEqual(stored);
    server.update(route('a'), (object) => ({ ...object, spec: { hostnames: ['shop.example.com'] } }));
    expect(server.get(route('a'))?.spec).toEqual({ hostnames: ['shop.example.com'] });
    server.delete(route('a'));
    expect(server.get(route('a'))).toBeUndefined();
  });

  it('without a namespace is in the namespace default, as when it is created', () => {
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };
    const { server } = setUp({ objects: [settings] });
    expect(server.get(settings)?.metadata.namespace).toBe('default');
  });
});

describe('a namespace', () => {
  it('deletes its contents too', () => {
    const { server } = setUp({ objects: [route('a')] });
    server.delete('namespace:shop');
    expect(server.list(kind)).toEqual([]);
  });
});

describe('access', () => {
  it('is refused with 403 until it is given back', async () => {
    const { server, request } = setUp();
    server.forbid('list httproutes');
    const refused = await request('GET', routes);
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      {
        message: expect.stringContaining(
          'User "admin" cannot list resource "httproutes" in API group "gateway.networking.k8s.io"',
        ),
      },
    ]);
    expect(() => server.allow('watch httproutes')).toThrow(
      '"watch httproutes" is not forbidden, but "list httproutes" is',
    );
    server.allow('list httproutes');
    expect((await request('GET', routes)).status).toBe(200);
  });

  it('is for the bearers of tokens, which can change', async () => {
    const { server, request } = setUp({ tokens: { old: 'controller' } });
    const list = async (token: string) =>
      (await request('GET', routes, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await list('old'), await list('new')]).toEqual([200, 401]);
    server.setTokens({ new: 'controller' });
    expect([await list('old'), await list('new'), (await request('GET', routes)).status]).toEqual([401, 200, 403]);
    expect(server.requests.at(-2)).toMatchObject({
      user: 'controller',
      verb: 'list',
      resource: 'httproutes',
      status: 200,
    });
  });
});

describe('a server that stops', () => {
  it('breaks connections, refuses others, and has forgotten the past when it starts again', async () => {
    const { server, request, clock, watch } = setUp({ objects: [route('a')] });
    const before = String(Number(server.resourceVersion) - 1);
    const events = await watch();
    server.stop();
    await clock.advance(0);
    expect(events).toEqual(['ADDED a', 'ECONNRESET']);
    await expect(request('GET', routes)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    server.start();
    expect((await request('GET', `${routes}/a`)).status).toBe(200);
    const old = await watch({ resourceVersion: before });
    await clock.advance(0);
    expect(old).toEqual(['ERROR 410', 'end']);
  });

  it('breaks the connections of some watches only, if only these are named', async () => {
    const { server, clock, watch } = setUp();
    const events = await watch();
    server.disconnect('watch gateways');
    server.disconnect('watch httproutes');
    await clock.advance(0);
    expect(events).toEqual(['ECONNRESET']);
  });
});

describe('over HTTP', () => {
  it('the server answers, streams and breaks connections', async () => {
    const { server } = setUp({ objects: [route('a')] });
    const { url, close } = await server.listen();
    const list = await fetch(`${url}${routes}`);
    expect(await list.json()).toMatchObject({ kind: 'HTTPRouteList', items: [{ metadata: { name: 'a' } }] });
    const watch = await fetch(`${url}${allRoutes}?watch=1`);
    const reader = watch.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^\{"type":"ADDED".*\}\n$/);
    server.disconnect();
    await expect(reader?.read()).rejects.toThrow();
    server.addFaults({ at: 'list', do: 'drop' });
    await expect(fetch(`${url}${routes}`)).rejects.toThrow();
    await close();
    const refused = new Promise((resolve) => connect(Number(new URL(url).port), '127.0.0.1').once('error', resolve));
    expect(await refused).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
