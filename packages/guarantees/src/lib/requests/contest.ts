import type { RegularLanguages } from '@policy-machinery/cel/languages';
import type {
  GatewayListener,
  RegularExpression,
  RegularExpressionPaths,
  UnknownFact,
} from '@policy-machinery/gateway-api';
import { type ConcreteRequest, hostnamesFor } from './concrete-request.ts';
import { type Contender, contenderAt, protocolOf, type RankedMatch, untakenAt } from './contender.ts';
import type { Entry } from './entries.ts';
import { type Floor, Floors, type MetAt, metAt, type ServerNameFact, type TakenAt, takenOf } from './floor.ts';

/** The behavior that Gateway API leaves to implementations. */
export interface ContestOptions {
  /** The engine for regular expressions. Default: none; requests that depend on one are undecided. */
  readonly regularExpression?: RegularExpression | undefined;
  /**
   * The languages of regular expressions, which decide whether a match takes any requests: `re2Languages()` of `@policy-machinery/cel/languages`. They
   * take the place of the engine. Default: only requests without them are found.
   */
  readonly regularLanguages?: RegularLanguages | undefined;
  /** The precedence of paths that are regular expressions. Default `before-prefixes`. */
  readonly regularExpressionPaths?: RegularExpressionPaths | undefined;
}

/** The handling of a request at an entry. */
export interface Taken {
  /** The listener where the request arrives; `undefined` if none takes its host. */
  readonly listener: GatewayListener | undefined;
  /** The match that takes the request, unless another one of `takers` does; `undefined` if none is known to take it. */
  readonly taker: Contender | undefined;
  /** The matches that may take the request, in order. */
  readonly takers: TakenAt;
  /** The matches of the listener that the request meets, or may meet, in order: with those that others precede, if facts about the matches are not known. */
  readonly met: MetAt;
  /** The place of the first match of the listener in the contest. */
  readonly first: number;
  /** The matches of other listeners that the same request may meet with another server name. */
  readonly misdirected: readonly Misdirected[];
}

/** A listener that may take requests by their server name although another one takes their host. */
interface Misdirected extends Pick<Taken, 'met' | 'first'> {
  readonly dependsOn: ServerNameFact;
}

const nothing: Taken = { listener: undefined, taker: undefined, takers: [], met: [], first: 0, misdirected: [] };

/** Returns whether the handling of a request is decided: the taker takes the request, or no match does. */
export function isDecided({ taker, takers }: Taken): boolean {
  return takers.length === (taker === undefined ? 0 : 1);
}

/** A doubt about whether a match takes a request. */
export interface Hindrance {
  /** The match that depends on the fact; of an order, the match that may come first. */
  readonly match: RankedMatch;
  readonly dependsOn: UnknownFact | ServerNameFact;
  /** The other match of an order that is not known. */
  readonly other?: RankedMatch;
}

/**
 * Returns the doubts about whether a match takes a request.
 *
 * @param place The place of the match among the takers of the request.
 */
export function hindrancesOf({ takers }: Taken, place: number, { unknownBetween }: Floor): readonly Hindrance[] {
  const own = takers[place];
  if (own === undefined) return [];
  // Other matches of expressions that are not decided have their own hindrances: naming all for each would take the square of their number.
  if (own.dependsOn === 'regular expression') return [{ match: own.match, dependsOn: own.dependsOn }];
  return takers.flatMap(({ match, dependsOn, first }, index): Hindrance | readonly Hindrance[] => {
    if (index === place) return dependsOn === undefined ? [] : { match, dependsOn };
    if (first !== own.first) return index < place && dependsOn !== undefined ? { match, dependsOn } : [];
    const unknown = index < place ? unknownBetween(match, own.match) : unknownBetween(own.match, match);
    if (unknown !== undefined) return { match, dependsOn: unknown, other: own.match };
    return index < place && dependsOn !== undefined ? { match, dependsOn } : [];
  });
}

/** The matches of all rules at one entry. */
export interface Contest {
  readonly entry: Entry;
  readonly options: ContestOptions;
  /** The matches at listeners that take requests, by listener and in order of precedence. */
  readonly contenders: readonly Contender[];
  /** The requests that no rule takes, by listener; the last one stands for hosts that no listener takes. */
  readonly untaken: readonly Contender[];
  /** The floors of the listeners, each once. */
  readonly floors: readonly Floor[];
  /** The number of matches with regular expressions. */
  readonly expressions: number;
  /** Contests of the same shape have matches with the same conditions at the same indices, so that each takes the same requests. */
  readonly shape: string;
  /**
   * Returns the taker of a request, as `traceRequest` does.
   *
   * @param engine The engine for regular expressions. Default: the engine of the languages. Without languages, they are undecided, so that the
   * answer also holds for requests with more headers and longer paths.
   */
  readonly take: (request: ConcreteRequest, engine?: RegularExpression) => Taken;
  readonly floorOf: (listener: GatewayListener) => Floor;
  /** Returns the hostnames below a hostname with hosts that other listeners take. */
  readonly divisionsBelow: (hostname: string) => readonly string[];
}

/** A listener at its floor: the first of its contenders is at an index. */
interface FloorPlace {
  readonly floor: Floor;
  readonly hostname: string;
  readonly listener: GatewayListener;
  readonly first: number;
}

/**
 * Creates the contest of an entry.
 *
 * @param options The options that Gateway API leaves to implementations.
 * @param floors The floors of the Gateway's listeners so far. Default: none.
 * @returns The contest. O(m) for m matches, and O(m log m) for listeners with new floors.
 */
