import type { RegularExpression } from '@policy-machinery/gateway-api';
import type { ConcreteRequest } from './concrete-request.ts';
import type { Contender, RankedMatch } from './contender.ts';
import { type Contest, type Hindrance, hindrancesOf, isDecided, type Taken } from './contest.ts';
import { type Floor, type MetAt, type TakenAt, takenOf } from './floor.ts';

/** A match, and the contest where it takes requests; no match for the requests that none takes. */
export interface Candidate<Match extends Contender | undefined = Contender | undefined> {
  readonly contest: Contest;
  readonly contender: Match;
}

/** Whether a candidate takes a request. */
export interface Standing {
  /** Whether it does; `undecided` if facts decide that are not known. */
  readonly takes: 'yes' | 'undecided' | 'no';
  readonly hiddenBy: readonly Hindrance[];
  /** A match that takes the request, or may take it, so that the candidate does not take it for certain. Default: none. */
  readonly rival?: RankedMatch | undefined;
  /** The indices of the other matches that may take the request, if one of these or the candidate certainly does. Default: not known. */
  readonly others?: readonly number[];
}

export function standingOf(
  { contest, contender }: Candidate,
  request: ConcreteRequest,
  engine?: RegularExpression,
): Standing {
  const taken = contest.take(request, engine);
  const { taker, takers, listener } = taken;
  if (contender?.isTaken !== true) {
    const isThere = contender === undefined || (listener?.name ?? '') === contender.listener.name;
    if (!isThere) return { takes: 'no', hiddenBy: [] };
    if (taker !== undefined) return { takes: 'no', hiddenBy: [], rival: takers.find(isCertain)?.match };
    return { ...standingBy(conditional(takers), takers.length === 0), ...othersAmong(taken) };
  }
  const place = takerPlace(taken, contender);
  const floor = contest.floorOf(contender.listener);
  if (place < 0) return standingElsewhere(taken, contender, floor);
  const hiddenBy = hindrancesOf(taken, place, floor);
  const own = takers[place]?.match;
  const standing = standingBy(hiddenBy, taker === contender && isDecided(taken), own);
  return { ...standing, ...(taker === contender && othersAmong(taken, place)) };
}

/** Returns the other takers of a request; nothing if the state of a listener decides whether the request arrives there. */
function othersAmong({ takers, first: start }: Taken, place?: number): Pick<Standing, 'others'> {
  if (takers.some(({ first, dependsOn }) => first !== undefined && dependsOn !== 'listener isolation')) return {};
  return {
    others: takers.flatMap(({ match, first = start }, index) => (index === place ? [] : first + match.rank)),
  };
}

function standingBy(hiddenBy: readonly Hindrance[], isTaken: boolean, own?: RankedMatch): Standing {
  const rival = hiddenBy.find(({ match }) => match !== own)?.match;
  return { takes: isTaken ? 'yes' : 'undecided', hiddenBy, ...(rival && { rival }) };
}

/** Returns the place of a match among the takers of a request; -1 if it is none of these. */
function takerPlace(taken: Taken, { index }: Contender): number {
  return taken.takers.findIndex(({ match, first = taken.first }) => first + match.rank === index);
}

/** Returns whether a match takes a request that arrives at another listener, or that other matches of its own listener take first. */
function standingElsewhere(
  { met, takers, listener, misdirected }: Taken,
  contender: Contender,
  floor: Floor,
): Standing {
  const { index, rank } = contender;
  const place = misdirected.find(({ first }) => first === index - rank);
  const own = place && takenOf(place.met, floor).find(({ match }) => match.rank === rank);
  if (own !== undefined) {
    const { match, dependsOn = place?.dependsOn ?? 'server name' } = own;
    return { takes: 'undecided', hiddenBy: [{ match, dependsOn }] };
  }
  const isHere = listener === contender.listener;
  const rival =
    isHere || place !== undefined ? precedingIn(place?.met ?? met, contender, floor) : takers.find(isCertain)?.match;
  return { takes: 'no', hiddenBy: [], rival };
}

/** Returns a match that takes a request before another match of its listener, which meets it. */
function precedingIn(met: MetAt, { rank }: Contender, { unknownBetween, matches }: Floor): RankedMatch | undefined {
  const own = matches[rank];
  const isBefore = (match: RankedMatch) => match.rank < rank && own && unknownBetween(match, own) === undefined;
  return met.find((it) => isCertain(it) && isBefore(it.match))?.match;
}

function isCertain({ dependsOn }: TakenAt[number]): boolean {
  return dependsOn === undefined;
}

function conditional(takers: TakenAt): readonly Hindrance[] {
  return takers.flatMap(({ match, dependsOn }) => (dependsOn === undefined ? [] : { match, dependsOn }));
}
