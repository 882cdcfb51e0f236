import type { CompiledGuarantee } from '../model/compile.ts';
import type { Contender } from '../requests/contender.ts';
import type { Reaches } from '../requests/reaches.ts';
import type { Judge } from '../verify/judge.ts';
import { type ClassFinding, examine } from './class-finding.ts';
import type { Examination } from './examination.ts';
import { classesOf, isTouched, matchesOf, type RequestSpace, type Touched } from './request-space.ts';
import type { Summary } from './summary.ts';

/** The findings about the requests to one Gateway or Service, kept up to date. */
export class Findings {
  readonly #space: RequestSpace;
  readonly #compiled: CompiledGuarantee;
  readonly #vocabulary: Examination['vocabulary'];
  readonly #reaches: Reaches;
  readonly #findings = new Map<Contender, ClassFinding>();
  #summary: Summary | undefined;

  constructor(space: RequestSpace, compiled: CompiledGuarantee, judge: Judge) {
    this.#space = space;
    this.#compiled = compiled;
    this.#vocabulary = space.vocabularyFor(compiled);
    this.#reaches = space.reaches();
    this.#examine(judge, () => true);
  }

  /** Examines the matches with requests that may meet other policies again. O(matches), and an examination of each of these. */
  renew(touched: Touched, judge: Judge): void {
    const isDue = (contender: Contender): boolean => isTouched(contender, touched);
    this.#examine(
      judge,
      (contender) => isDue(contender) || this.#findings.get(contender)?.others?.some(isDue) === true,
    );
  }

  /** Returns a summary: the same one until a match is examined again. O(classes) after that. */
  get summary(): Summary {
    this.#summary ??= summaryOf(this.#space, this.#findings);
    return this.#summary;
  }

  #examine(judge: Judge, isDue: (contender: Contender) => boolean): void {
    const by = { reaches: this.#reaches, vocabulary: this.#vocabulary, judge };
    for (const contest of this.#space.contests) {
      for (const contender of matchesOf(contest, this.#compiled)) {
        if (!isDue(contender)) continue;
        const finding = examine(contest, contender, by);
        if (finding === undefined) this.#findings.delete(contender);
        else this.#findings.set(contender, finding);
        this.#summary = undefined;
      }
    }
  }
}

/** Returns a summary of the findings about matches. O(classes). */
export function summaryOf(space: RequestSpace, findings: ReadonlyMap<Contender, ClassFinding>): Summary {
  const all = [...findings.values()];
  return {
    space,
    classes: classesOf(findings.keys()),
    considered: [...findings.keys()],
    broken: all.flatMap(({ broken }) => broken ?? []),
    failing: new Map([...findings].flatMap(([each, { failing }]) => (failing === undefined ? [] : [[each, failing]]))),
    hidden: new Map([...findings].flatMap(([each, { hiddenBy }]) => (hiddenBy.length > 0 ? [[each, hiddenBy]] : []))),
    errors: all.flatMap(({ errors }) => errors),
  };
}
