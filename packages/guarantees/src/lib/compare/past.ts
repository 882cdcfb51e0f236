import { hiddenIn } from '../live/class-finding.ts';
import type { Summary } from '../live/summary.ts';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { ConcreteRequest } from '../requests/concrete-request.ts';
import type { Contender } from '../requests/contender.ts';
import type { Contest } from '../requests/contest.ts';
import { type Earlier, earlier, earlierCandidates, keyOfEntry, keysOfMatches } from '../requests/earlier.ts';
import type { Reached } from '../requests/reach.ts';
import { commonRegion, reachBoth } from '../requests/reach-both.ts';
import { isWithin, type RequestSet } from '../requests/request-sets.ts';
import type { Candidate } from '../requests/standing.ts';
import type { Vocabulary } from '../requests/vocabulary.ts';
import type { BrokenClass, HiddenBy } from '../verify/broken-class.ts';

/** The requests to one Gateway or Service before a change. */
export class Past {
  readonly #after: Summary;
  readonly #failing: Summary['failing'];
  readonly #hidden: Summary['hidden'];
  readonly #broken: ReadonlyMap<Contender, BrokenClass>;
  readonly #before: ReadonlyMap<string, Earlier>;
  readonly #vocabulary: () => Vocabulary;

  constructor(compiled: CompiledGuarantee, before: Summary, after: Summary) {
    this.#after = after;
    this.#failing = before.failing;
    this.#hidden = before.hidden;
    this.#broken = new Map(before.broken.map((each) => [each.contender, each]));
    const isSame = before.space === after.space;
    const present = isSame ? undefined : keysOfMatches(after.space.contests);
    this.#before = new Map(before.space.contests.map((contest) => [keyOfEntry(contest), earlier(contest, present)]));
    let vocabulary: Vocabulary | undefined;
    this.#vocabulary = () => {
      vocabulary ??= after.space.vocabularyFor(compiled, before.space);
      return vocabulary;
    };
  }

  /** Returns a class with a request that did not break the guarantee before; `undefined` if all did. O(matches that the change removes or edits). */
  added(broken: BrokenClass): BrokenClass | undefined {
    const { contender } = broken;
    if (this.#broken.get(contender) === broken) return undefined;
    const present = this.#candidateOf(contender);
    const before = this.#before.get(keyOfEntry(contender));
    if (present === undefined || before === undefined) return broken;
    const candidates = earlierCandidates(contender, before);
    for (const { requests, failure } of this.#after.failing.get(contender) ?? []) {
      for (const candidate of candidates) {
        if (isFailing(candidate.contender, requests, this.#failing) && this.#isCertain(candidate)) continue;
        for (const reached of this.#common(present, candidate, requests)) {
          const { request } = reached;
          const isAdded =
            breaks(present.contest, request, requests, this.#after.failing) &&
            !breaks(candidate.contest, request, requests, this.#failing);
          if (reached.by === 'request' || isAdded) return { ...broken, request, failure };
        }
      }
    }
    return undefined;
  }

  /** Returns whether a match may take a request now that kept the guarantee before. O(matches that the change removes or edits). */
  hides(contender: Contender): boolean {
    const past = this.#before.get(keyOfEntry(contender));
    return past === undefined || this.#takenFromKept(contender, past) !== undefined;
  }

  /** Returns the doubts about whether a match that breaks the guarantee for some requests takes others now that kept it before. */
  doubtsAbout(broken: BrokenClass): readonly HiddenBy[] {
    const { contender } = broken;
    if (this.#broken.get(contender) === broken) return [];
    const past = this.#before.get(keyOfEntry(contender));
    const reached = past && this.#takenFromKept(contender, past);
    return reached?.by === 'undecided' ? reached.hiddenBy.flatMap(hiddenIn) : [];
  }

  /** Returns a request that a match takes, or may take, and that kept the guarantee; `undefined` if there is none. */
  #takenFromKept(contender: Contender, past: Earlier): Exclude<Reached, { readonly by: 'none' }> | undefined {
    const present = this.#candidateOf(contender);
    if (present === undefined) return undefined;
    for (const candidate of earlierCandidates(contender, past)) {
      if (!this.#keeps(candidate.contender)) continue;
      for (const { requests } of this.#after.failing.get(contender) ?? []) {
        for (const reached of this.#common(present, candidate, requests)) {
          if (this.#wasKept(past.contest, reached.request)) return reached;
        }
      }
    }
    return undefined;
  }

  /** Returns whether all requests that a match may take broke the guarantee. */
  wasBroken(contender: Contender): boolean {
    const before = this.#before.get(keyOfEntry(contender));
    const same = before?.sameAs(contender);
    const known = same && this.#broken.get(same);
    const isOther = (each: Contender): boolean => commonRegion(contender, each, none) !== undefined;
    return known?.isWhole === true && before?.gone.some(isOther) === false;
  }

  #isCertain({ contender }: Candidate): boolean {
    return contender !== undefined && this.#broken.has(contender);
  }

  #candidateOf(contender: Contender): Candidate<Contender> | undefined {
    const contest = this.#after.space.contests.find(({ entry }) => entry === contender.entry);
    return contest && { contest, contender };
  }

  /** Returns requests that a match takes, or may take, and that another one took, or may have taken. */
  *#common(own: Candidate<Contender>, other: Candidate, { cells, except, texts }: RequestSet) {
    const question = { except, unused: this.#vocabulary().unusedBeside(texts), withoutHeaders: none };
    for (const cell of cells) {
      const reached = reachBoth(own, other, { ...question, cell });
      if (reached.by !== 'none') yield reached;
    }
  }

  /** Returns whether all requests of a match kept the guarantee for certain. */
  #keeps(contender: Contender | undefined): boolean {
    return contender === undefined || !(this.#failing.has(contender) || this.#hidden.has(contender));
  }

  /** Returns whether a request kept the guarantee, whichever of the matches took it that may have done so. */
  #wasKept(contest: Contest, request: ConcreteRequest): boolean {
    return takersIn(contest, request).matches.every((each) => this.#keeps(each));
  }
}

/** Returns whether a request breaks the guarantee, whichever of the matches takes it that may do so. */
function breaks(
  contest: Contest,
  request: ConcreteRequest,
  requests: RequestSet,
  failing: Summary['failing'],
): boolean {
  const { isTakenOrNot, matches } = takersIn(contest, request);
  return isTakenOrNot && matches.every((each) => isFailing(each, requests, failing));
}

/** Returns the matches that may take a request, or the place of those that none takes; and whether it is known that one takes it, or none. */
function takersIn({ take, contenders, untaken }: Contest, request: ConcreteRequest) {
  const { taker, takers, listener, first: own } = take(request);
  const matches = takers.map(({ match, first = own }) => contenders[first + match.rank]);
  if (matches.length > 0) return { isTakenOrNot: taker !== undefined, matches };
  return { isTakenOrNot: true, matches: [untaken.find((each) => each.listener.name === (listener?.name ?? ''))] };
}

function isFailing(contender: Contender | undefined, requests: RequestSet, failing: Summary['failing']): boolean {
  const known = contender && failing.get(contender);
  return known?.some((each) => isWithin(requests, each.requests)) === true;
}

const none: ReadonlySet<string> = new Set();
