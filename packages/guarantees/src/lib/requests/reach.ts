import type { ConcreteRequest } from './concrete-request.ts';
import type { Contender, RankedMatch } from './contender.ts';
import type { Contest } from './contest.ts';
import { isInCell, leastRequest, simplerRequests, type Unused } from './least-request.ts';
import { type Cell, cellAt, meet, type Region, regionOf } from './region.ts';

/** Whether a match takes any request of a cell. */
export type Reached =
  /** It takes this request. */
  | { readonly by: 'request'; readonly request: ConcreteRequest }
  /** Regular expressions decide: its own, or those of matches before it. */
  | { readonly by: 'expressions'; readonly hiddenBy: readonly RankedMatch[]; readonly request: ConcreteRequest }
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
 * It suffices to try the least request of each set of hosts that the listener treats alike: an earlier match, or an exception, that takes the least
 * request takes every request of the set, since all conditions ask for something to be there.
 *
 * @param contest The contest of the match.
 * @param contender The match.
 * @param question The cell, the exceptions, and values that neither these nor the contest compare.
 * @returns A request that it takes; or what hides whether there is one. O(hosts with routes of another kind), usually one attempt.
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
  let hidden: Reached = never;
  for (const attempt of attemptsIn(contest, contender, region)) {
    const least = leastRequest(attempt, unused);
    if (!isMeant(least)) continue;
    const { listener, taker, hidden: before } = contest.take(least);
    if (listener !== contender.listener) continue;
    if (taker !== contender && !before.some(({ rank }) => rank === contender.rank)) continue;
    const hiddenBy = before.filter(({ rank }) => rank <= contender.rank);
    const simpler = [...simplerRequests(least, unused)].filter(isMeant);
    const request = firstTaken(contest, contender, [...simpler, least], hiddenBy.length > 0);
    if (request !== undefined) return { by: 'request', request };
    if (hidden.by === 'none') hidden = { by: 'expressions', hiddenBy, request: least };
  }
  return hidden;
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
    const { taker, hidden } = take(request, isHidden);
    return taker === contender && hidden.length === 0;
  });
}

/** Returns the region with its most general hosts, then with the hosts that a listener may serve with another kind of route. */
function* attemptsIn(contest: Contest, { listener }: Contender, region: Region): Iterable<Region> {
  yield region;
  for (const hostname of contest.servedBelow(listener, region.hostname)) yield { ...region, hostname };
}
