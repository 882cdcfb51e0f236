import type { Summary } from '../live/summary.ts';
import type { CompiledGuarantee } from '../model/compile.ts';
import { keyOfMatch } from '../requests/earlier.ts';
import type { BrokenClass, HiddenBy } from '../verify/broken-class.ts';
import { counterexamplesOf, keysOfOther } from '../verify/causes.ts';
import type { Counterexample, VerdictBasis } from '../verify/verdict.ts';
import { Past } from './past.ts';

/** The classes of requests that break a guarantee, or may break it, after a change alone. */
export interface AddedClasses {
  /** By cause. */
  readonly counterexamples: readonly Counterexample[];
  /** The doubts about whether classes break the guarantee, once for each class, whether it was hidden before or not. */
  readonly hidden: readonly HiddenBy[];
  /** The doubts among them about requests that kept the guarantee before. */
  readonly hiding: readonly HiddenBy[];
}

/** Returns the classes with requests that did not break the guarantee before, and the classes with unknown answers. */
export function addedClasses(before: VerdictBasis, after: VerdictBasis): AddedClasses {
  const known = new Map(before.summaries.map((summary) => [placeOf(summary), summary]));
  const broken: BrokenClass[] = [];
  const hidden: HiddenBy[] = [];
  const hiding: HiddenBy[] = [];
  for (const summary of after.summaries) {
    const old = known.get(placeOf(summary));
    const isSame = old === summary || summary.broken.length + summary.hidden.size === 0;
    const past = old === undefined || isSame ? undefined : new Past(after.compiled, old, summary);
    const added = isSame ? [] : addedIn(summary, old, past, after.compiled);
    broken.push(...added);
    if (past !== undefined && !after.compiled.isCompared) hiding.push(...doubtsBeside(added, summary, past));
    for (const [contender, by] of summary.hidden) {
      if (past?.wasBroken(contender) === true) continue;
      hidden.push(...by);
      if (past?.hides(contender) ?? old === undefined) hiding.push(...by);
    }
  }
  const considered = () => new Set(after.summaries.flatMap((summary) => [...summary.considered]));
  return { counterexamples: broken.length === 0 ? [] : counterexamplesOf(broken, considered()), hidden, hiding };
}

function placeOf({ space: { contests } }: Summary): string {
  return contests[0]?.entry.node.locator ?? '';
}

function addedIn(
  { broken }: Summary,
  old: Summary | undefined,
  past: Past | undefined,
  { isCompared }: CompiledGuarantee,
): readonly BrokenClass[] {
  if (old === undefined || past === undefined) return broken;
  if (!isCompared) return broken.flatMap((each) => past.added(each) ?? []);
  const known = new Set(old.broken.map(keyOfCompared));
  return broken.filter((each) => !known.has(keyOfCompared(each)));
}

/** Returns the doubts about other requests of classes that broke the guarantee before, too. */
function doubtsBeside(added: readonly BrokenClass[], { broken }: Summary, past: Past): readonly HiddenBy[] {
  const contenders = new Set(added.map(({ contender }) => contender));
  return broken.flatMap((each) => (contenders.has(each.contender) ? [] : past.doubtsAbout(each)));
}

/** Returns the key of a class that breaks a guarantee beside another request. */
function keyOfCompared({ contender, other }: BrokenClass): string {
  return [keyOfMatch(contender), ...(other === undefined ? [] : keysOfOther(other))].join('\n');
}
