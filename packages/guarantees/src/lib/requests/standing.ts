import type { RegularExpression } from '@policy-machinery/gateway-api';
import type { ConcreteRequest } from './concrete-request.ts';
import type { Contender, RankedMatch } from './contender.ts';
import { type Contest, type Hindrance, hindrancesOf, isDecided, type Taken } from './contest.ts';
import type { Floor, TakenAt } from './floor.ts';

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
  if (place < 0) return { takes: 'no', hiddenBy: [], rival: precedingIn(taken, contender, floor) };
  const hiddenBy = hindrancesOf(taken, place, floor);
  const own = takers[place]?.match;
  const standing = standingBy(hiddenBy, taker === contender && isDecided(taken), own);
  return { ...standing, ...(taker === contender && othersAmong(taken, place)) };
}

/** Returns the other takers of a request; nothing if the server name or the state of a listener decides whether the request arrives there. */
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

/** Returns a match that takes a request before another match, which meets it. */
function precedingIn({ met, takers, listener }: Taken, contender: Contender, floor: Floor): RankedMatch | undefined {
  if (listener !== contender.listener) return takers.find(isCertain)?.match;
  const { unknownBetween, matches } = floor;
  const own = matches[contender.rank] ?? contender;
  return met.find((it) => isCertain(it) && it.match.rank < own.rank && unknownBetween(it.match, own) === undefined)
    ?.match;
}

function isCertain({ dependsOn }: TakenAt[number]): boolean {
  return dependsOn === undefined;
}

function conditional(takers: TakenAt): readonly Hindrance[] {
  return takers.flatMap(({ match, dependsOn }) => (dependsOn === undefined ? [] : { match, dependsOn }));
}
