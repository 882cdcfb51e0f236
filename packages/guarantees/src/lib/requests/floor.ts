import type {
  GatewayListener,
  RegularExpression,
  RegularExpressionPaths,
  UnknownFact,
} from '@policy-machinery/gateway-api';
import { listenerMatches } from '@policy-machinery/gateway-api/inner';
import { type Bucket, bucketOf, keysFor, type Languages, lengthsOf, partsIn } from './bucket.ts';
import { type ConcreteRequest, callIn, meets, prefixesOf } from './concrete-request.ts';
import { callKey, exactKey, expressionKey, placeKey, prefixKey, type RankedMatch, rankedMatches } from './contender.ts';
import type { Entry } from './entries.ts';

/** The matches of a listener, by hostname and path. Listeners with the same hostname and routes share one. */
export interface Floor {
  readonly hostname: string;
  readonly matches: readonly RankedMatch[];
  /** By hostname of the route, then by the path. */
  readonly buckets: ReadonlyMap<string, ReadonlyMap<string, Bucket>>;
  /** Whether all that decides about the matches is known: whether each takes part, and the order of any two. */
  readonly isDecided: boolean;
  /** Returns the unknown fact that decides which of two matches takes a request that meets both. */
  readonly unknownBetween: (earlier: RankedMatch, later: RankedMatch) => UnknownFact | undefined;
  /** Returns those of the matches that a request meets, in order, that may take it. */
  readonly firstAmong: (met: MetAt) => TakenAt;
  /** Returns the keys of the literal texts that a path has and regular expressions need. */
  readonly literalsIn: (path: string) => readonly string[];
  /** Returns whether a match precedes a match of another floor of the Gateway for certain. */
  readonly precedes: (own: RankedMatch, other: RankedMatch) => boolean;
}

/** Why the host of a request may differ from the server name of its connection: the data plane may serve such a misdirected request, or it does. */
export type ServerNameFact = 'server name' | 'misdirected request';

/** A match that a request meets, or may meet. */
export interface MetMatch {
  readonly match: RankedMatch;
  /** The unknown fact that decides whether the match takes part; `undefined` if it does. */
  readonly dependsOn: UnknownFact | ServerNameFact | undefined;
  /** The place of the first match of its listener in the contest. Default: it is a match of the listener where the request arrives. */
  readonly first?: number;
}

/** The matches that a request meets, or may meet, in order. */
export type MetAt = readonly MetMatch[];

/**
 * The handling of a request at a floor: the matches that may take it, in order. One takes the request if its facts say so, and none of those before
 * it does, or no match of unknown order. Without any, no match takes the request.
 */
export type TakenAt = MetAt;

/** The floors of some listeners, each made once for all listeners with the same hostname and routes. */
export class Floors {
  readonly #paths: RegularExpressionPaths;
  readonly #languages: Languages;
  readonly #floors = new Map<string, Floor | undefined>();
  readonly #ids = new Map<unknown, number>();

  /**
   * @param paths The precedence of regular expressions. Default `before-prefixes`.
   * @param languages The languages of regular expressions. Default: none are known.
   */
  constructor(paths: RegularExpressionPaths = 'before-prefixes', languages?: Languages) {
    this.#paths = paths;
    this.#languages = languages;
  }

