import { describe, expect, it } from 'vitest';
import { createWorld, Gateway, gateway, HTTPRoute, route, routeLocator } from './world.fixture.ts';

describe('createSources', () => {
  it('passes on all objects first, then the changes', async () => {
    const { server, settle, takeChanges, sources } = createWorld({ objects: [route('cart'), gateway('public')] });
    expect(sources.isSettled).toBe(false);
    await settle();
    expect(sources.isSettled).toBe(true);
    expect(takeChanges().upsert.sort()).toEqual(['cart', 'public']);

    server.update(routeLocator('cart'), (before) => ({ ...before, spec: { rules: [] } }));
    server.create(route('account'));
    await settle();
    expect(takeChanges()).toEqual({ upsert: ['cart', 'account'], remove: [] });

    server.delete(routeLocator('cart'));
    await settle();
    expect(takeChanges()).toEqual({ upsert: [], remove: [routeLocator('cart')] });
    expect(sources.get(routeLocator('cart'))).toBeUndefined();
    expect(sources.count(HTTPRoute)).toBe(1);
  });

  it('passes on once an object that has changed several times, and not at all one that was created and deleted', async () => {
    const { server, settle, sources } = createWorld({ isConsumed: false });
    await settle();
    server.create(route('cart'), route('brief'));
    for (const name of ['a', 'b', 'c']) {
      server.update(routeLocator('cart'), (before) => ({ ...before, spec: { hostnames: [name] } }));
    }
    server.delete(routeLocator('brief'));
    await settle();
    const [first] = await Promise.all([sources[Symbol.asyncIterator]().next(), settle()]);
    expect(first.value.upsert).toMatchObject([{ metadata: { name: 'cart' }, spec: { hostnames: ['c'] } }]);
    expect(first.value.remove).toEqual([]);
  });

  it('asks for all kinds at once, and looks for all absent ones by one request in half a minute', async () => {
    const absent = ['A', 'B', 'C', 'D', 'E'].map((kind) => ({ group: 'absent.example.com', kind, versions: ['v1'] }));
    const services = { group: '', kind: 'Service', versions: ['v1'] };
    const { server, settle, phaseOf } = createWorld({ watch: [Gateway, HTTPRoute, services, ...absent] });
    const discoveries = () => server.requests.filter(({ resource }) => resource === undefined).map(({ path }) => path);
    await settle();
    expect(discoveries().sort()).toEqual(['/api', '/apis', '/apis/absent.example.com/v1']);
    await settle(10_000);
    expect(absent.map(phaseOf)).toEqual(absent.map(() => 'absent'));
    const before = discoveries().length;
    await settle(300_000);
    expect(discoveries().length - before).toBeLessThanOrEqual(10);
    server.install({ ...absent[0], scope: 'Namespaced' } as Parameters<typeof server.install>[0]);
    await settle(60_000);
    expect(phaseOf(absent[0] ?? Gateway)).toBe('synced');
  });

  it('keeps neither managed fields nor the last applied configuration', async () => {
    const last = 'kubectl.kubernetes.io/last-applied-configuration';
    const applied = { ...route('cart').metadata, annotations: { [last]: '{}', team: 'shop' } };
    const { settle, sources, server } = createWorld({ objects: [{ ...route('cart'), metadata: applied }] });
    await settle();
    expect(server.get(routeLocator('cart'))?.metadata.managedFields).toBeDefined();
    const { metadata } = sources.get(routeLocator('cart')) ?? {};
    expect(metadata?.annotations).toEqual({ team: 'shop' });
    expect(JSON.stringify(metadata)).not.toContain('managedFields');
  });

  it('reads only metadata if that is enough', async () => {
    const watch = [{ ...HTTPRoute, metadataOnly: true }];
    const { settle, sources, server } = createWorld({ watch, objects: [route('cart', { rules: [{}] })] });
    await settle();
    expect(sources.get(routeLocator('cart'))).toMatchObject({ kind: 'HTTPRoute', metadata: { name: 'cart' } });
    server.update(routeLocator('cart'), (before) => ({ ...before, spec: { rules: [] } }));
    await settle();
    expect(sources.get(routeLocator('cart'))).toEqual({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: expect.objectContaining({ generation: 2 }),
    });
  });

  it('reads the first version that is served', async () => {
    const watch = [{ ...HTTPRoute, versions: ['v3', 'v1beta1', 'v1'] }];
    const { settle, sources } = createWorld({ watch, objects: [route('cart')] });
    await settle();
    expect(sources.resourceOf(HTTPRoute)).toMatchObject({
      version: 'v1beta1',
      resource: 'httproutes',
      namespaced: true,
    });
    expect(sources.get(routeLocator('cart'))?.apiVersion).toBe('gateway.networking.k8s.io/v1beta1');
  });

  it('sets the kinds of objects from lists, which omit them', async () => {
    const watch = [{ group: '', kind: 'Namespace', versions: ['v1'] }];
    const { settle, sources } = createWorld({ watch, watchLists: false });
    await settle();
    expect(sources.get('namespace:shop')).toMatchObject({ apiVersion: 'v1', kind: 'Namespace' });
  });

  it('takes the answer to a write like an event of the watch, and never returns to an older version', async () => {
    const { settle, sources, server, takeChanges } = createWorld({ objects: [route('cart')] });
    await settle();
    const before = server.get(routeLocator('cart'));
    server.addFaults({ at: 'watch httproutes', do: 'forget' });
    const written = server.update(routeLocator('cart'), (each) => ({ ...each, spec: { rules: [] } }));
    await settle();
    takeChanges();

    sources.writeBack(HTTPRoute, structuredClone(written));
    await settle();
    expect(takeChanges().upsert).toEqual(['cart']);
    expect(sources.get(routeLocator('cart'))).toMatchObject({ spec: { rules: [] } });

    sources.writeBack(HTTPRoute, structuredClone(before));
    sources.writeBack(HTTPRoute, { ...structuredClone(written), metadata: { ...written.metadata, name: 'unknown' } });
    await settle();
    expect(takeChanges().upsert).toEqual([]);
  });

  it('ignores an answer to a write that is not an object, or of a kind that is not watched', async () => {
    const { settle, sources, takeChanges, malformed } = createWorld({ watch: [HTTPRoute], objects: [route('cart')] });
    await settle();
    takeChanges();
    for (const body of [null, 'OK', []]) sources.writeBack(HTTPRoute, body);
    sources.writeBack(Gateway, gateway('public'));
    await settle();
    expect(takeChanges()).toEqual({ upsert: [], remove: [] });
    expect(malformed).toEqual([]);
  });

  it('ends the iteration and all watches when it is closed', async () => {
    const { settle, sources, server, clock } = createWorld();
    await settle();
    const ended = (async () => {
      for await (const _ of sources);
      return 'ended';
    })();
    sources.close();
    await settle();
    expect(await ended).toBe('ended');
    const count = server.requests.length;
    await settle(3_600_000);
    expect(server.requests.length).toBe(count);
    expect(clock.timers).toBe(0);
  });
});
