import type { CompiledGuarantee } from '../model/compile.ts';
import type { Contender, RankedMatch } from '../requests/contender.ts';
import type { Contest } from '../requests/contest.ts';
import type { Unused } from '../requests/least-request.ts';
import type { Reaches } from '../requests/reaches.ts';
import type { BrokenClass } from '../verify/causes.ts';
import type { Judge, Judgement } from '../verify/judge.ts';
import type { HiddenBy } from '../verify/verdict.ts';

/** What is known about the requests that one match takes, as far as a guarantee is about them. */
export interface ClassFinding {
  /** A request for which the guarantee does not hold. */
  readonly broken?: BrokenClass;
  /** The regular expressions that hide whether there is such a request. */
  readonly hiddenBy: readonly HiddenBy[];
  /** Errors of the expression other than missing fields. */
  readonly errors: readonly string[];
}

/** The finding about requests that all keep the guarantee. */
const sound: ClassFinding = { hiddenBy: [], errors: [] };

/** How matches are examined. */
export interface Examination {
  readonly reaches: Reaches;
  readonly judge: Judge;
  readonly compiled: CompiledGuarantee;
  readonly unused: Unused;
}

/**
 * Examines the requests that a match takes.
 *
 * @returns The finding; `undefined` if the match takes no request that the guarantee is about.
 */
export function examine(contest: Contest, contender: Contender, by: Examination): ClassFinding | undefined {
  let isConsidered = false;
  const hiddenBy = new Set<HiddenBy>();
  const errors = new Set<string>();
  for (const judgement of by.judge.judge(contender)) {
    const { failure } = judgement;
    if (failure === undefined && isConsidered) continue;
    for (const reached of reachedBy(contest, contender, judgement, by)) {
      isConsidered = true;
      if (failure === undefined) break;
      if (reached.by === 'expressions') {
        for (const hidden of reached.hiddenBy) for (const it of hiddenIn(hidden)) hiddenBy.add(it);
      } else if (failure.error !== undefined) {
        errors.add(failure.error); // It shows nothing about the request.
      } else {
        const broken = { contender, request: reached.request, failure };
        return { broken, hiddenBy: [...hiddenBy], errors: [...errors] }; // One request shows it.
      }
    }
  }
  if (!isConsidered) return undefined;
  return hiddenBy.size + errors.size === 0 ? sound : { hiddenBy: [...hiddenBy], errors: [...errors] };
}

function* reachedBy(
  contest: Contest,
  contender: Contender,
  { except }: Judgement,
  { reaches, compiled, unused }: Examination,
) {
  for (const cell of compiled.requests.cells) {
    const reached = reaches.of(contest, contender, { cell, except, unused });
    if (reached.by !== 'none') yield reached;
  }
}

/** Returns the regular expressions of a match. */
export function hiddenIn({ route, expressions }: RankedMatch): readonly HiddenBy[] {
  return expressions.map(({ pointer, value: expression }) => ({ route, pointer, expression }));
}
