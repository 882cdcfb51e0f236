import { describe, expect, it } from 'vitest';
import { createWorld, HTTPRoute, route, routeLocator } from './world.fixture.ts';

const inNamespace = (name: string, namespace: string) => ({ ...route(name), metadata: { name, namespace } });
const labelled = (name: string, labels: Record<string, string>) => {
  const object = route(name);
  return { ...object, metadata: { ...object.metadata, labels } };
};

describe.each([
  ['lists as watches', true],
  ['lists', false],
])('a kind with selectors, from %s', (_, watchLists) => {
  it('has the objects with these labels and fields, and loses one that no longer matches', async () => {
    const watch = [{ ...HTTPRoute, labelSelector: 'tier=gold', fieldSelector: 'metadata.name!=other' }];
    const objects = [labelled('cart', { tier: 'gold' }), labelled('menu', {}), labelled('other', { tier: 'gold' })];
    const { server, settle, sources, takeChanges } = createWorld({ watch, watchLists, objects });
    await settle();
    expect(takeChanges().upsert).toEqual(['cart']);
    server.update(routeLocator('menu'), () => labelled('menu', { tier: 'gold' }));
    server.update(routeLocator('cart'), () => labelled('cart', { tier: 'tin' }));
    await settle();
    expect(takeChanges()).toEqual({ upsert: ['menu'], remove: [routeLocator('cart')] });
    expect(sources.count(HTTPRoute)).toBe(1);
  });

  it('has the objects of the namespaces that it names, and asks for no others', async () => {
    const watch = [{ ...HTTPRoute, namespaces: ['shop', 'stock'] }];
    const objects = [route('cart'), inNamespace('shelf', 'stock'), inNamespace('secret', 'vault')];
    const namespaces = ['shop', 'stock', 'vault'];
    const { server, settle, sources, takeChanges } = createWorld({ watch, watchLists, namespaces, objects });
    await settle();
    expect(takeChanges().upsert.sort()).toEqual(['cart', 'shelf']);
    const asked = server.requests.filter(({ resource }) => resource === 'httproutes');
    expect(new Set(asked.map(({ namespace }) => namespace))).toEqual(new Set(['shop', 'stock']));
    expect([sources.count(HTTPRoute), sources.isSettled]).toEqual([2, true]);
    server.delete('httproute.gateway.networking.k8s.io:stock/shelf');
    await settle();
    expect(takeChanges()).toEqual({ upsert: [], remove: ['httproute.gateway.networking.k8s.io:stock/shelf'] });
    expect([...sources.objects(HTTPRoute)].map(({ metadata }) => metadata.name)).toEqual(['cart']);
  });
});

describe('a kind that is read by namespaces', () => {
  it('is known once all of them are, and keeps objects of a namespace that cannot be read any more', async () => {
    const watch = [{ ...HTTPRoute, namespaces: ['shop', 'stock'] }];
    const objects = [route('cart'), inNamespace('shelf', 'stock')];
    const namespaces = ['shop', 'stock'];
    const { server, settle, sources } = createWorld({ watch, namespaces, objects });
    server.addFaults({ at: 'watch httproutes', times: 1, do: { status: 403 } });
    await settle(100);
    const state = sources.states.get('httproute.gateway.networking.k8s.io');
    expect([sources.isSettled, state?.phase]).toEqual([false, 'forbidden']);
    expect(state?.message).toContain('a Role in shop');
    await settle(60_000);
    expect([sources.isSettled, sources.count(HTTPRoute)]).toEqual([true, 2]);
  });

  it('says so if its objects are cluster-scoped', async () => {
    const watch = [{ group: '', kind: 'Namespace', versions: ['v1'], namespaces: ['shop'] }];
    const { settle, sources } = createWorld({ watch });
    await settle();
    expect(sources.states.get('namespace')?.message).toBe('Namespace is cluster-scoped; leave out its namespaces');
  });
});
