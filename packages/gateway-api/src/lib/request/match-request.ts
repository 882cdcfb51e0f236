import { groupedBy } from '@policy-machinery/resource/inner';
import { compareValues } from '../fields/compare-objects.ts';
import { compareHostnameSpecificity } from '../fields/hostname.ts';
import { type RegularExpressionPaths, unknownDataPlane } from '../listeners/data-plane.ts';
import type { RegularExpression } from '../matching/check.ts';
import { checkRequest } from '../matching/check-request.ts';
import { type HttpRequest, mergedSlashes, readRequest } from '../matching/http-request.ts';
import type { LostMatch, Precedence, RequestAnswer, RequestListener, UndecidedMatch, UnknownFact } from './answer.ts';
import { type Arrival, type Candidate, findingsAt } from './candidates.ts';
import { hostnameOf } from './host-routes.ts';
import { compareBy, compareMatches, type PrecedenceRule, precedenceRules } from './precedence.ts';
import type { Question } from './question.ts';

/** The behavior that Gateway API leaves to implementations. */
export interface MatchOptions {
  /** The engine for regular expressions. Default: none; matches that depend on one are undecided. */
  readonly regularExpression?: RegularExpression | undefined;
  /** The precedence of paths that are regular expressions. Default `before-prefixes`. */
  readonly regularExpressionPaths?: RegularExpressionPaths | undefined;
}

/**
 * Finds the listener, route, rule and match that take a request, by the precedence of Gateway API, and reports why the others
 * do not.
 *
 * A request arrives at one listener of a port only, the most specific one for its host. If the data plane supports Gateway API's listener isolation, it
 * does not reach the routes of any other listener; otherwise these are undecided, unless they lose by the other rules. Among routes the most specific hostname decides first: the hostname of a route, or its intersection with the hostname of the listener, as `dataPlane` of the listener decides. Routes for connections (TLSRoute, TCPRoute, UDPRoute) do not have matches: the first rule takes all requests of the route, a TLSRoute by its hostnames, the others by the port of their listener alone.
 *
 * @param listeners The listeners of one Gateway, each with the routes that are attached to it; without those that are not
 * accepted, or with `lostBy`. The fields of routes may be anything; values that Gateway API does not allow are `invalid` and take no request. A
 * route that is there twice, with one namespace and name, takes it where it is listed first.
 * @param options The behavior that Gateway API leaves to implementations.
 * @returns An answer for each port among the listeners, in order; for one port at most, if the request names the port or listener. The order of
 * listeners and routes makes no other difference. Cost: O(m log m) for m matches, and one run of the engine for each regular expression.
 * @throws {PolicyMachineryError} `invalid-request`, if the request does not conform to {@link HttpRequest}. Never for listeners and
 * routes: a route that is not JSON is `invalid`.
 * @example
 * ```ts
 * const listeners = [{ name: 'https', port: 443, hostname: '*.example.com', routes: [shop, cart] }];
 * const [answer] = matchRequest({ host: 'shop.example.com', path: '/cart/7' }, listeners);
 * answer?.winner?.route === cart;
 * answer?.lost.map(({ route, lostBy }) => [route.metadata.name, lostBy]); // [['shop', 'longer prefix']]
 * ```
 */
export function matchRequest<Listener extends RequestListener>(
  request: HttpRequest,
  listeners: readonly Listener[],
  { regularExpression, regularExpressionPaths = 'before-prefixes' }: MatchOptions = {},
): readonly RequestAnswer<Listener>[] {
  const asked = checkRequest(request);
  const read = readRequest(asked);
  const question: Question = { request: read, merged: mergedSlashes(read), regularExpression, hostnames: new Map() };
  const comesBy = question.request.transport;
  const reachable = listeners.filter(
    ({ port, name, transport = comesBy }) =>
      transport === comesBy && (asked.port ?? port) === port && (asked.listener ?? name) === name,
  );
  const byPort = new Map<number, Listener[]>();
  for (const listener of reachable) {
    const atPort = byPort.get(listener.port);
    if (atPort === undefined) byPort.set(listener.port, [listener]);
    else atPort.push(listener);
  }
  return [...byPort]
    .sort(([a], [b]) => a - b)
    .map(([port, atPort]) => ({
      port,
      ...answerAt(mostSpecificFirst(atPort, question.request.host), question, regularExpressionPaths),
    }));
}

/** Why a match does not take a request: the rule that makes it lose, or the unknown fact that decides; neither if it takes the request. */
interface Loss {
  readonly lostBy?: Precedence;
  readonly unknown?: Pick<UndecidedMatch, 'dependsOn' | 'pointer'>;
}

/**
 * Returns why a match does not take a request.
 *
 * @param certain The matches that take the request for certain, unless others precede them; sorted.
 */
