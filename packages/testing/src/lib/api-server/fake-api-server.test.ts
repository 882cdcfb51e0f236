import { describe, expect, it } from 'vitest';
import { createFakeApiServer, createFakeClock, type TransportResponse } from '../../index.ts';

const routes = '/apis/gateway.networking.k8s.io/v1/namespaces/shop/httproutes';
const all = '/apis/gateway.networking.k8s.io/v1/httproutes';

function setUp() {
  const clock = createFakeClock();
  const httpRoute = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', versions: ['v1', 'v1beta1'] };
  const server = createFakeApiServer({ clock, kinds: [httpRoute], namespaces: ['default', 'shop'] });
  const request = (
    method: string,
    path: string,
    query = {},
    body?: unknown,
    headers = {},
  ): Promise<TransportResponse> =>
    server.transport.request({
      method,
      path,
      query,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return { clock, server, request };
}

const route = (name: string, spec = {}) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name, namespace: 'shop' },
  spec,
});

/** Reads the events of a watch that have come so far. */
function eventsOf(response: TransportResponse) {
  const events: { type: string; name?: string; version: string }[] = [];
  const done = (async () => {
    for await (const line of response.lines()) {
      const { type, object } = JSON.parse(line);
      events.push({ type, name: object.metadata?.name, version: object.metadata?.resourceVersion });
    }
  })();
  return { events, done };
}

describe('createFakeApiServer', () => {
  it('serves what was created, and says so to watches', async () => {
    const { request, clock, server } = setUp();
    const watch = eventsOf(await request('GET', all, { watch: '1' }));
    const created = await request('POST', routes, {}, route('cart'));
    expect(created.status).toBe(201);
    const list = (await (await request('GET', all)).json()) as { items: unknown[] };
    expect(list.items).toMatchObject([{ metadata: { name: 'cart', generation: 1 } }]);
    server.delete('httproute.gateway.networking.k8s.io:shop/cart');
    await clock.advance(1800_000);
    await watch.done;
    expect(watch.events.map(({ type, name }) => [type, name])).toEqual([
      ['ADDED', 'cart'],
      ['DELETED', 'cart'],
    ]);
  });

  it('ends the initial events of a watch with a bookmark', async () => {
    const { request, clock, server } = setUp();
    server.create(route('cart'));
    const query = {
      watch: '1',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    };
    const watch = eventsOf(await request('GET', all, query));
    await clock.advance(60_000);
    expect(watch.events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK', 'BOOKMARK']);
  });

  it('breaks connections', async () => {
    const { request, clock, server } = setUp();
    server.addFaults({ at: 'watch httproutes', after: 1, do: 'drop' });
    const watch = eventsOf(await request('GET', all, { watch: '1' }));
    watch.done.catch(() => {});
    server.create(route('a'), route('b'));
    await clock.advance(0);
    await expect(watch.done).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(watch.events).toHaveLength(1);
  });

  it('serves the same over HTTP', async () => {
    const { server } = setUp();
    server.create(route('a'));
    const { url, close } = await server.listen();
    const answer = await fetch(`${url}${all}`);
    expect(await answer.json()).toMatchObject({ kind: 'HTTPRouteList', items: [{ metadata: { name: 'a' } }] });
    await close();
  });
});
