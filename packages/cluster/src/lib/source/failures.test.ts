import { createFakeApiServer, type FakeApiServer } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { type Clock, type Transport, TransportError, type TransportRequest } from '../../index.ts';
import { boundedTransport, createWorld, Gateway, gateway, HTTPRoute, route, routeLocator } from './world.fixture.ts';

/** A synced world with two routes and a Gateway, whose first changes were taken. */
async function synced(options: Parameters<typeof createWorld>[0] = {}) {
  const world = createWorld({ objects: [route('cart'), route('account'), gateway('public')], ...options });
  await world.settle();
  expect(world.sources.isSettled).toBe(true);
  world.takeChanges();
  world.relists.length = 0;
  return world;
}

const watchVersions = (world: Awaited<ReturnType<typeof synced>>) =>
  world.requests('watch', 'httproutes').map(({ query }) => query.resourceVersion);

describe('when a watch closes cleanly', () => {
  it('goes on from the last version at once, without a list and without changes', async () => {
    const world = await synced({ relistAfter: Number.POSITIVE_INFINITY });
    const version = world.server.resourceVersion;
    await world.settle(450_000);
    expect(world.relists).toEqual([]);
    expect(world.failures).toEqual([]);
    expect(watchVersions(world)).toEqual(['', version]);
    expect(world.takeChanges()).toEqual({ upsert: [], remove: [] });
    world.server.create(route('late'));
    await world.settle();
    expect(world.takeChanges().upsert).toEqual(['late']);
  });

  it('reads all objects every 5 to 10 minutes, and finds changes that a watch has missed', async () => {
    const world = await synced();
    world.server.addFaults({ at: 'watch httproutes', times: 2, do: 'forget' });
    world.server.create(route('missed'));
    world.server.delete(routeLocator('cart'));
    await world.settle(290_000);
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart']);
    await world.settle(310_000);
    expect(world.names(HTTPRoute)).toEqual(['account', 'missed']);
    expect(world.relists).toEqual(['periodic', 'periodic']);
    expect(world.takeChanges()).toEqual({ upsert: ['missed'], remove: [routeLocator('cart')] });
    await world.settle(3_600_000);
    expect(world.takeChanges()).toEqual({ upsert: [], remove: [] });
    expect(world.takeEach()).toEqual([]);
  });

  it('counts a watch that ends at once as broken, and does not ask again in a hot loop', async () => {
    const world = await synced();
    world.server.uninstall(HTTPRoute);
    world.server.install(HTTPRoute);
    const before = world.server.requests.length;
    await world.settle(60_000);
    expect(world.server.requests.length - before).toBeLessThan(15);
    expect(world.phaseOf(HTTPRoute)).toBe('synced');
  });
});

describe('when a connection drops', () => {
  it('goes on after one step of backoff, and stays synced', async () => {
    const world = await synced();
    world.server.disconnect('watch httproutes');
    world.server.delete(routeLocator('cart'));
    await world.settle();
    expect(world.phaseOf(HTTPRoute)).toBe('synced');
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart']);
    await world.settle(800);
    expect(world.takeChanges()).toEqual({ upsert: [], remove: [routeLocator('cart')] });
    expect(world.relists).toEqual([]);
  });

  it('goes on as soon, and without a list, each time that a proxy closes connections which are quiet', async () => {
    const world = await synced({ relistAfter: Number.POSITIVE_INFINITY });
    for (let cut = 0; cut < 10; cut += 1) {
      await world.settle(35_000);
      world.server.disconnect('watch httproutes');
      world.server.create(route(`late-${cut}`));
      await world.settle(800);
      expect(world.takeChanges().upsert).toEqual([`late-${cut}`]);
    }
    expect(world.relists).toEqual([]);
  });

  it('calls the kind stale when each new watch drops before it brings anything', async () => {
    const world = await synced();
    for (let attempt = 0; attempt < 4; attempt += 1) {
      world.server.disconnect('watch httproutes');
      await world.settle(15_000);
    }
    expect(world.phaseOf(HTTPRoute)).toBe('stale');
    expect(world.phaseOf(Gateway)).toBe('synced');
    world.server.create(route('late'));
    await world.settle(30_000);
    expect(world.phaseOf(HTTPRoute)).toBe('synced');
  });
});

