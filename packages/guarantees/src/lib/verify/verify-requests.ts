import type { Summary } from '../live/summary.ts';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { HiddenBy } from './broken-class.ts';
import { counterexamplesOf } from './causes.ts';
import type { Verdict } from './verdict.ts';

/**
 * Returns the verdict of a guarantee about requests.
 *
 * @param compiled The guarantee.
 * @param summaries What is known about the requests to each Gateway and Service.
 * @param notKnown What is not known, and may break it.
 * @returns The verdict. O(Gateways), and O(classes) if it is broken.
 */
export function requestsVerdict(
  compiled: CompiledGuarantee,
  summaries: readonly Summary[],
  notKnown: readonly string[],
): Verdict {
  const { guarantee, kinds } = compiled;
  const broken = summaries.flatMap((summary) => summary.broken);
  const hiddenBy = new Map<string, HiddenBy>();
  for (const by of summaries.flatMap(({ hidden }) => [...hidden.values()].flat())) {
    hiddenBy.set(`${by.route.locator} ${by.pointer} ${by.dependsOn} ${by.other?.locator} ${by.policies}`, by);
  }
  const errors = new Set(summaries.flatMap((summary) => summary.errors));
  const isUndecided = hiddenBy.size > 0 || errors.size > 0 || notKnown.length > 0;
  const considered = () => new Set(summaries.flatMap((summary) => [...summary.considered]));
  return {
    guarantee,
    answer: broken.length > 0 ? 'broken' : isUndecided ? 'undecided' : 'holds',
    kinds,
    classes: summaries.reduce((sum, { classes }) => sum + classes, 0),
    counterexamples: broken.length === 0 ? [] : counterexamplesOf(broken, considered()),
    policies: [],
    hiddenBy: [...hiddenBy.values()],
    errors: [...errors],
    notKnown,
    basis: { compiled, summaries },
  };
}