  /** Returns the floor of a listener; `undefined` if it takes no requests. O(routes), and O(m log m) for m matches if it is the first of its kind. */
  of(entry: Entry, listener: GatewayListener): Floor | undefined {
    const { hostname = '', routes, delegated = [], isFrontend = false, dependsOn, dataPlane = {} } = listener;
    const ids = [...routes, undefined, ...delegated].map((route) => this.idOf(route));
    const key = [entry.transport, isFrontend, dependsOn, hostname, JSON.stringify(dataPlane), ...ids].join(' ');
    if (!this.#floors.has(key)) this.#floors.set(key, floorOf(entry, listener, this.#paths, this.#languages));
    return this.#floors.get(key);
  }

  /** Returns a number for an object, the same each time. */
  idOf(value: unknown): number {
    const id = this.#ids.get(value) ?? this.#ids.size;
    this.#ids.set(value, id);
    return id;
  }
}

function floorOf(
  entry: Entry,
  listener: GatewayListener,
  paths: RegularExpressionPaths,
  languages: Languages,
): Floor | undefined {
  const {
    hostname,
    matches: all,
    isDecided,
    unknownBetween: unknown,
    precedes,
  } = listenerMatches(listener, { regularExpressionPaths: paths });
  if (hostname === undefined) return undefined;
  const matches = rankedMatches(entry, listener, all);
  const grouped = new Map<string, Map<string, RankedMatch[]>>();
  for (const match of matches) {
    const own = match.match.match.hostname;
    const places = grouped.get(own) ?? new Map<string, RankedMatch[]>();
    grouped.set(own, places);
    const key = placeKey(match, languages?.literal);
    const there = places.get(key);
    if (there === undefined) places.set(key, [match]);
    else there.push(match);
  }
  const buckets = new Map(
    [...grouped].map(([own, places]) => [
      own,
      new Map([...places].map(([key, list]) => [key, bucketOf(list, languages)])),
    ]),
  );
  const unknownBetween: Floor['unknownBetween'] = (a, b) => unknown(a.match, b.match);
  return {
    hostname,
    matches,
    buckets,
    isDecided,
    literalsIn: literalsFinder([...buckets.values()].flatMap((places) => [...places.keys()])),
    unknownBetween,
    firstAmong: firstFinder(unknownBetween),
    precedes: (own, other) => precedes(own.match, other.match),
  };
}

/**
 * Returns the matches that a request meets at a floor: those that precede all others, and those that may come first. O(labels of the host · segments
 * of the path), for any number of matches that differ in hostname, path or
 * an exact condition.
 *
 * @param hostnames The hostnames that can take the host of the request.
 * @param regularExpression The engine for regular expressions, if there is one.
 */
export function metAt(
  floor: Floor,
  hostnames: readonly string[],
  request: ConcreteRequest,
  regularExpression: RegularExpression | undefined,
): MetAt {
  const { buckets, isDecided, literalsIn } = floor;
  const named = hostnames.filter((hostname) => buckets.has(hostname));
  const places = [...placesFor(request.path), ...literalsIn(request.path)];
  /** The rank of the first match that takes the request: matches behind it do not, unless the order is not known. */
  let last = Number.POSITIVE_INFINITY;
  const found: MetMatch[] = [];
  for (const hostname of named) {
    const byPlace = buckets.get(hostname);
    for (const place of places) {
      const bucket = byPlace?.get(place);
      if (bucket === undefined) continue;
      for (const list of keysFor(request, bucket).flatMap((key) => [...(bucket.matches.get(key)?.(request) ?? [])])) {
        for (const match of list) {
          if (isDecided && last <= match.rank) break; // The others have a higher rank still.
          const met = meetsAll(request, match, regularExpression);
          if (met === 'no') continue;
          const dependsOn = met === 'undecided' ? 'regular expression' : match.match.dependsOn;
          if (dependsOn === undefined) last = Math.min(last, match.rank);
          found.push({ match, dependsOn });
        }
      }
    }
  }
  const sorted = found.length < 2 ? found : withoutRepeats(found.sort((a, b) => a.match.rank - b.match.rank));
  return isDecided ? sorted.filter(({ match }) => match.rank <= last) : sorted;
}

/** Returns the taker of a request at a floor, among the matches that it meets. */
export function takenOf(met: MetAt, floor: Floor): TakenAt {
  return floor.isDecided ? met : floor.firstAmong(met);
}

/** Returns matches without repeated ones of a rule under a hostname of lower precedence: the first one takes the request if any of them does. */
function withoutRepeats(sorted: TakenAt): TakenAt {
  const known = new Map<object, Set<string>>();
  return sorted.filter(({ match: { match } }) => {
    const { route, ruleIndex, matchIndex } = match.match;
    const ofRoute = known.get(route) ?? new Set();
    known.set(route, ofRoute);
    return ofRoute.size < ofRoute.add(`${ruleIndex} ${matchIndex}`).size;
  });
}

/**
 * Returns a function that returns the matches that no other one precedes that takes part: those that may take the request. O(n · c) for n matches
 * that it meets, c of them for certain; O(n) if these are the last ones again, as for each of several equal matches.
 */
export function firstFinder(unknownBetween: Floor['unknownBetween']): Floor['firstAmong'] {
  let last: { readonly met: MetAt; readonly first: TakenAt } = { met: [], first: [] };
  return (met) => {
    const isLast = ({ match, dependsOn }: MetMatch, place: number): boolean =>
      match === last.met[place]?.match && dependsOn === last.met[place]?.dependsOn;
    if (met.length === last.met.length && met.every(isLast)) return last.first;
    const certain: RankedMatch[] = [];
    const first = met.filter(({ match, dependsOn }) => {
      const isFirst = certain.every((before) => unknownBetween(before, match) !== undefined);
      if (dependsOn === undefined) certain.push(match);
      return isFirst;
    });
    last = { met, first };
    return first;
  };
}

/** Returns a function that returns the keys of regular expressions with literal texts that a path contains. */
function literalsFinder(places: readonly string[]): Floor['literalsIn'] {
  const prefix = expressionKey('');
  const literals = new Set(places.flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : [])));
  const lengths = lengthsOf(literals);
  return (path) =>
    partsIn(path, lengths)
      .filter((part) => literals.has(part))
      .map(expressionKey);
}

/** Returns the keys of all places that take a path. */
function placesFor(path: string): readonly string[] {
  const call = callIn(path);
  return [
    exactKey(path),
    expressionKey(''),
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
