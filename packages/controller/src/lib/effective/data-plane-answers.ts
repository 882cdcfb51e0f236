import type { Clock } from '@policy-machinery/cluster';
import type { TargetFailure } from './target-failure.ts';

/** The fault of a target: a message, or the failures in its contexts. */
export type Answer = string | readonly TargetFailure[];

/** A data plane that has not answered for so long may not answer at all. In milliseconds. */
const longSilence = 30_000;

/** The subject of the answers of a data plane. */
export interface AnswersContext {
  /** Takes the answers of the data plane: the fault of each target that it has not accepted, nothing for the others. */
  readonly onFeedback: (feedback: ReadonlyMap<string, Answer | undefined>) => void;
  /** Whether the data plane has been told the latest about a target. */
  readonly isTold: (target: string) => boolean;
  readonly clock: Clock;
}

/** Passes on the answers of a data plane about targets, and reports that it does not answer. */
export class DataPlaneAnswers {
  readonly #context: AnswersContext;
  /** The targets that the data plane has not taken, or not answered for, as far as that was passed on. */
  readonly #doubted = new Set<string>();
  /** Functions that end the waits for answers. */
  readonly #waits = new Set<() => void>();

  constructor(context: AnswersContext) {
    this.#context = context;
  }

  /** Passes on a message for each target that the data plane has not taken, and nothing for the others. */
  passOn(feedback: ReadonlyMap<string, Answer | undefined>): void {
    for (const [target, message] of feedback) {
      if (message === undefined) this.#doubted.delete(target);
      else this.#doubted.add(target);
    }
    this.#context.onFeedback(feedback);
  }

  /** Passes on that it is not known whether the data plane has taken targets, unless it was told about these before. */
  doubt(targets: readonly string[], message: string): void {
    const unknown = targets.filter((target) => !this.#doubted.has(target) && !this.#context.isTold(target));
    if (unknown.length > 0) this.passOn(new Map(unknown.map((target) => [target, message])));
  }

  /**
   * Passes on of targets in a call that the data plane does not answer, when that takes long; and of those that wait for the call.
   *
   * @param targets The targets in the call.
   * @param onSilence Is called each time that it takes long. Returns the targets that wait for the call.
   * @returns A function to call when the data plane has answered.
   */
  untilAnswered(targets: readonly string[], onSilence: () => readonly string[]): () => void {
    let cancel = () => {};
    const wait = () => {
      cancel = this.#context.clock.setTimeout(() => {
        const waiting = onSilence();
        for (const target of waiting) this.#doubted.delete(target); // Other policies may apply to it by now.
        this.doubt([...targets, ...waiting], 'The data plane does not answer');
        wait();
      }, longSilence);
    };
    wait();
    const end = () => {
      cancel();
      this.#waits.delete(end);
    };
    this.#waits.add(end);
    return end;
  }

  /** Waits for no answer any more. */
  close(): void {
    for (const end of this.#waits) end();
  }
}
