import { formatHidden, type Verdict } from '@policy-machinery/guarantees';
import type { Options } from '../model/flags.ts';

/** Why a guarantee is not proved: it is broken, it is undecided, or it holds for no requests at all. */
export type VerdictFailure = 'broken' | 'undecided' | 'empty';

/** The exit code of each failure, the most important first. */
const exitCodes = { broken: 1, undecided: 4, empty: 3 } as const;

/**
 * Returns why a guarantee is not proved; `undefined` if it holds, or if its failure is allowed.
 *
 * @param options With `allowUndecided`, an undecided guarantee is not a failure.
 */
export function failureOf(
  { answer, classes, guarantee }: Verdict,
  { allowUndecided = false }: Pick<Options, 'allowUndecided'>,
): VerdictFailure | undefined {
  if (answer === 'broken') return 'broken';
  if (answer === 'undecided') return allowUndecided ? undefined : 'undecided';
  return classes === 0 && guarantee.mayBeEmpty !== true ? 'empty' : undefined;
}

/** Returns the exit code for some verdicts; 0 if all guarantees are proved. */
export function exitCodeOf(verdicts: readonly Verdict[], options: Pick<Options, 'allowUndecided'>): 0 | 1 | 3 | 4 {
  const failures = new Set(verdicts.map((verdict) => failureOf(verdict, options)));
  const first = (['broken', 'undecided', 'empty'] as const).find((failure) => failures.has(failure));
  return first === undefined ? 0 : exitCodes[first];
}

/** Returns the reasons why a guarantee is undecided, or the remedy for a guarantee that is about nothing. */
export function failureTexts(verdict: Verdict): readonly string[] {
  const { about = 'requests' } = verdict.guarantee;
  if (verdict.answer === 'undecided') return formatHidden(verdict);
  return [`no ${about} are selected; correct the selector, or set mayBeEmpty: true`];
}