describe('when a connection is half open', () => {
  it('notices after 150 s without a bookmark, and goes on', async () => {
    const world = await synced();
    world.server.addFaults({ at: 'watch httproutes', do: 'halfOpen' });
    world.server.create(route('late'));
    await world.settle(149_000);
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart']);
    await world.settle(2000);
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart', 'late']);
    expect(world.relists).toEqual(['outage']);
  });

  it('notices as soon when the watch is a new one that has brought nothing yet', async () => {
    const world = await synced();
    world.server.disconnect('watch httproutes');
    await world.settle(500);
    world.server.addFaults({ at: 'watch httproutes', do: 'halfOpen' });
    world.server.create(route('late'));
    await world.settle(152_000);
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart', 'late']);
  });

  it('falls back to a list when it stays silent before all objects have come', async () => {
    const world = createWorld({
      objects: [route('cart')],
      watch: [HTTPRoute],
      faults: [{ at: 'watch httproutes', do: 'halfOpen' }],
    });
    await world.settle(29_000);
    expect(world.phaseOf(HTTPRoute)).toBe('listing');
    await world.settle(2000);
    expect(world.phaseOf(HTTPRoute)).toBe('synced');
    expect(world.requests('list', 'httproutes')).toHaveLength(1);
  });
});

describe('when the version has expired', () => {
  it.each([
    ['by an ERROR event', 'gone'],
    ['by the answer', { status: 410, reason: 'Expired' }],
  ] as const)('%s: reads all objects, and hands over the difference alone', async (_, fault) => {
    const world = await synced();
    world.server.disconnect('watch httproutes');
    world.server.delete(routeLocator('cart'));
    world.server.update(routeLocator('account'), (each) => ({ ...each, spec: { rules: [] } }));
    world.server.create(route('late'));
    world.server.addFaults({ at: 'watch httproutes', do: fault });
    await world.settle(1000);
    expect(world.relists).toEqual(['expired']);
    const changes = world.takeEach().filter(({ upsert, remove }) => upsert.length + remove.length > 0);
    expect(changes).toHaveLength(1);
    expect(changes[0]?.upsert.map(({ metadata }) => metadata.name).sort()).toEqual(['account', 'late']);
    expect(changes[0]?.remove).toEqual([routeLocator('cart')]);
    expect(world.phaseOf(HTTPRoute)).toBe('synced');
  });

  it('asks for the newest list when the list has expired as well', async () => {
    const world = await synced({ watchLists: false });
    world.server.disconnect('watch httproutes');
    world.server.addFaults({ at: 'watch httproutes', do: 'gone' }, { at: 'list httproutes', do: 'gone' });
    world.server.create(route('late'));
    await world.settle(30_000);
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart', 'late']);
    const versions = world.requests('list', 'httproutes').map(({ query }) => query.resourceVersion);
    expect(versions).toEqual(['0', expect.stringMatching(/^\d+$/), undefined]);
  });

  it('reads the whole list when a page of it has expired, and does not take the pages for the whole', async () => {
    const objects = Array.from({ length: 1200 }, (_, index) => route(`route-${index}`));
    const world = createWorld({ objects, watch: [HTTPRoute], watchLists: false });
    world.server.addFaults({ at: 'list httproutes', after: 1, do: 'gone' });
    await world.settle();
    expect(world.sources.count(HTTPRoute)).toBe(1200);
    expect(world.failures).toEqual([]);
  });
});

