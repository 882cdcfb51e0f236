import { type KubernetesObject, objectsIn, specOf } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intersectHostnames } from '../fields/hostname.ts';
import type { DataPlane } from '../listeners/data-plane.ts';
import type { HttpRequest } from '../matching/http-request.ts';
import { unspecific } from '../matching/match.ts';
import type { RequestAnswer, RequestListener } from './answer.ts';
import { matchRequest } from './match-request.ts';
import { type Contestant, compareBy, compareMatches, precedenceRules } from './precedence.ts';
import { regularExpression, route } from './request.fixture.ts';

const hosts = ['shop.example.com', 'example.com', 'example.org'];
const hostnames = fc.constantFrom('*.example.com', '*.com', ...hosts);
const segment = fc.constantFrom('a', 'b', 'ab');
const path = fc.array(segment, { maxLength: 3 }).map((segments) => `/${segments.join('/')}`);
const pair = fc.record({ name: fc.constantFrom('x', 'X', 'y'), value: fc.constantFrom('1', '2') });
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const match = fc.record({
  path: optional(fc.record({ type: fc.constantFrom('Exact', 'PathPrefix', 'RegularExpression'), value: path })),
  method: optional(fc.constantFrom('GET', 'POST')),
  headers: optional(fc.array(pair, { maxLength: 2 })),
  queryParams: optional(fc.array(pair, { maxLength: 2 })),
});

const routes = fc
  .array(
    fc.record({
      namespace: fc.constantFrom('n', 'm'),
      year: fc.constantFrom(2020, 2021),
      hostnames: optional(fc.array(hostnames, { maxLength: 2 })),
      rules: fc.array(fc.record({ matches: fc.array(match, { maxLength: 2 }) }), { minLength: 1, maxLength: 2 }),
    }),
    { maxLength: 5 },
  )
  .map((list) =>
    list.map(
      ({ namespace, year, ...spec }, index): KubernetesObject => ({
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'HTTPRoute',
        metadata: { namespace, name: `r${index}`, creationTimestamp: `${year}-01-01T00:00:00Z` },
        spec,
      }),
    ),
  );

const listeners = fc
  .array(fc.record({ hostname: optional(hostnames), port: fc.constantFrom(80, 443), routes }), { maxLength: 3 })
  .map((list) => list.map((listener, index): RequestListener => ({ ...listener, name: `l${index}` })));

