import type { Contender } from './contender.ts';
import type { Contest } from './contest.ts';
import { type Reached, type ReachQuestion, reach } from './reach.ts';
import { everything } from './region.ts';

/** Facts about which match takes any request of a question. Matches of contests of the same shape share their answers. */
export class Reaches {
  readonly #whole: ((contest: Contest, contender: Contender) => Reached) | undefined;
  readonly #known = new Map<
    ReachQuestion['cell'],
    Map<ReachQuestion['except'], Map<string, (Reached | undefined)[]>>
  >();

  /** @param whole Answers whether a match takes any request at all. Default: like other questions. */
  constructor(whole?: (contest: Contest, contender: Contender) => Reached) {
    this.#whole = whole;
  }

  /** Returns whether a match takes any request of a question, like {@link reach}. Questions are compared by the identity of their parts. */
  of(contest: Contest, contender: Contender, question: ReachQuestion): Reached {
    const isWhole = question.cell === everything && question.except.length === 0;
    if (isWhole && this.#whole !== undefined) return this.#whole(contest, contender);
    const answers = this.#answersTo(question, contest.shape);
    const answer = answers[contender.index] ?? reach(contest, contender, question);
    answers[contender.index] = answer;
    return answer;
  }

  #answersTo({ cell, except }: ReachQuestion, shape: string): (Reached | undefined)[] {
    const byExcept = this.#known.get(cell) ?? new Map<ReachQuestion['except'], Map<string, (Reached | undefined)[]>>();
    this.#known.set(cell, byExcept);
    const byShape = byExcept.get(except) ?? new Map<string, (Reached | undefined)[]>();
    byExcept.set(except, byShape);
    const answers = byShape.get(shape) ?? [];
    byShape.set(shape, answers);
    return answers;
  }
}