export function createContest(entry: Entry, options: ContestOptions = {}, floors = floorsFor(options)): Contest {
  const { contenders, byHostname, byListener } = placeListeners(entry, floors);
  const placesFor = (hostname: string) => byHostname.get(hostname) ?? [];
  const defaultEngine = options.regularLanguages?.engine('every');
  const floorOf = (listener: GatewayListener): Floor => {
    const floor = byListener.get(listener);
    if (floor === undefined) throw new TypeError(`the listener ${listener.name} takes no requests of this entry`);
    return floor;
  };
  const all = [...byListener.values()];
  const distinct = [...new Set(all)];
  const untaken = [...byHostname.values(), []].flatMap(
    ([place], index) => untakenAt(entry, place, contenders.length + index) ?? [],
  );
  return {
    entry,
    options,
    contenders,
    expressions: distinct.flatMap(({ matches }) => matches).filter((match) => match.expressions.length > 0).length,
    untaken,
    floors: distinct,
    shape: all.map((floor) => floors.idOf(floor)).join(' '),
    take: (request, engine = defaultEngine) => taken(request, contenders, placesFor, engine),
    floorOf,
    divisionsBelow: (hostname) => below(hostname, [...byHostname.keys()]),
  };
}

/** The listeners of an entry that take requests. */
interface PlacedListeners {
  readonly contenders: readonly Contender[];
  /** The listeners of each hostname: the second one takes requests only if the first one does not. */
  readonly byHostname: ReadonlyMap<string, readonly FloorPlace[]>;
  readonly byListener: ReadonlyMap<GatewayListener, Floor>;
}

function placeListeners(entry: Entry, floors: Floors): PlacedListeners {
  const byHostname = new Map<string, FloorPlace[]>();
  const byListener = new Map<GatewayListener, Floor>();
  const contenders: Contender[] = [];
  for (const listener of [...entry.listeners].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const floor = listener.lostBy === undefined ? floors.of(entry, listener) : undefined;
    if (floor === undefined) continue;
    const first = contenders.length;
    byListener.set(listener, floor);
    const place = { floor, hostname: floor.hostname, listener, first };
    const places = byHostname.get(floor.hostname);
    if (places === undefined) byHostname.set(floor.hostname, [place]);
    else places.push(place);
    for (const match of floor.matches) contenders.push(contenderAt(entry, listener, match, contenders.length));
  }
  return { contenders, byHostname, byListener };
}

/**
 * Returns the takers of a request with its host as the server name: the listener of its most specific hostname, and others unless that one takes
 * requests for certain and is isolated.
 */
function taken(
  request: ConcreteRequest,
  contenders: readonly Contender[],
  placesFor: (hostname: string) => readonly FloorPlace[],
  engine: RegularExpression | undefined,
): Taken {
  const hostnames = [...hostnamesFor(request.host)];
  const places = hostnames.flatMap(placesFor);
  const [place] = places;
  if (place === undefined) return nothing;
  const { floor, listener, first } = place;
  const met = metAt(floor, hostnames, request, engine);
  const arriving = takenOf(met, floor);
  const certain = arriving.flatMap(({ match, dependsOn }) => (dependsOn === undefined ? match : []));
  const metElsewhere = (other: FloorPlace): MetAt => metAt(other.floor, hostnames, request, engine);
  const { dependsOn = 'listener isolation' } = listener;
  const takers = otherPlaces(places).flatMap((other): TakenAt => {
    const left = takenOf(metElsewhere(other), other.floor).filter(
      ({ match }) => !certain.some((taker) => floor.precedes(taker, match)),
    );
    return left.map(({ match }) => ({ match, dependsOn, first: other.first }));
  });
  const taker = certain[0] && contenders[first + certain[0].rank];
  const serverName = mayDiffer(listener);
  const misdirected = places
    .slice(1)
    .flatMap((other): Misdirected | readonly Misdirected[] =>
      serverName === undefined ? [] : { met: metElsewhere(other), first: other.first, dependsOn: serverName },
    );
  return { listener, taker, takers: [...takers, ...arriving], met, first, misdirected };
}

/** Returns no floors, for options. */
export function floorsFor({ regularExpressionPaths, regularLanguages }: ContestOptions): Floors {
  return new Floors(regularExpressionPaths, regularLanguages);
}

export function engineFor({ regularExpression, regularLanguages }: ContestOptions): RegularExpression | undefined {
  return regularLanguages?.engine('every') ?? regularExpression;
}

/** Returns the places behind the first one that a request may reach: up to a listener that takes requests for certain and is isolated. */
function otherPlaces(places: readonly FloorPlace[]): readonly FloorPlace[] {
  const last = places.findIndex(
    ({ listener: { dataPlane, dependsOn } }) => dependsOn === undefined && dataPlane?.listenerIsolation === 'supported',
  );
  return places.slice(1, last < 0 ? undefined : last + 1);
}

/** Returns why the host of a request may differ from the server name of its connection, which decides the listener; `undefined` if it cannot. */
function mayDiffer(listener: GatewayListener): ServerNameFact | undefined {
  const { misdirectedRequests } = listener.dataPlane ?? {};
  if (protocolOf(listener) !== 'HTTPS' || misdirectedRequests === 'refused') return undefined;
  return misdirectedRequests === 'served' ? 'misdirected request' : 'server name';
}

function below(wildcard: string, hostnames: readonly string[]): readonly string[] {
  if (!wildcard.startsWith('*')) return [];
  return hostnames.filter((name) => name !== wildcard && name.endsWith(wildcard.slice(1)));
}