const requests: fc.Arbitrary<HttpRequest> = fc.record({
  host: fc.constantFrom(...hosts),
  path,
  method: fc.constantFrom('GET', 'POST'),
  headers: fc.array(fc.tuple(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2')), { maxLength: 2 }),
  query: fc.array(fc.tuple(fc.constantFrom('x', 'X', 'y'), fc.constantFrom('1', '2')), { maxLength: 2 }),
});

interface Pair {
  readonly name: string;
  readonly value: string;
}

interface Conditions {
  readonly path?: { readonly type: 'Exact' | 'PathPrefix' | 'RegularExpression'; readonly value: string };
  readonly method?: string;
  readonly headers?: readonly Pair[];
  readonly queryParams?: readonly Pair[];
}

/** The sentences of Gateway API, one by one. */
function holds(request: HttpRequest, { path, method, headers = [], queryParams = [] }: Conditions): boolean {
  const { type, value } = path ?? { type: 'PathPrefix', value: '/' };
  const segmentsOf = (text: string) => text.split('/').filter((part) => part !== '');
  const firstOfEach = (pairs: readonly Pair[], nameOf: (name: string) => string) =>
    pairs.filter((pair, index) => pairs.findIndex(({ name }) => nameOf(name) === nameOf(pair.name)) === index);
  const sent = (pairs: HttpRequest['headers'], key: string) =>
    [...(pairs ?? [])].filter(([name]) => name === key).map(([, text]) => text);
  return (
    (type === 'PathPrefix'
      ? segmentsOf(value).every((part, index) => segmentsOf(request.path ?? '')[index] === part)
      : request.path === value) &&
    (method === undefined || method === request.method) &&
    firstOfEach(headers, (name) => name.toLowerCase()).every(
      (pair) => sent(request.headers, pair.name.toLowerCase()).join(', ') === pair.value,
    ) &&
    firstOfEach(queryParams, (name) => name).every((pair) => sent(request.query, pair.name)[0] === pair.value)
  );
}

function conditionsOf(route: KubernetesObject, ruleIndex: number, matchIndex: number): Conditions {
  return (objectsIn(objectsIn(specOf(route).rules)[ruleIndex]?.matches)[matchIndex] ?? {}) as Conditions;
}

const ask = (request: HttpRequest, at: readonly RequestListener[]) => matchRequest(request, at, { regularExpression });

/** Returns every listed part of the answers as text: its place, and the reason. */
function linesOf(answers: readonly RequestAnswer[]): readonly string[] {
  return answers.flatMap(({ port, listener, winner, lost, undecided, unmatched }) => [
    `${port} ${listener?.name}`,
    ...[winner ?? [], lost, undecided, unmatched].flat().map(({ listener: at, route, ...rest }) => {
      return JSON.stringify([at.name, route.metadata, rest]);
    }),
  ]);
}

describe('laws of matchRequest', () => {
  it('its answer does not depend on the order of listeners and routes', () => {
    const shuffled = listeners.chain((at) =>
      fc
        .tuple(...at.map(({ routes: all }) => fc.shuffledSubarray([...all], { minLength: all.length })))
        .map((mixed) => at.map((listener, index) => ({ ...listener, routes: mixed[index] ?? [] })))
        .chain((mixed) => fc.tuple(fc.constant(at), fc.shuffledSubarray(mixed, { minLength: mixed.length }))),
    );
    fc.assert(
      fc.property(requests, shuffled, (request, [at, mixed]) => {
        expect(linesOf(ask(request, mixed))).toEqual(linesOf(ask(request, at)));
      }),
    );
  });

  it('a match takes the request exactly if a naive reading of its conditions does', () => {
    fc.assert(
      fc.property(requests, listeners, (request, at) => {
        for (const { winner, lost, unmatched } of ask(request, at)) {
          for (const { route, ruleIndex, matchIndex } of [winner ?? [], lost].flat()) {
            expect(holds(request, conditionsOf(route, ruleIndex, matchIndex))).toBe(true);
          }
          for (const { route, ruleIndex, matchIndex } of unmatched) {
            if (ruleIndex === undefined || matchIndex === undefined) continue;
            expect(holds(request, conditionsOf(route, ruleIndex, matchIndex))).toBe(false);
          }
        }
      }),
    );
  });

  it('every match is listed once, alone or with its route', () => {
    fc.assert(
      fc.property(requests, listeners, (request, at) => {
        const found = ask(request, at).flatMap(({ winner, lost, undecided, unmatched }) =>
          [winner ?? [], lost, undecided, unmatched].flat().flatMap(({ listener, route, ruleIndex, matchIndex }) =>
            matchesOf(route)
              .filter(([rule, match]) => (ruleIndex ?? rule) === rule && (matchIndex ?? match) === match)
              .map((indices) => [listener.name, route.metadata.name, ...indices].join()),
          ),
        );
        const all = at.flatMap(({ name, routes: own }) =>
          own.flatMap((route) => matchesOf(route).map((indices) => [name, route.metadata.name, ...indices].join())),
        );
        expect(found.sort()).toEqual(all.sort());
      }),
    );
  });

  it('it does not throw for any route', () => {
    const json = fc.jsonValue({ maxDepth: 2 });
    const listOf = (item: fc.Arbitrary<unknown>) => fc.oneof(json, fc.array(fc.oneof(json, item), { maxLength: 3 }));
    const text = fc.record({ type: fc.oneof(json, fc.constant('RegularExpression')), name: json, value: json });
    const wild = fc.record({
      path: fc.oneof(json, text),
      method: json,
      headers: listOf(text),
      queryParams: listOf(text),
    });
    const specs = fc.oneof(json, fc.record({ hostnames: json, rules: listOf(fc.record({ matches: listOf(wild) })) }));
    fc.assert(
      fc.property(specs, fc.constantFrom('HTTPRoute', 'GRPCRoute'), (spec, kind) => {
        const routes = [route(kind, 'r', spec)];
        expect(ask({ host: 'h', path: '/a/b' }, [{ name: 'l', port: 1, routes }])).toHaveLength(1);
      }),
    );
  });
});

function matchesOf(route: KubernetesObject): readonly (readonly [number, number])[] {
  return objectsIn(specOf(route).rules).flatMap(({ matches }, rule) =>
    Array.from({ length: Math.max(1, objectsIn(matches).length) }, (_, match) => [rule, match] as const),
  );
}

/** Returns a route that was created in a year or at a time; `undefined` for a route of unknown age. */
function aged(route: KubernetesObject, created: number | string | undefined): KubernetesObject {
  const { creationTimestamp: _, ...metadata } = route.metadata;
  if (created === undefined) return { ...route, metadata };
  const creationTimestamp = typeof created === 'number' ? `${created}-01-01T00:00:00Z` : created;
  return { ...route, metadata: { ...metadata, creationTimestamp } };
}

describe('laws of the order of precedence', () => {
  const contestants: fc.Arbitrary<Contestant> = fc
    .tuple(
      fc.record({
        path: fc.constantFrom('Exact', 'PathPrefix', 'RegularExpression'),
        pathLength: fc.nat(2),
        method: fc.nat(1),
        grpcService: fc.nat(2),
        grpcMethod: fc.nat(2),
        headers: fc.nat(2),
        queryParameters: fc.nat(2),
      }),
      fc.constantFrom('HTTPRoute', 'GRPCRoute'),
    )
    .chain(([{ path, pathLength, method, queryParameters, grpcService, grpcMethod, headers }, kind]) =>
      fc.record({
        specificity: fc.constant({
          ...unspecific,
          headers,
          ...(kind === 'HTTPRoute' ? { path, pathLength, method, queryParameters } : { grpcService, grpcMethod }),
        }),
        match: fc.record({
          route: fc.constantFrom(
            ...['a', 'b'].flatMap((name) => [2024, 2020, undefined].map((year) => aged(route(kind, name, {}), year))),
          ),
          hostname: fc.constantFrom('*', '*.com', '*.example.com', 'shop.example.com'),
          ruleIndex: fc.nat(1),
          matchIndex: fc.nat(1),
        }),
      }),
    )
    .map((it) => ({ ...it, hostname: intersectHostnames('*.example.com', it.match.hostname)[0] as string }));
  const orders = fc.constantFrom(
    precedenceRules('before-prefixes', { hostnamePrecedence: 'route' }),
    precedenceRules('before-prefixes', { hostnamePrecedence: 'intersection' }),
    precedenceRules('after-prefixes'),
  );

  it('is antisymmetric, transitive, and distinguishes all matches', () => {
    fc.assert(
      fc.property(fc.tuple(contestants, contestants, contestants), orders, ([a, b, c], rules) => {
        const compare = compareBy(rules);
        expect(Math.sign(compare(a, b))).toBe(0 - Math.sign(compare(b, a)));
        if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0);
        const [name, other] = [a, b].map(({ match }) =>
          [match.route.metadata.name, match.ruleIndex, match.matchIndex].join(),
        );
        if (name !== other) expect(compare(a, b)).not.toBe(0);
      }),
    );
  });

  it('it names the rule that puts one of two first, or the unknown fact that decides', () => {
    fc.assert(
      fc.property(contestants, contestants, orders, (a, b, rules) => {
        const { by, unknown } = compareMatches(a, b, rules);
        expect(compareMatches(b, a, rules).unknown).toBe(unknown);
        if (unknown === undefined) expect(by !== undefined).toBe(compareBy(rules)(a, b) < 0);
        else expect(by).toBeUndefined();
      }),
    );
  });

  it('has the same answer without the data plane as for each', () => {
    fc.assert(
      fc.property(contestants, contestants, (a, b) => {
        const precedes = (...dataPlane: readonly DataPlane[]) => {
          const { by, unknown } = compareMatches(a, b, precedenceRules('before-prefixes', ...dataPlane));
          return unknown === undefined ? by !== undefined : 'unknown';
        };
        const known = new Set([
          precedes({ hostnamePrecedence: 'route' }),
          precedes({ hostnamePrecedence: 'intersection' }),
        ]);
        const [first = 'unknown'] = known;
        expect(precedes()).toBe(known.size === 1 ? first : 'unknown');
      }),
    );
  });

  it('knows more with ages, and nothing else than before', () => {
    fc.assert(
      fc.property(contestants, contestants, orders, fc.constantFrom(2020, 2024), (a, b, rules, year) => {
        const { by, unknown } = compareMatches(a, b, rules);
        const older = {
          ...a,
          match: { ...a.match, route: aged(a.match.route, a.match.route.metadata.creationTimestamp ?? year) },
        };
        const now = compareMatches(older, b, rules);
        if (unknown === undefined) expect(now).toEqual({ ...(by === undefined ? {} : { by }) });
      }),
    );
  });
});