describe('changes while the connection is down', () => {
  it('an object that is deleted and created again counts as changed, not as the same', async () => {
    const world = await synced();
    const { uid } = world.sources.get(routeLocator('cart'))?.metadata ?? {};
    world.server.stop();
    world.server.delete(routeLocator('cart'));
    await world.settle(1000);
    world.server.create(route('cart'));
    world.server.start();
    await world.settle(60_000);
    expect(world.takeChanges()).toEqual({ upsert: ['cart'], remove: [] });
    expect(world.sources.get(routeLocator('cart'))?.metadata.uid).not.toBe(uid);
  });
});

describe('when requests for one kind fail', () => {
  it.each([
    ['500', { status: 500 }],
    ['503', { status: 503 }],
    ['429', { status: 429, retryAfter: 2 }],
    ['a refused connection', 'refuse'],
    ['401', { status: 401 }],
  ] as const)('%s: the kind is stale and keeps its objects; the others go on', async (_, fault) => {
    const world = await synced();
    world.server.addFaults(
      { at: 'watch httproutes', times: 20, do: fault },
      { at: 'list httproutes', times: 20, do: fault },
    );
    world.server.disconnect('watch httproutes');
    world.server.delete(routeLocator('cart'));
    world.server.create(gateway('other'));
    await world.settle(10_000);
    expect(world.phaseOf(HTTPRoute)).toBe('stale');
    expect(world.stateOf(HTTPRoute)?.failures).toBeGreaterThan(1);
    expect(world.sources.isSettled).toBe(true);
    expect(world.takeChanges()).toEqual({ upsert: ['other'], remove: [] });

    await world.settle(3_600_000);
    expect(world.stateOf(HTTPRoute)).toMatchObject({ phase: 'synced', failures: 0 });
    expect(world.takeChanges()).toEqual({ upsert: [], remove: [routeLocator('cart')] });
  });

  it('keeps the barrier closed before the first sync, and reports the reason', async () => {
    const world = createWorld({
      faults: [{ at: 'watch httproutes', times: 5, do: { status: 500, message: 'etcd is away' } }],
    });
    await world.settle(1000);
    expect(world.sources.isSettled).toBe(false);
    expect(world.stateOf(HTTPRoute)).toMatchObject({
      phase: 'listing',
      code: 500,
      message: expect.stringContaining('etcd is away'),
    });
    await world.settle(120_000);
    expect(world.sources.isSettled).toBe(true);
  });

  it('waits for as long as the server asks', async () => {
    const world = await synced();
    world.server.addFaults({ at: 'watch httproutes', do: { status: 429, retryAfter: 20 } });
    world.server.disconnect('watch httproutes');
    await world.settle(20_000);
    expect(world.requests('watch', 'httproutes')).toHaveLength(2);
    await world.settle(1000);
    expect(world.requests('watch', 'httproutes')).toHaveLength(3);
    expect(world.relists).toEqual([]);
  });
});

describe('when a kind is not served', () => {
  it('is absent after two denials, which is as good as synced; looks again every half minute', async () => {
    const world = createWorld({ kinds: [Gateway], watch: [Gateway, HTTPRoute] });
    await world.settle();
    expect(world.sources.isSettled).toBe(false);
    await world.settle(1000);
    expect(world.phaseOf(HTTPRoute)).toBe('absent');
    expect(world.sources.isSettled).toBe(true);

    world.server.install(HTTPRoute);
    world.server.create(route('cart'));
    await world.settle(36_000);
    expect(world.phaseOf(HTTPRoute)).toBe('synced');
    expect(world.names(HTTPRoute)).toEqual(['cart']);
  });

  it.each([
    ['the server refuses connections', '*', 'refuse'],
    ['the API service of the group is down', 'get /apis/gateway.networking.k8s.io/v1', { status: 503 }],
    ['the list of all groups cannot be read', 'get /apis', { status: 500 }],
  ] as const)('is not absent when %s', async (_, at, fault) => {
    const world = createWorld({ kinds: [Gateway], watch: [HTTPRoute], faults: [{ at, times: 1000, do: fault }] });
    await world.settle(60_000);
    expect(world.phaseOf(HTTPRoute)).toBe('listing');
    expect(world.sources.isSettled).toBe(false);
  });

  it.each([
    ['a page', '<html>404 Not Found</html>'],
    ['the text of an API server', '404 page not found\n'],
  ])('is not absent when a proxy answers 404 with %s', async (_, page) => {
    const through = (transport: Transport): Transport => ({
      async request(request) {
        // The list of all groups does not contain their kinds.
        const response = await transport.request({ ...request, headers: { accept: 'application/json' } });
        if (!request.path.startsWith('/apis/gateway')) return response;
        return { ...response, status: 404, headers: {}, text: async () => page };
      },
    });
    const world = createWorld({ watch: [HTTPRoute], through });
    await world.settle(60_000);
    expect(world.stateOf(HTTPRoute)).toMatchObject({ phase: 'listing', code: 404 });
  });
});