function lossTo<Listener extends RequestListener>(
  certain: readonly Candidate<Listener>[],
  candidate: Candidate<Listener>,
  rules: readonly PrecedenceRule[],
): Loss {
  let unknown: UnknownFact | undefined;
  for (const other of certain) {
    if (other === candidate) break; // The matches behind it do not precede it.
    const compared = compareMatches(other, candidate, rules);
    if (compared.by !== undefined) return { lostBy: compared.by };
    if (compared.unknown === undefined && compareBy(rules)(other, candidate) === 0) return { lostBy: 'listed first' };
    unknown ??= compared.unknown;
  }
  if (unknown === undefined) return {};
  const { ruleIndex, matchIndex } = candidate.match;
  const pointers: Partial<Record<UnknownFact, string>> = {
    age: '/metadata/creationTimestamp',
    'hostname precedence': '/spec/hostnames',
  };
  const pointer = pointers[unknown] ?? `/spec/rules/${ruleIndex}/matches/${matchIndex}`;
  return { unknown: { dependsOn: unknown, pointer } };
}

/** Listeners by their hostnames for a host, the most specific one first, then by name. */
function mostSpecificFirst<Listener extends RequestListener>(
  listeners: readonly Listener[],
  host: string,
): readonly Listener[] {
  return listeners
    .map((listener) => ({ listener, hostname: hostnameOf(listener, host) }))
    .sort(
      (a, b) =>
        compareHostnameSpecificity(a.hostname ?? '*', b.hostname ?? '*') ||
        compareValues(a.listener.name, b.listener.name),
    )
    .map(({ listener }) => listener);
}

/**
 * Returns the facts that decide whether a request that arrives at a listener may also reach the routes of the next one;
 * `undefined` if it does not.
 */
function passesOn({ dependsOn, dataPlane = unknownDataPlane }: RequestListener): UnknownFact | undefined {
  return dependsOn ?? (dataPlane.listenerIsolation === 'supported' ? undefined : 'listener isolation');
}

/** Returns where a request arrives: at the first listener, and possibly at others of its host. */
function arrivals<Listener extends RequestListener>(
  listeners: readonly Listener[],
  { request: { host } }: Question,
): ReadonlyMap<Listener, Arrival> {
  const taking = listeners.filter((it) => it.lostBy === undefined && hostnameOf(it, host) !== undefined);
  const found = new Map<Listener, Arrival>();
  let arrival: Arrival = 'here';
  for (const listener of taking) {
    found.set(listener, arrival);
    const dependsOn = passesOn(listener);
    if (dependsOn === undefined) break;
    if (arrival === 'here') arrival = { dependsOn };
  }
  return found;
}

/** Returns whether a match does not take a request if the listener that the request arrives at is isolated. */
function isIsolated({ excludedBy, reachedIf }: Candidate<RequestListener>): boolean {
  return excludedBy === undefined && reachedIf?.dependsOn === 'listener isolation';
}

/** Returns the answer of the listeners of one port, the most specific one first. */
function answerAt<Listener extends RequestListener>(
  listeners: readonly Listener[],
  question: Question,
  paths: RegularExpressionPaths,
): Omit<RequestAnswer<Listener>, 'port'> {
  const arriving = arrivals(listeners, question);
  const [listener] = arriving.keys();
  const findings = listeners.flatMap((at) => [...findingsAt(at, arriving.get(at) ?? 'elsewhere', question)]);

  const rules = precedenceRules(paths, listener?.dataPlane);
  const matching = findings.flatMap((finding) => ('candidate' in finding ? finding.candidate : []));
  const takingPart = matching.filter(({ excludedBy, open }) => excludedBy === undefined && open === undefined);
  const certainAt = groupedBy(takingPart.sort(compareBy(rules)), ({ match }) => match.listener);
  const certain = (listener && certainAt.get(listener)) ?? [];
  const candidates = matching.map((candidate) =>
    isIsolated(candidate) && lossTo(certain, candidate, rules).lostBy !== undefined
      ? { ...candidate, open: undefined, excludedBy: 'another listener' as const }
      : candidate,
  );
  const contestants = candidates.filter(({ excludedBy }) => excludedBy === undefined).sort(compareBy(rules));
  const excluded = candidates.filter(({ excludedBy }) => excludedBy !== undefined);
  const [winner] = certain;

  const lost: LostMatch<Listener>[] = [];
  const undecided: UndecidedMatch<Listener>[] = [];
  for (const candidate of [...contestants, ...excluded]) {
    const { match, excludedBy, reachedIf } = candidate;
    if (candidate === winner) continue;
    const preceding = certainAt.get(match.listener) ?? [];
    const { lostBy, unknown } = excludedBy === undefined ? lossTo(preceding, candidate, rules) : { lostBy: excludedBy };
    const open = (lostBy === undefined ? reachedIf : undefined) ?? candidate.open ?? unknown;
    if (open !== undefined) undecided.push({ ...match, ...open, ...(lostBy && { lostBy }) });
    else if (lostBy !== undefined) lost.push({ ...match, lostBy });
  }
  return {
    ...(listener && { listener }),
    ...(winner && { winner: winner.match }),
    lost,
    undecided,
    unmatched: findings.flatMap((finding) => ('unmatched' in finding ? finding.unmatched : [])),
  };
}
