import { describe, expect, it } from 'vitest';
import { KindStore } from './kind-store.ts';
import { HTTPRoute, route, routeLocator } from './world.fixture.ts';

const version = (resourceVersion: string, uid = 'u-1', name = 'cart') => ({
  ...route(name),
  metadata: { name, namespace: 'shop', uid, resourceVersion },
});

function createStore(...objects: ReturnType<typeof version>[]) {
  const changes: string[] = [];
  const store = new KindStore(HTTPRoute, (locator) => changes.push(locator));
  for (const each of objects) store.upsert(each);
  changes.length = 0;
  const versionOf = (name = 'cart') => store.get(routeLocator(name))?.metadata.resourceVersion;
  return { store, changes, versionOf };
}

describe('the objects of a kind', () => {
  it.each([
    ['a newer version', '10', 'u-1', '10'],
    ['an older version', '8', 'u-1', '9'],
    ['the same version', '9', 'u-1', '9'],
    ['a newer version that has fewer digits in none of its orders', '100', 'u-1', '100'],
    ['an older version of an object that has been deleted meanwhile', '8', 'u-0', '9'],
    ['the same version of another object', '9', 'u-2', '9'],
    ['a version without an order', 'abc', 'u-1', 'abc'],
  ])('take or leave %s', (_, resourceVersion, uid, expected) => {
    const { store, versionOf } = createStore(version('9'));
    store.upsert(version(resourceVersion, uid));
    expect(versionOf()).toBe(expected);
  });

  it('report no change for objects that they leave', () => {
    const { store, changes } = createStore(version('9'));
    store.upsert(version('8'));
    store.upsert(version('9'));
    store.remove(version('8'));
    expect(changes).toEqual([]);
    store.remove(version('10'));
    expect(changes).toEqual([routeLocator('cart')]);
  });

  it('keep an object that is newer than a list without it', () => {
    const { store, versionOf } = createStore(version('9'), version('20', 'u-2', 'late'));
    store.replace([], { resourceVersion: '15', isRewound: false });
    expect([versionOf('cart'), versionOf('late')]).toEqual([undefined, '20']);
  });

  it('give way to a list from a history that was set back', () => {
    const { store, versionOf } = createStore(version('90'), version('95', 'u-2', 'late'));
    store.replace([version('30')], { resourceVersion: '40', isRewound: true });
    expect([versionOf('cart'), versionOf('late')]).toEqual(['30', undefined]);
  });

  it('ignore the answer to a write of an object that was deleted or replaced', () => {
    const { store, versionOf, changes } = createStore(version('9'));
    store.writeBack(version('10', 'u-0'));
    store.writeBack(version('10', 'u-1', 'gone'));
    expect(changes).toEqual([]);
    store.writeBack(version('10'));
    expect(versionOf()).toBe('10');
  });
});