describe('when a definition is deleted while its kind is watched', () => {
  it('keeps the objects for half a minute, then removes them in one step', async () => {
    const world = await synced();
    world.server.uninstall(HTTPRoute);
    await world.settle(1);
    world.takeChanges();
    await world.settle(25_000);
    expect(world.phaseOf(HTTPRoute)).toBe('stale');
    expect(world.stateOf(HTTPRoute)?.message).toContain('install its CustomResourceDefinition');
    await world.settle(10_000);
    expect(world.phaseOf(HTTPRoute)).toBe('absent');
    expect(world.names(HTTPRoute)).toEqual([]);
  });

  it('replaces the objects when it comes back with another version', async () => {
    const world = await synced();
    world.server.uninstall(HTTPRoute);
    await world.settle(10_000);
    world.server.install({ ...HTTPRoute, versions: ['v1beta1'] });
    world.server.create({ ...route('new'), apiVersion: 'gateway.networking.k8s.io/v1beta1' });
    await world.settle(60_000);
    expect(world.phaseOf(HTTPRoute)).toBe('synced');
    expect(world.names(HTTPRoute)).toEqual(['new']);
    expect(world.sources.resourceOf(HTTPRoute)?.version).toBe('v1beta1');
  });
});

describe('when a kind is served in other versions than those that are read', () => {
  const other = { ...HTTPRoute, versions: ['v2'] };
  const says = {
    message:
      'HTTPRoute.gateway.networking.k8s.io is served as v2, and can be read as v1, v1beta1; serve one of these versions, or update the program',
  };

  const asked = (transport: Transport): Transport => transport;
  const askedForJson = (transport: Transport): Transport => ({
    request: (request) =>
      transport.request(request.path === '/apis' ? { ...request, headers: { accept: 'application/json' } } : request),
  });

  it.each([
    ['lists all kinds at once', asked],
    ['names only groups and versions', askedForJson],
  ])('waits, and says which, if the API server %s', async (_, through) => {
    const world = createWorld({ kinds: [other], watch: [HTTPRoute], through });
    await world.settle(60_000);
    expect(world.stateOf(HTTPRoute)).toMatchObject({ phase: 'listing', ...says });
    expect(world.sources.isSettled).toBe(false);

    world.server.uninstall(HTTPRoute);
    world.server.install(HTTPRoute);
    world.server.create(route('cart'));
    await world.settle(60_000);
    expect(world.names(HTTPRoute)).toEqual(['cart']);
  });

  it('keeps the objects that it knows, for as long as it takes', async () => {
    const world = await synced();
    const before = world.names(HTTPRoute);
    world.server.update('customresourcedefinition.apiextensions.k8s.io:httproutes.gateway.networking.k8s.io', (it) => {
      const spec = it.spec as { readonly versions: readonly object[] };
      return { ...it, spec: { ...spec, versions: [{ ...spec.versions[0], name: 'v2' }] } };
    });
    world.server.disconnect('watch httproutes');
    await world.settle(600_000);
    expect(world.stateOf(HTTPRoute)).toMatchObject({ phase: 'stale', ...says });
    expect(world.names(HTTPRoute)).toEqual(before);
  });

  it('is stale if the kind was absent before, so that somebody looks', async () => {
    const world = createWorld({ kinds: [Gateway], watch: [HTTPRoute] });
    await world.settle(10_000);
    world.server.install(other);
    await world.settle(60_000);
    expect(world.stateOf(HTTPRoute)).toMatchObject({ phase: 'stale', ...says });
  });
});

