import type { Contender } from './contender.ts';
import type { Contest } from './contest.ts';
import type { Candidate } from './standing.ts';

/** A contest before a change. */
export interface Earlier {
  readonly contest: Contest;
  /** Returns the match that a match was before. */
  readonly sameAs: (contender: Contender) => Contender | undefined;
  /** The matches that the change removes or edits. */
  readonly gone: readonly Contender[];
}

/**
 * Returns a contest before a change, beside the matches after it.
 *
 * @param present The keys of the matches after the change; `undefined` if these are the same objects.
 */
export function earlier(contest: Contest, present: ReadonlySet<string> | undefined): Earlier {
  if (present === undefined) return { contest, sameAs: (contender) => contender, gone: [] };
  const byKey = new Map(everyMatch(contest).map((each) => [keyOfMatch(each), each]));
  const gone = [...byKey].flatMap(([key, each]) => (present.has(key) ? [] : [each]));
  return { contest, sameAs: (contender) => byKey.get(keyOfMatch(contender)), gone };
}

export function keysOfMatches(contests: readonly Contest[]): ReadonlySet<string> {
  return new Set(contests.flatMap((contest) => everyMatch(contest).map(keyOfMatch)));
}

function everyMatch({ contenders, untaken }: Contest): readonly Contender[] {
  return [...contenders, ...untaken];
}

/**
 * Returns the matches that may have taken requests of a match, with the requests that none took. If the match was there before, its requests were
 * taken by itself, by a match that is gone, or by none.
 */
export function earlierCandidates(
  contender: Contender,
  { contest, sameAs, gone }: Earlier,
): readonly Candidate<Contender>[] {
  const same = sameAs(contender);
  const candidates = same === undefined ? contest.contenders : [same, ...gone];
  return [...new Set([...candidates, ...contest.untaken])].map((each) => ({ contest, contender: each }));
}

/** Returns the key of the port of a Gateway or Service. */
export function keyOfEntry({ entry: { port, transport, client = '' } }: Pick<Contest, 'entry'>): string {
  return `${port} ${transport} ${client}`;
}

/** Returns the key of a match, with all that decides its precedence: matches with one key take the same requests, unless changed matches take them. */
export function keyOfMatch({ entry, at, route, classKey, match: { conditions, match } }: Contender): string {
  const { creationTimestamp } = route.resource.metadata;
  const asked = conditions.map(({ field, name, type, value }) => [field, name, type, value]);
  return JSON.stringify([keyOfEntry({ entry }), at.locator, creationTimestamp, classKey, match.hostname, asked]);
}
