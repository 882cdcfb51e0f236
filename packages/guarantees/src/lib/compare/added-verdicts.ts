import type { HiddenBy } from '../verify/broken-class.ts';
import type { PolicyCounterexample, Verdict } from '../verify/verdict.ts';
import { type AddedClasses, addedClasses } from './added-classes.ts';

/**
 * Returns the reasons that a change adds why guarantees are not proved: a guarantee that is broken for some requests may be broken for others, too.
 *
 * @param before The verdicts without the change.
 * @param after The verdicts with the change.
 * @returns A verdict for each one of `after`, with the reasons alone that the verdict on the same guarantee in `before` does not have. A request that
 * broke the guarantee before, for whatever reason, is not added, however its route is edited. `answer` is `broken` if a request or policy is added that
 * breaks the guarantee, `undecided` if something is added that hides whether there is one, and `holds` otherwise. A guarantee that is not in `before`
 * keeps its verdict. O(broken classes · changed matches) for each Gateway with changes.
 * @example
 * ```ts
 * const [verdict] = addedVerdicts(verify(main, guarantees), verify(branch, guarantees));
 * ```
 */
export function addedVerdicts(before: readonly Verdict[], after: readonly Verdict[]): readonly Verdict[] {
  const known = new Map(before.map((verdict) => [verdict.guarantee.name, verdict]));
  return after.map((verdict) => {
    const old = known.get(verdict.guarantee.name);
    return old === undefined ? verdict : added(old, verdict);
  });
}

function added(before: Verdict, after: Verdict): Verdict {
  const { counterexamples: shown, hidden } = classesAdded(before, after);
  const isOpen = shown.length > 0 && after.answer !== 'broken'; // A rule that is not known may take the requests.
  const counterexamples = isOpen ? [] : shown;
  const policies = notIn(before.policies, after.policies, keyOfPolicy);
  const hiddenBy = [...new Map(hidden.map((each) => [keyOfHidden(each), each])).values()];
  const errors = notIn(before.errors, after.errors, String);
  const isWhole = isOpen || after.basis?.compiled.readsBefore === true; // The state before the change is a part of the question.
  const notKnown = isWhole ? after.notKnown : notIn(before.notKnown, after.notKnown, String);
  const isBroken = after.answer === 'broken' && counterexamples.length + policies.length > 0;
  const isHidden = hiddenBy.length + errors.length + notKnown.length > 0;
  const answer = isBroken ? 'broken' : isHidden ? 'undecided' : 'holds';
  return { ...after, answer, counterexamples, policies, hiddenBy, errors, notKnown };
}

/** Returns the classes of requests that are broken or hidden now; for a guarantee about policies, the doubts that hide further policies. */
function classesAdded(before: Verdict, after: Verdict): Omit<AddedClasses, 'hiding'> {
  if (before === after) return { counterexamples: [], hidden: [] };
  if (before.basis === undefined || after.basis === undefined) {
    return { counterexamples: [], hidden: notIn(before.hiddenBy, after.hiddenBy, keyOfHidden) };
  }
  const { counterexamples, hidden, hiding } = addedClasses(before.basis, after.basis);
  const known = before.basis.summaries.flatMap((summary) => [...summary.hidden.values()].flat());
  return { counterexamples, hidden: [...hiding, ...notIn(known, hidden, keyOfHidden)] };
}

function keyOfPolicy({ policy }: PolicyCounterexample): string {
  return policy;
}

function keyOfHidden({ route, dependsOn, expression, other, policies }: HiddenBy): string {
  return JSON.stringify([route.locator, dependsOn, expression, other?.locator, policies]);
}

/** Returns the items that are not among others: of three with the same key as two others, one. */
function notIn<Item>(others: readonly Item[], items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const counts = new Map<string, number>();
  for (const key of others.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return items.filter((item) => {
    const left = counts.get(keyOf(item)) ?? 0;
    counts.set(keyOf(item), left - 1);
    return left <= 0;
  });
}