describe('when RBAC forbids a kind', () => {
  it('names the rule to add, and goes on when it is there', async () => {
    const world = createWorld({ objects: [route('cart')] });
    world.server.forbid('watch httproutes');
    world.server.forbid('list httproutes');
    await world.settle(10_000);
    expect(world.sources.isSettled).toBe(false);
    expect(world.stateOf(HTTPRoute)).toMatchObject({
      phase: 'forbidden',
      code: 403,
      message: expect.stringContaining(
        '{ apiGroups: ["gateway.networking.k8s.io"], resources: ["httproutes"], verbs: ["list", "watch"] }',
      ),
    });
    world.server.allow();
    await world.settle(61_000);
    expect(world.names(HTTPRoute)).toEqual(['cart']);
  });

  it('keeps the objects when the right is taken away later', async () => {
    const world = await synced();
    world.server.forbid('watch httproutes');
    world.server.disconnect('watch httproutes');
    await world.settle(60_000);
    expect(world.stateOf(HTTPRoute)).toMatchObject({ phase: 'stale', code: 403 });
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart']);
  });
});

describe('when the API server restarts', () => {
  it('removes nothing, recovers, and receives the changes that happened meanwhile', async () => {
    const world = await synced();
    world.server.stop();
    await world.settle(5000);
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart']);
    world.server.delete(routeLocator('cart'));
    world.server.create(gateway('other'));
    world.server.start();
    await world.settle(30_000);
    expect(world.takeChanges()).toEqual({ upsert: ['other'], remove: [routeLocator('cart')] });
    expect([world.phaseOf(HTTPRoute), world.phaseOf(Gateway)]).toEqual(['synced', 'synced']);
  });
});

describe('when a line is damaged or repeated', () => {
  it('reads the watch again from the last good version', async () => {
    const world = await synced();
    world.server.addFaults({ at: 'watch httproutes', do: 'garbage' });
    world.server.create(route('late'));
    await world.settle(1000);
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart', 'late']);
    expect(world.relists).toEqual([]);
  });

  it('reads all objects when the same place is damaged again', async () => {
    const world = await synced();
    world.server.addFaults({ at: 'watch httproutes', do: 'garbage', times: 2 });
    world.server.create(route('late'));
    await world.settle(30_000);
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart', 'late']);
    expect(world.relists).toEqual(['failed']);
  });

  it('takes an event that arrives twice only once', async () => {
    const world = await synced();
    world.server.addFaults({ at: 'watch httproutes', do: 'duplicate' });
    world.server.create(route('late'));
    await world.settle();
    expect(world.takeChanges().upsert).toEqual(['late']);
  });
});

describe('when the server cannot send lists as watches', () => {
  it('reads lists, and asks again after ten minutes', async () => {
    const world = createWorld({ objects: [route('cart')], watch: [HTTPRoute, Gateway], watchLists: false });
    await world.settle();
    expect(world.sources.isSettled).toBe(true);
    expect(world.failures).toEqual([]);
    expect(world.requests('list', 'httproutes')).toHaveLength(1);
    const refused = () => world.server.requests.filter(({ query }) => query.sendInitialEvents === 'true').length;
    const before = refused();
    world.server.restart();
    await world.settle(30_000);
    expect(refused()).toBe(before);
  });
});

/** A server whose past is not that of another one, behind the same address. */
function switchable() {
  let behind: Transport | undefined;
  const through = (transport: Transport): Transport => ({
    request: (request) => (behind ?? transport).request(request),
  });
  const switchTo = (transport: Transport | undefined) => {
    behind = transport;
  };
  return { through, switchTo };
}

/** An API server that is not there. */
const refusing = (): Transport => ({
  request: () => Promise.reject(new TransportError('ECONNREFUSED', 'no answer')),
});

