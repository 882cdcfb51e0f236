import {
  type GatewayListener,
  type ListenerMatches,
  listenerMatches,
  type RegularExpression,
  type RegularExpressionPaths,
} from '@policy-machinery/gateway-api';
import { type Bucket, bucketOf, keysFor } from './bucket.ts';
import { type ConcreteRequest, callIn, meets, prefixesOf } from './concrete-request.ts';
import { callKey, exactKey, placeKey, prefixKey, type RankedMatch, rankedMatches } from './contender.ts';
import type { Entry } from './entries.ts';

/** The matches of a listener, by hostname and path. Listeners with the same hostname and routes share one. */
export interface Floor {
  readonly hostname: string;
  readonly matches: readonly RankedMatch[];
  /** By hostname of the route, then by the path. */
  readonly buckets: ReadonlyMap<string, ReadonlyMap<string, Bucket>>;
  /** Whether it serves several kinds of routes, each for other hosts. */
  readonly isMixed: boolean;
  /** The kind of route that the oldest route of each hostname asks for, with the place of that route by age. */
  readonly served: ReadonlyMap<string, { readonly kind: string; readonly place: number }>;
}

/** What happens to a request at a floor. */
export interface TakenAt {
  /** The match that takes the request, unless one of `hidden` does; `undefined` if none does. */
  readonly taker: RankedMatch | undefined;
  /** The matches before the taker that take the request if a regular expression matches. */
  readonly hidden: readonly RankedMatch[];
}

const nothing: TakenAt = { taker: undefined, hidden: [] };

/** The floors of some listeners, each made once for all listeners with the same hostname and routes. */
export class Floors {
  readonly #paths: RegularExpressionPaths;
  readonly #floors = new Map<string, Floor | undefined>();
  readonly #ids = new Map<unknown, number>();

  constructor(paths: RegularExpressionPaths = 'before-prefixes') {
    this.#paths = paths;
  }

  /** Returns the floor of a listener; `undefined` if it takes no requests. O(routes), and O(m log m) for m matches if it is the first of its kind. */
  of(entry: Entry, listener: GatewayListener): Floor | undefined {
    const { hostname = '', routes, delegated = [], isFrontend = false } = listener;
    const ids = [...routes, undefined, ...delegated].map((route) => this.idOf(route));
    const key = [entry.transport, isFrontend, hostname, ...ids].join(' ');
    if (!this.#floors.has(key)) this.#floors.set(key, floorOf(entry, listener, this.#paths));
    return this.#floors.get(key);
  }

  /** Returns a number for an object, the same each time. */
  idOf(value: unknown): number {
    const id = this.#ids.get(value) ?? this.#ids.size;
    this.#ids.set(value, id);
    return id;
  }
}

function floorOf(entry: Entry, listener: GatewayListener, paths: RegularExpressionPaths): Floor | undefined {
  const { hostname, matches: all, served } = listenerMatches(listener, { regularExpressionPaths: paths });
  if (hostname === undefined) return undefined;
  const matches = rankedMatches(entry, listener, all);
  const grouped = new Map<string, Map<string, RankedMatch[]>>();
  for (const match of matches) {
    const own = match.match.match.hostname;
    const places = grouped.get(own) ?? new Map<string, RankedMatch[]>();
    grouped.set(own, places);
    const key = placeKey(match);
    const there = places.get(key);
    if (there === undefined) places.set(key, [match]);
    else there.push(match);
  }
  const buckets = new Map(
    [...grouped].map(([own, places]) => [own, new Map([...places].map(([key, list]) => [key, bucketOf(list)]))]),
  );
  const isMixed = new Set(served.map(({ kind }) => kind)).size > 1;
  return { hostname, matches, buckets, isMixed, served: servedBy(served) };
}

function servedBy(served: ListenerMatches['served']): Floor['served'] {
  const first = new Map<string, { readonly kind: string; readonly place: number }>();
  served.forEach(({ hostname, kind }, place) => {
    if (!first.has(hostname)) first.set(hostname, { kind, place });
  });
  return first;
}

/**
 * Returns what takes a request at a floor. O(labels of the host · segments of the path), for any number of matches that differ in hostname, path or
 * an exact condition.
 *
 * @param floor The floor.
 * @param hostnames The hostnames that can take the host of the request.
 * @param request The request.
 * @param regularExpression The engine for regular expressions, if there is one.
 */
export function takeAt(
  { buckets, served }: Floor,
  hostnames: readonly string[],
  request: ConcreteRequest,
  regularExpression: RegularExpression | undefined,
): TakenAt {
  const named = hostnames.filter((hostname) => buckets.has(hostname));
  if (named.length === 0) return nothing;
  const oldest = hostnames.flatMap((hostname) => served.get(hostname) ?? []).sort((a, b) => a.place - b.place)[0];
  const isServed = ({ match: { kind } }: RankedMatch): boolean =>
    oldest === undefined || kind === oldest.kind || !exclusive.has(kind);
  const places = placesFor(request.path);
  const keys = keysFor(request);
  let taker: RankedMatch | undefined;
  const open: RankedMatch[] = [];
  for (const hostname of named) {
    const byPlace = buckets.get(hostname);
    for (const place of places) {
      const bucket = byPlace?.get(place);
      if (bucket === undefined) continue;
      for (const key of keys) {
        for (const match of bucket.get(key) ?? []) {
          if (taker !== undefined && taker.rank <= match.rank) break; // The others have a higher rank still.
          if (!isServed(match)) continue;
          const met = meetsAll(request, match, regularExpression);
          if (met === 'yes') taker = match;
          else if (met === 'undecided') open.push(match);
        }
      }
    }
  }
  const last = taker?.rank ?? Number.POSITIVE_INFINITY;
  return { taker, hidden: open.filter(({ rank }) => rank < last).sort((a, b) => a.rank - b.rank) };
}

/** The kinds of routes: a listener serves one of them for a host. */
const exclusive: ReadonlySet<string> = new Set(['HTTPRoute', 'GRPCRoute']);

/** Returns the keys of all places that take a path. */
function placesFor(path: string): readonly string[] {
  const call = callIn(path);
  return [
    exactKey(path),
    'expression',
    ...[...prefixesOf(path)].map(prefixKey),
    ...(call === undefined
      ? []
      : [callKey(call.service, call.call), callKey(call.service, ''), callKey('', call.call), callKey('', '')]),
    'any',
  ];
}

function meetsAll(
  request: ConcreteRequest,
  { match: { conditions, isCall } }: RankedMatch,
  regularExpression: RegularExpression | undefined,
): 'yes' | 'no' | 'undecided' {
  if (isCall && callIn(request.path) === undefined) return 'no';
  let isOpen = false;
  for (const condition of conditions) {
    const met = meets(request, condition, regularExpression);
    if (met === 'no') return 'no';
    isOpen ||= met === 'undecided';
  }
  return isOpen ? 'undecided' : 'yes';
}
