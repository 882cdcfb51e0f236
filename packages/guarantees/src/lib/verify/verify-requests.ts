import type { Summary } from '../live/summary.ts';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { HiddenBy } from './broken-class.ts';
import { counterexamplesOf } from './causes.ts';
import type { Counterexample, Verdict } from './verdict.ts';

/**
 * Returns the verdict of a guarantee about requests.
 *
 * @param summaries Facts about the requests to each Gateway and Service.
 * @param notKnown The unknowns that may break it.
 * @param undecidedAt The locators of the objects where further policies may be in force: these may keep it.
 * @returns The verdict. O(Gateways), and O(classes) if it is broken.
 */
export function requestsVerdict(
  compiled: CompiledGuarantee,
  summaries: readonly Summary[],
  notKnown: readonly string[],
  undecidedAt: readonly string[],
): Verdict {
  const { guarantee, kinds } = compiled;
  const open = new Set(undecidedAt);
  const isCertain = (it: Summary['broken'][number]) =>
    isTaken(it) && ![...it.failure.path, ...(it.other?.path ?? [])].some(({ object }) => open.has(object.locator));
  const broken = summaries.flatMap((summary) => summary.broken).filter((it) => notKnown.length === 0 || isCertain(it));
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

/** Returns whether rules take the requests of a class, so that no further rule is needed to keep a guarantee. */
function isTaken({
  contender,
  other,
}: Pick<Counterexample, 'contender'> & Partial<Pick<Counterexample, 'other'>>): boolean {
  return contender.isTaken && (other === undefined || other.takenBy !== undefined);
}

/**
 * Returns a verdict with more unknowns. Requests that no rule takes do not break the guarantee any more, because there may be such a rule.
 *
 * @param notKnown The unknowns, in sentences without a full stop.
 */
export function withNotKnown(verdict: Verdict, notKnown: readonly string[]): Verdict {
  if (notKnown.length === 0) return verdict;
  const counterexamples = verdict.counterexamples.filter(isTaken);
  const isBroken = counterexamples.length + verdict.policies.length > 0;
  const answer = isBroken ? 'broken' : 'undecided';
  return { ...verdict, answer, counterexamples, notKnown: [...verdict.notKnown, ...notKnown] };
}