/** A load balancer in front of an API server that is not there for 3 s. */
const keeping = (clock: Clock, { transport }: FakeApiServer): Transport => ({
  request: (request) => new Promise((resolve) => clock.setTimeout(() => resolve(transport.request(request)), 3000)),
});

/** The same, if the API server refuses the first watches of each kind, because it is still starting. */
const initializing = (clock: Clock, server: FakeApiServer): Transport => {
  server.addFaults({ at: 'watch *', times: 4, do: { status: 429, retryAfter: 1 } });
  return keeping(clock, server);
};

describe('when the API server', () => {
  it('lags behind others, keeps the known state', async () => {
    const { through, switchTo } = switchable();
    const world = await synced({ through });
    for (const name of ['x', 'y', 'z']) world.server.create(route(name));
    await world.settle();
    const lagging = createFakeApiServer({ clock: world.clock, kinds: [Gateway, HTTPRoute] });
    switchTo(lagging.transport);
    world.server.disconnect();
    await world.settle(500);
    switchTo(undefined);
    await world.settle(30_000);
    expect(lagging.requests.length).toBeGreaterThan(0);
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart', 'x', 'y', 'z']);
    expect(world.relists).toEqual([]);
  });

  it('was set back to an older state, that state wins', async () => {
    const { through, switchTo } = switchable();
    const world = await synced({ through });
    for (const name of ['x', 'y', 'z']) world.server.create(route(name));
    await world.settle();
    const restored = createFakeApiServer({ clock: world.clock, kinds: [Gateway, HTTPRoute], objects: [route('cart')] });
    expect(Number(restored.resourceVersion)).toBeLessThan(Number(world.server.resourceVersion));
    switchTo(restored.transport);
    world.server.stop();
    await world.settle(180_000);
    expect(world.names(HTTPRoute)).toEqual(['cart']);
    expect(world.sources.get(routeLocator('cart'))?.metadata.uid).toBe(
      restored.get(routeLocator('cart'))?.metadata.uid,
    );
    expect(world.relists).toContain('too-large');
  });

  it.each([
    ['refuses connections for a moment', refusing],
    ['is reached through a load balancer that keeps requests until it is back', keeping],
    ['is back, but its storage is initializing', initializing],
  ])('was set back, is ahead of the known state again, and %s: its state wins at once', async (_, away) => {
    const { through, switchTo } = switchable();
    const world = await synced({ through });
    world.server.update(routeLocator('cart'), (each) => ({ ...each, spec: { hostnames: ['lost.example.com'] } }));
    await world.settle();
    const known = world.sources.get(routeLocator('cart'))?.metadata;
    const restored = createFakeApiServer({ clock: world.clock, kinds: [Gateway, HTTPRoute], namespaces: ['shop'] });
    restored.create({ ...route('cart'), metadata: { ...route('cart').metadata, uid: known?.uid ?? '' } });
    for (let write = 0; Number(restored.resourceVersion) < Number(known?.resourceVersion) + 10; write += 1) {
      restored.create(gateway(`lease-${write}`));
    }
    expect(Number(restored.get(routeLocator('cart'))?.metadata.resourceVersion)).toBeLessThan(
      Number(known?.resourceVersion),
    );
    switchTo(away(world.clock, restored));
    world.server.stop();
    await world.settle(3000);
    switchTo(restored.transport);
    await world.settle(4000);
    expect(world.sources.get(routeLocator('cart'))?.spec).toEqual({});
    expect(world.names(HTTPRoute)).toEqual(['cart']);
    expect(new Set(world.relists)).toEqual(new Set(['outage']));
  });
});

