import type { ConcreteRequest } from './concrete-request.ts';
import type { Contender, RankedMatch } from './contender.ts';
import { type Contest, type Hindrance, hindrancesOf, isDecided, type Taken } from './contest.ts';
import { isInCell, leastRequest, simplerRequests, type Unused } from './least-request.ts';
import { type Cell, cellAt, meet, regionOf } from './region.ts';

/** Whether a match takes any request of a cell. */
export type Reached =
  /** It takes this request. */
  | { readonly by: 'request'; readonly request: ConcreteRequest }
  /** It may take this request: facts decide that are not known, such as regular expressions and ages. */
  | {
      readonly by: 'undecided';
      readonly hiddenBy: readonly Hindrance[];
      readonly request: ConcreteRequest;
      /** The other matches that may take the request, if one of them or the match itself takes it, and the match is the first of these. */
      readonly others?: readonly RankedMatch[];
    }
  /** Earlier matches take all of its requests, or it is never compared with any. */
  | { readonly by: 'none' };

/** The requests that a match is asked about. */
export interface ReachQuestion {
  readonly cell: Cell;
  /** Requests that are not meant. */
  readonly except: readonly Cell[];
  /** Values that neither the cells nor the contest compare. */
  readonly unused: Unused;
}

const never: Reached = { by: 'none' };

/**
 * Finds out whether a match takes any request of a cell, other than those of excepted cells.
 *
 * It suffices to try the least request: an earlier match, or an exception, that takes the least request takes every other one, since all conditions ask
 * for something to be there.
 *
 * @param contest The contest of the match.
 * @param contender The match.
 * @param question The cell, the exceptions, and values that neither these nor the contest compare.
 * @returns A request that it takes; or what hides whether there is one.
 */
export function reach(contest: Contest, contender: Contender, question: ReachQuestion): Reached {
  const { unused } = question;
  const cell = cellAt(question.cell, contest.entry);
  const own = regionOf(contender);
  const region = own && cell && meet(own, cell);
  if (cell === undefined || region === undefined) return never;
  const except = question.except.flatMap((it) => cellAt(it, contest.entry) ?? []);
  const isMeant = (request: ConcreteRequest): boolean =>
    isInCell(request, cell) && !except.some((it) => isInCell(request, it));
  const least = leastRequest(region, unused);
  if (!isMeant(least)) return never;
  const taken = contest.take(least);
  const place = takerPlace(taken, contender);
  if (place < 0) return never;
  const hiddenBy = hindrancesOf(taken, place, contest.floorOf(contender.listener));
  const simpler = [...simplerRequests(least, unused)].filter(isMeant);
  const request = firstTaken(contest, contender, [...simpler, least], hiddenBy.length > 0);
  if (request !== undefined) return { by: 'request', request };
  const others = taken.taker === contender ? taken.takers.filter((_, index) => index !== place) : undefined;
  return { by: 'undecided', hiddenBy, request: least, ...(others && { others: others.map(({ match }) => match) }) };
}

/** Returns the place of a match among the takers of a request; -1 if it is none of these. */
export function takerPlace(taken: Taken, { index }: Contender): number {
  return taken.takers.findIndex(({ match, first = taken.first }) => first + match.rank === index);
}

/** Returns the first request that a match takes for certain. */
function firstTaken(
  { take, options }: Contest,
  contender: Contender,
  requests: readonly ConcreteRequest[],
  isHidden: boolean,
): ConcreteRequest | undefined {
  if (isHidden && options.regularExpression === undefined) return undefined;
  return requests.find((request) => {
    const taken = take(request, isHidden);
    return taken.taker === contender && isDecided(taken);
  });
}
