import type { Contender } from '../requests/contender.ts';
import type { Contest } from '../requests/contest.ts';
import { type Reached, reach } from '../requests/reach.ts';
import { commonRequests, isInSet, type RequestSet } from '../requests/request-sets.ts';
import type { FailingRequests } from '../verify/broken-class.ts';
import type { Examination } from './examination.ts';

type Undecided = Extract<Reached, { readonly by: 'undecided' }>;

/** The searches for one request; beyond these, it stays undecided. */
const mostSearches = 64;

/**
 * Returns requests of a match that break the guarantee, whichever of several matches takes them: these also break it at the other matches.
 *
 * @param reached A request that the match may take.
 * @param requests Requests like this one, which break the guarantee at the match.
 * @param match The match. `others` collects the other matches: the answer depends on the policies that requests meet there.
 * @returns Such requests; `undefined` if none are found.
 */
export function whoeverTakes(
  reached: Undecided,
  requests: RequestSet,
  {
    contest,
    contender,
    by,
    others,
  }: {
    readonly contest: Contest;
    readonly contender: Contender;
    readonly by: Examination;
    readonly others: Set<Contender>;
  },
): Exclude<Reached, { readonly by: 'none' }> | undefined {
  const due: (readonly [Undecided, RequestSet])[] = [[reached, requests]];
  let searches = 0;
  for (let next = due.pop(); next !== undefined; next = due.pop()) {
    const [shown, within] = next;
    const rivals = (shown.others ?? []).flatMap((place) => contest.contenders[place] ?? []);
    for (const rival of rivals) others.add(rival);
    if (rivals.length === 0) continue;
    const failing = firstWithout(shown, rivals, by);
    if (failing === undefined) return shown;
    for (const set of failing) {
      const common = commonRequests(within, set);
      const unused = by.vocabulary.unusedBeside(common.texts);
      for (const cell of common.cells) {
        searches += 1;
        if (searches > mostSearches) return undefined;
        const another = reach(contest, contender, { cell, except: common.except, unused });
        if (another.by === 'request') return another;
        if (another.by === 'undecided') due.push([another, common]);
      }
    }
  }
  return undefined;
}

/** Returns the requests that break the guarantee at the first match where a request does not; `undefined` if the request breaks it at all matches. */
function firstWithout({ request }: Undecided, matches: readonly Contender[], by: Examination) {
  for (const match of matches) {
    const failing = failingOf(match, by).map(({ requests }) => requests);
    if (!failing.some((set) => isInSet(request, set, match.entry))) return failing;
  }
  return undefined;
}

/** Returns the requests of a match that break the guarantee for certain. */
export function failingOf(contender: Contender, { judge }: Examination): readonly FailingRequests[] {
  return [...judge.judge(contender)].flatMap(({ requests, failure }) =>
    failure !== undefined && failure.error === undefined && failure.undecidedBy === undefined
      ? { requests, failure }
      : [],
  );
}
