import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterWith, gateway, linksOf, route } from '../gateway-api.fixture.ts';
import { RouteRivals } from './route-rivals.ts';

const created = (object: KubernetesObject, year: number): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, creationTimestamp: `${year}-01-01T00:00:00Z` },
});
const on = (kind: string, name: string, hostnames: readonly string[], year = 2026): KubernetesObject =>
  created(route(kind, name, { hostnames, parentRefs: [{ name: 'edge' }] }), year);
const grpc = (name: string, ...hostnames: readonly string[]) => on('GRPCRoute', name, hostnames);
const http = (name: string, ...hostnames: readonly string[]) => on('HTTPRoute', name, hostnames);

const refuses = { sharedHostnames: 'refused' } as const;

/** The names of the routes that a listener does not keep. */
const refusedOf = (rivals: RouteRivals) => [...rivals.refused.keys()].map(({ metadata: { name } }) => name).sort();

const refused = (hostname: string | undefined, ...routes: readonly KubernetesObject[]) => {
  const rivals = new RouteRivals(hostname, refuses);
  rivals.change([], routes);
  return refusedOf(rivals);
};

describe('a listener of a data plane that refuses shared hostnames', () => {
  it.each<[string, string | undefined, readonly KubernetesObject[], readonly string[]]>([
    [
      'the older of two with one hostname',
      undefined,
      [http('new', 'a.b'), on('GRPCRoute', 'old', ['a.b'], 2020)],
      ['new'],
    ],
    ['the first by name of two of one age', undefined, [http('b', 'a.b'), grpc('a', 'a.b')], ['b']],
    ['a GRPCRoute before an HTTPRoute of its name and age', undefined, [http('a', 'a.b'), grpc('a', 'a.b')], ['a']],
    ['both with different hostnames', undefined, [http('a', 'a.b'), grpc('b', 'c.b')], []],
    ['both if only one kind is twice', undefined, [http('a', 'a.b'), http('b', 'a.b'), grpc('c', 'c.b')], []],
    ['one of a hostname and a wildcard above it', undefined, [http('a', '*.b'), grpc('b', 'x.a.b')], ['b']],
    ['both of a wildcard and the name it is below', undefined, [http('a', '*.b'), grpc('b', 'b')], []],
    ['one of two wildcards, whichever is wider', undefined, [http('a', '*.a.b'), grpc('b', '*.b')], ['b']],
    ['one of two without hostnames', undefined, [http('a'), grpc('b')], ['b']],
    ['one if the other has no hostnames', undefined, [http('a', 'a.b'), grpc('b')], ['b']],
    [
      'both if they share only hostnames that the listener ignores',
      '*.b',
      [http('a', 'a.b', 'x.c'), grpc('b', 'x.c', 'c.b')],
      [],
    ],
    ['one if its hostname makes both the same', 'a.b', [http('a'), grpc('b', '*.b')], ['b']],
    [
      'what a refused route would exclude',
      undefined,
      [http('a', 'a.b'), grpc('b', 'a.b', 'c.b'), http('c', 'c.b')],
      ['b'],
    ],
    ['hostnames in any case', undefined, [http('a', 'A.b'), grpc('b', 'a.B')], ['b']],
  ])('keeps %s', (_, hostname, routes, expected) => {
    expect(refused(hostname, ...routes)).toEqual(expected);
    expect(refused(hostname, ...routes.toReversed())).toEqual(expected);
  });

  it('keeps the same routes whether these come one by one or at once', () => {
    const hostnames = fc.subarray(['a.b', 'c.b', '*.b', '*.a.b', 'b', '*.c'], { maxLength: 2 });
    const routes = fc
      .array(fc.tuple(fc.constantFrom('HTTPRoute', 'GRPCRoute'), hostnames, fc.integer({ min: 2020, max: 2022 })), {
        maxLength: 8,
      })
      .map((drawn) => drawn.map(([kind, names, year], index) => on(kind, `r${index}`, names, year)));
    fc.assert(
      fc.property(routes, fc.array(fc.nat(7), { maxLength: 12 }), (all, toggled) => {
        const rivals = new RouteRivals('*.b', refuses);
        const there = new Set<KubernetesObject>();
        for (const place of toggled) {
          const it = all[place];
          if (it === undefined) continue;
          rivals.change(there.has(it) ? [it] : [], there.has(it) ? [] : [it]);
          if (!there.delete(it)) there.add(it);
          expect(refusedOf(rivals)).toEqual(refused('*.b', ...there));
        }
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 40) },
    );
  });
});

describe('links of routes that exclude one another', () => {
  const edge = (...listeners: readonly object[]) =>
    gateway('edge', { listeners: listeners.map((it) => ({ port: 80, protocol: 'HTTP', ...it })) });
  const both = edge({ name: 'a', hostname: 'a.b' }, { name: 'any', port: 81 });

  it('are decided by each listener for itself', () => {
    const topology = clusterWith({ dataPlane: refuses }, both, http('first', 'c.b'), grpc('second', 'a.b', 'c.b'));
    expect(linksOf(topology)).toEqual([
      'Gateway default/edge#a > GRPCRoute default/second',
      'Gateway default/edge#any > HTTPRoute default/first',
    ]);
    expect(topology.refused.map(({ from, to, reason }) => [from.ref.name, to.split('#')[1], reason])).toEqual([
      ['second', 'any', 'HostnameConflict'],
      ['first', 'a', 'NoMatchingListenerHostname'],
    ]);
  });

  it('come back when the route that prevails is gone, or has another hostname', () => {
    const topology = clusterWith({ dataPlane: refuses }, both, http('first', 'a.b'), grpc('second', 'a.b'));
    const ofSecond = () => linksOf(topology).filter((link) => link.endsWith('second')).length;
    expect(ofSecond()).toBe(0);
    expect(topology.issues.map(({ code }) => code)).toEqual(['refused-reference']);
    topology.apply({ upsert: [http('first', 'x.y')] });
    expect(ofSecond()).toBe(2);
    expect(topology.issues).toEqual([]);
    topology.apply({ upsert: [http('first', 'a.b')] });
    expect(ofSecond()).toBe(0);
    topology.apply({ remove: ['httproute.gateway.networking.k8s.io:default/first'] });
    expect(ofSecond()).toBe(2);
  });

  it('follow a listener that gets another hostname', () => {
    const topology = clusterWith(
      { dataPlane: refuses },
      edge({ name: 'a' }),
      http('first', 'a.b', 'c.d'),
      grpc('second', 'a.b', 'e.d'),
    );
    expect(linksOf(topology)).toHaveLength(1);
    topology.apply({ upsert: [edge({ name: 'a', hostname: '*.d' })] });
    expect(linksOf(topology)).toHaveLength(2);
    topology.apply({ upsert: [edge({ name: 'a' })] });
    expect(linksOf(topology)).toHaveLength(1);
  });

  it('cost as much as an edit touches, however many routes of both kinds there are', () => {
    const steps = (routes: number) => {
      const rivals = new RouteRivals(undefined, refuses);
      const all = Array.from({ length: routes }, (_, index) =>
        on(index % 2 ? 'HTTPRoute' : 'GRPCRoute', `r${index}`, [`r${index}.b`]),
      );
      rivals.change([], all);
      const edited = http('r1', 'other.b');
      return rivals.change([all[1] as KubernetesObject], [edited]); // `true` if all routes were compared.
    };
    expect(steps(10)).toBe(false);
    expect(steps(1000)).toBe(false);
  });
});
