import type { ConcreteRequest } from './concrete-request.ts';
import type { Contender } from './contender.ts';
import { type Contest, type Hindrance, hindrancesOf, isDecided } from './contest.ts';
import type { TakenAt } from './floor.ts';
import { isInCell, leastRequest, simplerRequests } from './least-request.ts';
import { type Reached, type ReachQuestion, takerPlace } from './reach.ts';
import { cellAt, meetRegions, type Region, regionOf } from './region.ts';

/** A match, and the contest in which it takes requests; no match for the requests that none takes. */
export interface Candidate<Match extends Contender | undefined = Contender | undefined> {
  readonly contest: Contest;
  readonly contender: Match;
}

/** The other requests of a comparison, in one cell. */
export interface ReachBothQuestion extends ReachQuestion {
  /** The headers that the other request lacks. */
  readonly withoutHeaders: ReadonlySet<string>;
}

/**
 * Finds out whether a match takes any request for which another match takes the other request.
 *
 * It suffices to try the least common request of both matches, like {@link reach}, and for no match that of each set of hosts: the other request of the least one is the
 * least among the other requests, since it lacks the same headers.
 *
 * @param own The match that takes the request.
 * @param other The match that takes the other request, or none.
 * @param question The cell, the exceptions, and values that neither these nor the contests compare.
 * @returns A request for which it is so; or what hides whether there is one.
 */
export function reachBoth(own: Candidate<Contender>, other: Candidate, question: ReachBothQuestion): Reached {
  const { unused, withoutHeaders } = question;
  const { entry } = own.contest;
  const cell = cellAt(question.cell, entry);
  if (cell === undefined) return { by: 'none' };
  const except = question.except.flatMap((it) => cellAt(it, entry) ?? []);
  const region = commonRegion(own.contender, other.contender, withoutHeaders);
  const common = region && meetRegions(region, { ...cell, hostname: cell.hostname ?? '*' });
  if (common === undefined) return { by: 'none' };
  const isMeant = (request: ConcreteRequest): boolean =>
    isInCell(request, cell) && !except.some((it) => isInCell(request, it));
  let hidden: Reached = { by: 'none' };
  for (const attempt of attemptsIn(other, common)) {
    const least = leastRequest(attempt, unused);
    if (!isMeant(least)) continue;
    // A request without these headers is compared with itself, so that the same match takes both, however others hide it.
    const isSame = own.contest === other.contest && without(least, withoutHeaders) === least;
    if (isSame && own.contender !== other.contender) continue;
    const hiddenBy = hiddenFor(own, least);
    const hiddenOther = hiddenFor(other, without(least, withoutHeaders));
    if (hiddenBy === undefined || hiddenOther === undefined) continue;
    const all = [...hiddenBy, ...hiddenOther];
    const simpler = [...simplerRequests(least, unused)].filter(isMeant);
    const request = [...simpler, least].find(
      (it) => isTaken(own, it, all.length > 0) && isTaken(other, without(it, withoutHeaders), all.length > 0),
    );
    if (request !== undefined) return { by: 'request', request };
    if (hidden.by === 'none') hidden = { by: 'undecided', hiddenBy: all, request: least };
  }
  return hidden;
}

/**
 * Returns the requests that meet the conditions of a match, and whose other requests meet those of another.
 *
 * @returns The region; `undefined` if there are none.
 */
export function commonRegion(
  own: Contender,
  other: Contender | undefined,
  withoutHeaders: ReadonlySet<string>,
): Region | undefined {
  const region = regionOf(own);
  if (other === undefined || region === undefined) return region;
  const compared = regionOf(other);
  if (compared === undefined || [...compared.headers.keys()].some((name) => withoutHeaders.has(name))) return undefined;
  return meetRegions(region, compared);
}

/** Returns a request without some headers: the same object if it has none of them. */
export function without(request: ConcreteRequest, names: ReadonlySet<string>): ConcreteRequest {
  if (![...names].some((name) => request.headers.has(name))) return request;
  return { ...request, headers: new Map([...request.headers].filter(([name]) => !names.has(name))) };
}

/** Returns the common region with its most general hosts, then with the hosts of other listeners, where no match may take the other request. */
function* attemptsIn({ contest, contender }: Candidate, region: Region): Iterable<Region> {
  yield region;
  if (contender !== undefined) return;
  for (const hostname of contest.divisionsBelow(region.hostname)) yield { ...region, hostname };
}

/** Returns what hides whether a request is taken as a candidate says; `undefined` if it is not. */
function hiddenFor({ contest, contender }: Candidate, request: ConcreteRequest): readonly Hindrance[] | undefined {
  const taken = contest.take(request);
  if (contender === undefined) return taken.taker === undefined ? conditional(taken.takers) : undefined;
  const place = takerPlace(taken, contender);
  return place < 0 ? undefined : hindrancesOf(taken, place, contest.floorOf(contender.listener));
}

function conditional(takers: TakenAt): readonly Hindrance[] {
  return takers.flatMap(({ match, dependsOn }) => (dependsOn === undefined ? [] : { match, dependsOn }));
}

function isTaken({ contest, contender }: Candidate, request: ConcreteRequest, isHidden: boolean): boolean {
  if (isHidden && contest.options.regularExpression === undefined) return false;
  const taken = contest.take(request, isHidden);
  return taken.taker === contender && isDecided(taken);
}
