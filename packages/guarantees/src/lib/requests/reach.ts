import type { ConcreteRequest } from './concrete-request.ts';
import type { Contender, RankedMatch } from './contender.ts';
import { type Contest, engineFor, type Hindrance } from './contest.ts';
import { isInCell, leastRequest, simplerRequests, type Unused } from './least-request.ts';
import { type Cell, cellAt, meet, type Region, regionOf } from './region.ts';
import { type SearchSpace, type Shown, searchRequest } from './search.ts';
import { type Standing, standingOf } from './standing.ts';
import { conditionsOfCell, conditionsOfMatch } from './text-fields.ts';

/** Whether a match takes any request of a cell. */
export type Reached =
  /** It takes this request. */
  | { readonly by: 'request'; readonly request: ConcreteRequest }
  /** It may take this request: facts decide that are not known, such as regular expressions and ages. */
  | {
      readonly by: 'undecided';
      readonly hiddenBy: readonly Hindrance[];
      readonly request: ConcreteRequest;
      /** The indices of the other matches that may take the request, if one of these or the match itself certainly does. */
      readonly others?: readonly number[];
    }
  /** Earlier matches take all of its requests, or it is never compared with any. */
  | { readonly by: 'none'; readonly takers?: readonly RankedMatch[] };

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
 * Without regular expressions, it suffices to try the least request: an earlier match, or an exception, that takes the least request takes every
 * other one, because each condition asks for something to be there. With the languages of regular expressions, the search covers requests with
 * texts that the earlier matches do not compare.
 *
 * @param contest The contest of the match.
 * @param question The cell, the exceptions, and values that neither these nor the contest compare.
 * @returns A request that it takes; or the doubts about whether one exists.
 */
export function reach(contest: Contest, contender: Contender, question: ReachQuestion): Reached {
  const meant = requestsMeant(question, contest);
  const own = regionOf(contender);
  const region = own && meant && meet(own, meant.cell);
  if (meant === undefined || region === undefined) return never;
  const candidate = { contest, contender };
  return attempt({
    contest,
    region,
    unused: question.unused,
    meant,
    matches: [contender],
    standing: (request, engine) => standingOf(candidate, request, engine),
  });
}

/** Requests of a cell, apart from others. */
export interface RequestsMeant {
  readonly cell: Cell;
  readonly except: readonly Cell[];
}

/** Returns the requests of a question at an entry; `undefined` if there are none. */
export function requestsMeant({ cell, except }: ReachQuestion, { entry }: Contest): RequestsMeant | undefined {
  const here = cellAt(cell, entry);
  return here && { cell: here, except: except.flatMap((it) => cellAt(it, entry) ?? []) };
}

/** An attempt to find a request of a region. */
export interface Attempt {
  readonly contest: Contest;
  readonly region: Region;
  readonly unused: Unused;
  readonly meant: RequestsMeant;
  /** The matches that the requests meet. */
  readonly matches: readonly RankedMatch[];
  /** Returns whether a request is one that is looked for, apart from the exceptions. */
  readonly standing: (request: ConcreteRequest, engine?: Parameters<typeof standingOf>[2]) => Standing;
}

/** Returns a request of a region that is looked for. */
export function attempt({ contest, region, unused, meant, matches, standing }: Attempt): Reached {
  const { regularLanguages: languages } = contest.options;
  const least = leastRequest(region, unused);
  const isMeant = (request: ConcreteRequest): boolean =>
    isInCell(request, meant.cell) && !meant.except.some((it) => isInCell(request, it));
  const engine = engineFor(contest.options);
  const simplest = (request: ConcreteRequest): ConcreteRequest | undefined =>
    [...simplerRequests(request, unused), request].find((it) => isMeant(it) && standing(it, engine).takes === 'yes');
  if (languages !== undefined && !isSimple(matches, meant, least, standing)) {
    const found = searchRequest({
      languages,
      region,
      least,
      matches,
      expressions: contest.expressions,
      show: shownBy(meant, standing),
    });
    if (found.by === 'request') return { by: 'request', request: simplest(found.request) ?? found.request };
    const { others } = found.by === 'undecided' ? standing(found.request) : {};
    return { ...found, ...(others && { others }) };
  }
  if (!isMeant(least)) return never;
  const { takes, hiddenBy, rival, others } = standing(least);
  if (takes === 'no') return { by: 'none', ...(rival && { takers: [rival] }) };
  const request = takes === 'yes' || engine !== undefined ? simplest(least) : undefined;
  if (request !== undefined) return { by: 'request', request };
  return { by: 'undecided', hiddenBy, request: least, ...(others && { others }) };
}

/** Returns whether no regular expression decides about requests, so that the least one speaks for all. */
function isSimple(
  matches: readonly RankedMatch[],
  { except }: RequestsMeant,
  least: ConcreteRequest,
  standing: Attempt['standing'],
): boolean {
  if (matches.some(({ expressions }) => expressions.length > 0)) return false;
  if (except.some((it) => isInCell(least, it))) return true;
  const { takes, rival } = standing(least);
  return takes === 'yes' || rival?.expressions.length === 0;
}

/** Returns the requests to show: requests of exceptions are not looked for. */
function shownBy({ cell, except }: RequestsMeant, standing: Attempt['standing']): SearchSpace['show'] {
  return (request, engine): Shown => {
    if (!isInCell(request, cell)) return { answer: 'no', hiddenBy: [] };
    const excepted = except.find((it) => isInCell(request, it));
    if (excepted !== undefined) return { answer: 'no', hiddenBy: [], without: conditionsOfCell(excepted) };
    const { takes, hiddenBy, rival } = standing(request, engine);
    return { answer: takes, hiddenBy, match: rival, without: rival && conditionsOfMatch(rival) };
  };
}