describe('when a server lacks watch-lists, and its watches answer 410', () => {
  it('reads lists less and less often', async () => {
    const world = await synced();
    const refusal = { status: 422, message: 'sendInitialEvents is forbidden' };
    world.server.addFaults({ at: 'watch httproutes', times: 1, do: 'gone' });
    world.server.addFaults({ at: 'watch httproutes', times: 1, do: refusal });
    world.server.addFaults({ at: 'watch httproutes', times: 1000, do: { status: 410 } });
    world.server.create(route('new'));
    await world.settle(20_000);
    expect(world.requests('list', 'httproutes').length).toBeLessThan(12);
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart', 'new']);
  });
});

describe('when objects are too long', () => {
  const maxBytes = 10_000;
  const through = (transport: Transport) => boundedTransport(transport, maxBytes);
  const long = (name: string, size: number) => route(name, { hostnames: ['x'.repeat(size)] });
  const objects = Array.from({ length: 160 }, (_, index) => long(`long-${index}`, 2000));

  it('reads lists in pages with fewer objects, and remembers how many', async () => {
    const world = createWorld({ through, objects, watch: [HTTPRoute], watchLists: false });
    await world.settle();
    expect(world.sources.count(HTTPRoute)).toBe(160);
    expect(world.failures).toEqual([]);
    const first = world.requests('list', 'httproutes').length;
    world.server.create(long('late', 2000));
    await world.settle(650_000);
    expect(world.sources.count(HTTPRoute)).toBe(161);
    expect(world.relists.at(-1)).toBe('periodic');
    expect(world.requests('list', 'httproutes').length - first).toBeLessThan(first);
  });

  it('names the remedy for one that no page has room for, and reads the kind when that object is gone', async () => {
    const world = createWorld({ through, objects: [route('cart'), long('huge', maxBytes)], watchLists: false });
    await world.settle(60_000);
    expect(world.stateOf(HTTPRoute)).toMatchObject({
      phase: 'listing',
      message: expect.stringMatching(/longer than 10000 bytes.*labelSelector.*metadataOnly/),
    });
    expect(world.phaseOf(Gateway)).toBe('synced');
    world.server.delete(routeLocator('huge'));
    await world.settle(60_000);
    expect(world.names(HTTPRoute)).toEqual(['cart']);
  });

  it('reads their metadata alone with metadataOnly', async () => {
    const watch = [{ ...HTTPRoute, metadataOnly: true }];
    const world = createWorld({ through, objects: [long('huge', maxBytes)], watch, watchLists: false });
    await world.settle();
    expect(world.names(HTTPRoute)).toEqual(['huge']);
  });
});

describe('when data is malformed', () => {
  const altered = (alter: (line: string) => string) => (transport: Transport) => ({
    async request(request: TransportRequest) {
      const response = await transport.request(request);
      async function* lines() {
        for await (const line of response.lines()) yield alter(line);
      }
      return { ...response, lines };
    },
  });

  it('leaves a malformed object out, and reports it', async () => {
    const through = altered((line) => line.replace('"name":"cart"', '"name":"ca/rt"'));
    const world = await synced({ through });
    expect(world.names(HTTPRoute)).toEqual(['account']);
    expect(world.malformed).toMatchObject([{ metadata: { name: 'ca/rt' } }]);
    world.server.create(route('late'));
    await world.settle();
    expect(world.names(HTTPRoute)).toEqual(['account', 'late']);
  });

  it('names the object that is too long to be read, and continues with the others', async () => {
    const through = altered((line) => {
      if (line.includes('"name":"huge"'))
        throw new TransportError('ELINETOOLONG', `a line is longer than 8 MiB: ${line}`);
      return line;
    });
    const world = await synced({ through });
    world.server.create(route('huge'), gateway('other'));
    await world.settle(60_000);
    expect(world.stateOf(HTTPRoute)).toMatchObject({
      phase: 'stale',
      message: expect.stringMatching(/"name":"huge".*metadataOnly/),
    });
    expect(world.names(HTTPRoute)).toEqual(['account', 'cart']);
    expect(world.names(Gateway)).toEqual(['other', 'public']);
    world.server.delete(routeLocator('huge'));
    await world.settle(60_000);
    expect(world.phaseOf(HTTPRoute)).toBe('synced');
  });
});
