import type { CompiledGuarantee } from '../model/compile.ts';
import type { Contender } from '../requests/contender.ts';
import { type Contest, createContest } from '../requests/contest.ts';
import { type Earlier, earlierCandidates, keyOfEntry } from '../requests/earlier.ts';
import type { Reached } from '../requests/reach.ts';
import { commonRegion, reachBoth, reachShadowing, without } from '../requests/reach-both.ts';
import { isWhole, type RequestSet } from '../requests/request-sets.ts';
import type { Candidate } from '../requests/standing.ts';
import type { HiddenBy, OtherRequest } from '../verify/broken-class.ts';
import type { Judge, Meant, Told } from '../verify/judge.ts';
import { earlierContests } from './base.ts';
import { type ClassFinding, hiddenIn, undecidedBy } from './class-finding.ts';
import type { RequestSpace } from './request-space.ts';

export interface ComparisonInput {
  readonly compiled: CompiledGuarantee;
  readonly judge: Judge;
  readonly own: RequestSpace;
  /** The other requests of the comparison: to the same Gateway or Service, or to another. */
  readonly other: RequestSpace;
  /** The judge of requests before a change. Default: the other requests are sent at the same time. */
  readonly judgeOfOther?: Judge;
}

/** The comparison of the requests to one Gateway or Service with others, for one guarantee. */
export class Comparison {
  readonly #input: ComparisonInput;
  readonly #withoutHeaders: ReadonlySet<string>;
  readonly #isShadowed: boolean;
  readonly #vocabulary: ReturnType<RequestSpace['vocabularyFor']>;
  readonly #reaches: ReturnType<RequestSpace['reaches']>;
  readonly #told = new Map<Contender, readonly Told[]>();
  readonly #opposites = new Map<Contest, Contest>();
  readonly #earlier: ReadonlyMap<string, Earlier>;

  constructor(input: ComparisonInput) {
    const { compiled, own, other, judgeOfOther } = input;
    this.#earlier = judgeOfOther === undefined ? new Map() : earlierContests(other, own);
    this.#input = input;
    this.#isShadowed = compiled.other?.isShadowed === true;
    this.#withoutHeaders = compiled.other?.withoutHeaders ?? new Set();
    this.#reaches = own.reaches();
    this.#vocabulary = own.vocabularyFor(compiled, own === other ? undefined : other);
  }

  /**
   * Compares the requests that a match takes with the others.
   *
   * @returns The finding; `undefined` if the match takes no request that the guarantee is about. O(matches of the other Gateway's port).
   */
  examine(contest: Contest, contender: Contender): ClassFinding | undefined {
    if (![...this.#input.judge.meant(contender)].some((each) => this.#isReached(contest, each))) return undefined;
    const hiddenBy = new Set<HiddenBy>();
    const errors = new Set<string>();
    for (const { other, told, requests, failure, reached } of this.#failing(contest, contender)) {
      if (reached.by === 'undecided') {
        for (const it of reached.hiddenBy.flatMap(hiddenIn)) hiddenBy.add(it);
      } else if (failure.error !== undefined) {
        errors.add(failure.error); // It shows nothing about the requests.
      } else if (failure.undecidedBy !== undefined) {
        hiddenBy.add(undecidedBy(contender, failure));
      } else {
        const { request } = reached;
        const shown = this.#otherRequest(request, contender, other, told);
        const broken = { contender, request, requests, failure, isWhole: isWhole(requests), other: shown };
        return { broken, hiddenBy: [...hiddenBy], errors: [...errors] }; // One pair of requests shows it.
      }
    }
    return { hiddenBy: [...hiddenBy], errors: [...errors] };
  }

  /** Returns the requests that a match takes, or may take, and that break the guarantee beside the other requests. */
  *#failing(contest: Contest, contender: Contender) {
    const { judge } = this.#input;
    const paths = [...judge.pathsAbout(contender)];
    for (const other of this.#candidates(contest, contender)) {
      const known = new Map<RequestSet, Reached>();
      for (const own of paths) {
        for (const told of this.#toldOf(other)) {
          for (const { failure, requests } of judge.judgeBoth(own, told)) {
            if (failure === undefined) continue;
            const reached = known.get(requests) ?? this.#reach({ contest, contender }, other, requests);
            known.set(requests, reached);
            if (reached.by !== 'none') yield { other, told, requests, failure, reached };
          }
        }
      }
    }
  }

  #isReached(contest: Contest, { contender, requests: { cells, except, texts } }: Meant): boolean {
    const question = { except, unused: this.#vocabulary.unusedBeside(texts) };
    return cells.some((cell) => this.#reaches.of(contest, contender, { ...question, cell }).by !== 'none');
  }

  /** Returns the matches that may take the other requests, and none. */
  *#candidates(own: Contest, contender: Contender): Iterable<Candidate> {
    const before = this.#earlier.get(keyOfEntry(own));
    if (before !== undefined) {
      yield* earlierCandidates(contender, before);
      return;
    }
    if (this.#isShadowed) {
      const isThere = (each: Contender) => each !== contender && each.listener === contender.listener;
      for (const each of own.contenders) if (isThere(each)) yield { contest: own, contender: each };
      return;
    }
    const contest = this.#oppositeOf(own);
    for (const each of contest.contenders) {
      if (commonRegion(contender, each, this.#withoutHeaders) !== undefined) yield { contest, contender: each };
    }
    yield { contest, contender: undefined };
  }

  /** Returns the contest at the same port of the other Gateway. Without one, no request is taken there. */
  #oppositeOf(contest: Contest): Contest {
    const { own, other } = this.#input;
    if (own === other) return contest;
    const { port, transport, client } = contest.entry;
    const isSame = ({ entry }: Contest): boolean =>
      entry.port === port && entry.transport === transport && entry.client === client;
    const node = other.contests[0]?.entry.node ?? contest.entry.node;
    const opposite =
      this.#opposites.get(contest) ??
      other.contests.find(isSame) ??
      createContest({ ...contest.entry, node, listeners: [] }, contest.options);
    this.#opposites.set(contest, opposite);
    return opposite;
  }

  #toldOf({ contender }: Candidate): readonly (Told | undefined)[] {
    if (contender === undefined) return [undefined];
    const told = this.#told.get(contender) ?? [...(this.#input.judgeOfOther ?? this.#input.judge).told(contender)];
    this.#told.set(contender, told);
    return told;
  }

  #reach(own: Candidate<Contender>, other: Candidate, { cells, except, texts }: RequestSet): Reached {
    const unused = this.#vocabulary.unusedBeside(texts);
    const all = cells.map((cell) =>
      this.#isShadowed
        ? reachShadowing(own, other.contender, { cell, except, unused })
        : reachBoth(own, other, { cell, except, unused, withoutHeaders: this.#withoutHeaders }),
    );
    const [certain, hidden] = (['request', 'undecided'] as const).map((by) => all.find((it) => it.by === by));
    return certain ?? hidden ?? { by: 'none' };
  }

  #otherRequest(
    request: OtherRequest['request'],
    { listener, match }: Contender,
    { contest: { entry }, contender }: Candidate,
    told: Told | undefined,
  ): OtherRequest {
    const isTaken = contender?.isTaken === true;
    return {
      request: without(request, this.#withoutHeaders),
      contender: contender ?? { entry, listener, match },
      as: this.#isShadowed ? 'shadowed' : this.#input.judgeOfOther === undefined ? 'sent' : 'before',
      takenBy: isTaken ? contender : undefined,
      path: isTaken ? told?.path : undefined,
      concerns: told?.concerns ?? new Map(),
      policies: told?.met ?? new Map(),
    };
  }
}
