import type { ChangeRecord, TargetNode } from '@policy-machinery/topology';
import { targetsBelow } from '@policy-machinery/topology/inner';

/** A yes-or-no question about targets that somebody else answers: the answers are kept, as far as there was a question, and follow changes. */
export class TargetTest {
  readonly #test: ((target: TargetNode) => boolean) | undefined;
  readonly #answers = new Map<TargetNode, boolean>();

  /** @param test Answers the question. The answer for a target may depend on everything above the target. Default: always yes. */
  constructor(test: ((target: TargetNode) => boolean) | undefined) {
    this.#test = test;
  }

  /** Returns the answer for a target; no, where the test throws. */
  has(target: TargetNode): boolean {
    if (this.#test === undefined) return true;
    const knownAnswer = this.#answers.get(target);
    if (knownAnswer !== undefined) return knownAnswer;
    const answer = this.#ask(target);
    this.#answers.set(target, answer);
    return answer;
  }

  /**
   * Follows changes.
   *
   * @returns The targets with an answer that may differ from before, also if nobody asked about them. O(changes, and targets below them).
   */
  follow(records: readonly ChangeRecord[]): readonly TargetNode[] {
    if (this.#test === undefined) return [];
    const changed = records.flatMap(({ came, changed, entered, gone }) => [...came, ...changed, ...entered, ...gone]);
    const other: TargetNode[] = [];
    for (const target of targetsBelow(changed.flatMap((it) => [it, it.object]))) {
      const answerBefore = this.#answers.get(target);
      this.#answers.delete(target);
      if (answerBefore === undefined || this.has(target) !== answerBefore) other.push(target);
    }
    for (const record of records) for (const target of record.gone) this.#answers.delete(target);
    return other;
  }

  #ask(target: TargetNode): boolean {
    try {
      return this.#test?.(target) === true;
    } catch {
      return false;
    }
  }
}
