import {
  type GatewayListener,
  type ListenerMatches,
  listenerMatches,
  type RegularExpression,
  type RegularExpressionPaths,
} from '@policy-machinery/gateway-api';
import { type Bucket, bucketOf, keysFor } from './bucket.ts';
import { type ConcreteRequest, callIn, hostnamesFor, meets, prefixesOf } from './concrete-request.ts';
import { type Contender, callKey, contendersOf, exactKey, placeKey, prefixKey } from './contender.ts';
import type { Entry } from './entries.ts';

/** The behavior that Gateway API leaves to implementations. */
export interface ContestOptions {
  /** The engine for regular expressions. Default: none; what depends on one is undecided. */
  readonly regularExpression?: RegularExpression | undefined;
  /** The precedence of paths that are regular expressions. Default `before-prefixes`. */
  readonly regularExpressionPaths?: RegularExpressionPaths | undefined;
}

/** What happens to a request at an entry. */
export interface Taken {
  /** The match that takes the request, unless one of `hidden` does; `undefined` if none does. */
  readonly taker: Contender | undefined;
  /** The matches before the taker that take the request if a regular expression matches. */
  readonly hidden: readonly Contender[];
}

const nothing: Taken = { taker: undefined, hidden: [] };

/** The matches of all rules at one entry. */
export interface Contest {
  readonly entry: Entry;
  readonly options: ContestOptions;
  /** The matches at listeners that take requests, by listener and in order of precedence. */
  readonly contenders: readonly Contender[];
  /**
   * Returns what takes a request, as `traceRequest` does. O(labels of the host · segments of the path), for any number of matches that differ in
   * hostname, path or an exact condition.
   *
   * @param withEngine Whether to ask the engine for regular expressions. Default: they are undecided, so that the answer also holds for requests
   * with more headers and longer paths.
   */
  readonly take: (request: ConcreteRequest, withEngine?: boolean) => Taken;
  /** Returns the hostnames below a hostname whose hosts a listener may serve with another kind of route. */
  readonly servedBelow: (listener: GatewayListener, hostname: string) => readonly string[];
  /** Returns the hostnames below a hostname whose hosts other listeners take, or the same one may serve with another kind of route. */
  readonly divisionsBelow: (hostname: string) => readonly string[];
}

/** Creates the contest of an entry. O(m log m) for m matches. */
export function createContest(entry: Entry, options: ContestOptions = {}): Contest {
  const { regularExpression, regularExpressionPaths = 'before-prefixes' } = options;
  const floors = new Map<string, Floor>();
  const byListener = new Map<GatewayListener, Floor>();
  for (const listener of [...entry.listeners].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (listener.lostBy !== undefined) continue;
    const floor = floorOf(entry, listener, regularExpressionPaths);
    if (floor === undefined) continue;
    byListener.set(listener, floor);
    if (!floors.has(floor.hostname)) floors.set(floor.hostname, floor);
  }
  const contenders = [...byListener.values()].flatMap((floor) => floor.contenders);
  const take = (request: ConcreteRequest, withEngine = false): Taken => {
    const hostnames = [...hostnamesFor(request.host)];
    const found = hostnames.find((hostname) => floors.has(hostname));
    const floor = found === undefined ? undefined : floors.get(found);
    return floor === undefined
      ? nothing
      : takeAt(floor, hostnames, request, withEngine ? regularExpression : undefined);
  };
  const servedBelow = (listener: GatewayListener, hostname: string): readonly string[] => {
    const floor = byListener.get(listener);
    return floor?.isMixed === true ? below(hostname, [...floor.served.keys()]) : [];
  };
  const divisions = [...floors.values()].flatMap(({ hostname, isMixed, served }) => [
    hostname,
    ...(isMixed ? served.keys() : []),
  ]);
  const divisionsBelow = (hostname: string): readonly string[] => below(hostname, divisions);
  return { entry, options, contenders, take, servedBelow, divisionsBelow };
}

/** Returns the hostnames below a wildcard. */
function below(wildcard: string, hostnames: readonly string[]): readonly string[] {
  if (!wildcard.startsWith('*')) return [];
  return hostnames.filter((name) => name !== wildcard && name.endsWith(wildcard.slice(1)));
}

/** The matches of one listener, by hostname and path. */
interface Floor {
  readonly hostname: string;
  readonly contenders: readonly Contender[];
  /** By hostname of the route, then by the path. */
  readonly buckets: ReadonlyMap<string, ReadonlyMap<string, Bucket>>;
  /** Whether it serves several kinds of routes, each for other hosts. */
  readonly isMixed: boolean;
  /** The kind of route that the oldest route of each hostname asks for, with the place of that route by age. */
  readonly served: ReadonlyMap<string, { readonly kind: string; readonly place: number }>;
}

function floorOf(entry: Entry, listener: GatewayListener, paths: RegularExpressionPaths): Floor | undefined {
  const { hostname, matches, served } = listenerMatches(listener, { regularExpressionPaths: paths });
  if (hostname === undefined) return undefined;
  const contenders = contendersOf(entry, listener, matches);
  const grouped = new Map<string, Map<string, Contender[]>>();
  for (const contender of contenders) {
    const own = contender.match.match.hostname;
    const places = grouped.get(own) ?? new Map<string, Contender[]>();
    grouped.set(own, places);
    const key = placeKey(contender);
    const there = places.get(key);
    if (there === undefined) places.set(key, [contender]);
    else there.push(contender);
  }
  const buckets = new Map(
    [...grouped].map(([own, places]) => [own, new Map([...places].map(([key, list]) => [key, bucketOf(list)]))]),
  );
  const isMixed = new Set(served.map(({ kind }) => kind)).size > 1;
  return { hostname, contenders, buckets, isMixed, served: servedBy(served) };
}

function servedBy(served: ListenerMatches['served']): Floor['served'] {
  const first = new Map<string, { readonly kind: string; readonly place: number }>();
  served.forEach(({ hostname, kind }, place) => {
    if (!first.has(hostname)) first.set(hostname, { kind, place });
  });
  return first;
}

function takeAt(
  { buckets, served }: Floor,
  hostnames: readonly string[],
  request: ConcreteRequest,
  regularExpression: RegularExpression | undefined,
): Taken {
  const named = hostnames.filter((hostname) => buckets.has(hostname));
  if (named.length === 0) return nothing;
  const oldest = hostnames.flatMap((hostname) => served.get(hostname) ?? []).sort((a, b) => a.place - b.place)[0];
  const isServed = ({ match: { kind } }: Contender): boolean =>
    oldest === undefined || kind === oldest.kind || !exclusive.has(kind);
  const places = placesFor(request.path);
  const keys = keysFor(request);
  let taker: Contender | undefined;
  const open: Contender[] = [];
  for (const hostname of named) {
    const byPlace = buckets.get(hostname);
    for (const place of places) {
      const bucket = byPlace?.get(place);
      if (bucket === undefined) continue;
      for (const key of keys) {
        for (const contender of bucket.get(key) ?? []) {
          if (taker !== undefined && taker.rank <= contender.rank) break; // The others have a higher rank still.
          if (!isServed(contender)) continue;
          const met = meetsAll(request, contender, regularExpression);
          if (met === 'yes') taker = contender;
          else if (met === 'undecided') open.push(contender);
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
  { match: { conditions, isCall } }: Contender,
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
