import type { CelAnswer, CelExpression } from '@policy-machinery/cel';
import { type Ask, type Atom, atomOf, isAbsence } from '../requests/atoms.ts';

export type Evaluation = ReturnType<CelExpression['evaluate']>;

/** A place in the course of an evaluation: the next atom that it asks about, or the result. */
interface Step {
  atom?: Atom;
  result?: Evaluation;
  yes?: Step;
  no?: Step;
}

/** An expression over some facts, evaluated once for each combination of answers to its tests. */
export class Decision {
  readonly #evaluate: (answer: CelAnswer) => Evaluation;
  readonly #first: Step = {};

  /** @param evaluate Evaluates the expression over the facts. */
  constructor(evaluate: (answer: CelAnswer) => Evaluation) {
    this.#evaluate = evaluate;
  }

  /** Returns the result for requests about which the tests are answered. */
  resultFor(ask: Ask): Evaluation {
    let step = this.#first;
    while (step.atom !== undefined) step = next(step, ask(step.atom));
    return step.result ?? this.#explored(ask);
  }

  /** Evaluates the expression, and remembers the steps to the result. */
  #explored(ask: Ask): Evaluation {
    let step = this.#first;
    const result = this.#evaluate((test) => {
      step.atom ??= atomOf(test);
      const answer = ask(step.atom);
      step = next(step, answer);
      return answer !== isAbsence(test);
    });
    step.result = result;
    return result;
  }
}

function next(step: Step, answer: boolean): Step {
  const side = answer ? 'yes' : 'no';
  const after = step[side] ?? {};
  step[side] = after;
  return after;
}
