import type { Contender } from '../requests/contender.ts';
import type { Contest, Hindrance } from '../requests/contest.ts';
import { isWhole } from '../requests/request-sets.ts';
import type { BrokenClass, FailingRequests, HiddenBy } from '../verify/broken-class.ts';
import type { Failure, Judgement } from '../verify/judge.ts';
import type { Examination } from './examination.ts';
import { failingOf, whoeverTakes } from './rivals.ts';

/** Facts about the requests that one match takes, as far as a guarantee is about them. */
export interface ClassFinding {
  /** A request that breaks the guarantee. */
  readonly broken?: BrokenClass;
  /** The requests of the match that break the guarantee, whether the match takes them or not. Default: none. */
  readonly failing?: readonly FailingRequests[];
  /** The doubts about whether such a request exists. */
  readonly hiddenBy: readonly HiddenBy[];
  /** Errors of the expression other than missing fields. */
  readonly errors: readonly string[];
  /** The other matches that may take its requests: the finding depends on the policies that requests meet there, too. Default: none. */
  readonly others?: readonly Contender[];
}

/** The finding about requests that all keep the guarantee. */
const sound: ClassFinding = { hiddenBy: [], errors: [] };

/**
 * Examines the requests that a match takes.
 *
 * @returns The finding; `undefined` if the match takes no request that the guarantee is about.
 */
export function examine(contest: Contest, contender: Contender, by: Examination): ClassFinding | undefined {
  let isConsidered = false;
  const hiddenBy = new Set<HiddenBy>();
  const errors = new Set<string>();
  const others = new Set<Contender>();
  const finding = (broken?: BrokenClass): ClassFinding => {
    if (broken === undefined && hiddenBy.size + errors.size + others.size === 0) return sound;
    const failing = broken?.isWhole ? [broken] : failingOf(contender, by);
    const parts = { hiddenBy: [...hiddenBy], errors: [...errors], failing };
    return { ...parts, ...(broken && { broken }), ...(others.size > 0 && { others: [...others] }) };
  };
  for (const judgement of by.judge.judge(contender)) {
    const { failure } = judgement;
    if (failure === undefined && isConsidered) continue;
    for (const reached of reachedBy(contest, contender, judgement, by)) {
      isConsidered = true;
      if (failure === undefined) break;
      if (failure.error !== undefined) {
        errors.add(failure.error); // It shows nothing about the request.
      } else if (failure.undecidedBy !== undefined) {
        hiddenBy.add(undecidedBy(contender, failure));
      } else {
        const { requests } = judgement;
        const shown =
          reached.by === 'request' ? reached : whoeverTakes(reached, requests, { contest, contender, by, others });
        if (shown !== undefined) {
          const { request } = shown; // One request shows it.
          return finding({ contender, request, requests, failure, isWhole: isWhole(requests) });
        }
        const doubts = reached.by === 'undecided' ? reached.hiddenBy : [];
        for (const hidden of doubts) for (const it of hiddenIn(hidden)) hiddenBy.add(it);
      }
    }
  }
  return isConsidered ? finding() : undefined;
}

function* reachedBy(
  contest: Contest,
  contender: Contender,
  { requests: { cells, except, texts } }: Judgement,
  { reaches, vocabulary }: Examination,
) {
  const unused = vocabulary.unusedBeside(texts);
  for (const cell of cells) {
    const reached = reaches.of(contest, contender, { cell, except, unused });
    if (reached.by !== 'none') yield reached;
  }
}

/**
 * Returns the doubts about whether a guarantee holds for requests of a match: the ages of policies that these meet, or
 * values that may prevail over these.
 */
export function undecidedBy({ route }: Contender, { undecidedBy: unknown }: Failure): HiddenBy {
  const { dependsOn = 'age', named = [] } = unknown ?? {};
  return { route, pointer: pointers[dependsOn], dependsOn, policies: named };
}

/** Returns the doubts about whether a match takes a request, as facts about routes. */
export function hiddenIn({ match, dependsOn, other }: Hindrance): readonly HiddenBy[] {
  const { route } = match;
  if (dependsOn !== 'regular expression') {
    return [{ route, pointer: pointers[dependsOn], dependsOn, ...(other && { other: other.route }) }];
  }
  const named = match.expressions.length > 0 ? match : (other ?? match); // An order depends on the expression of either.
  return named.expressions.map(({ pointer, value: expression }) => ({
    route: named.route,
    pointer,
    dependsOn,
    expression,
  }));
}

/** The fields of a route that depend on a fact. */
const pointers = {
  'adjacent slashes': '/spec/rules',
  'missing tls': '/spec/parentRefs',
  'missing certificate': '/spec/parentRefs',
  'shared hostname': '/spec/hostnames',
  'hostname precedence': '/spec/hostnames',
  'listener isolation': '/spec/parentRefs',
  'server name': '/spec/parentRefs',
  'misdirected request': '/spec/parentRefs',
  age: '/metadata/creationTimestamp',
  concern: '/spec/rules',
  'precedence of kinds': '/spec/rules',
  'own value': '/spec/rules',
} as const;
