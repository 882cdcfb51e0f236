import { addedVerdicts, formatCounterexample, formatHidden, type Verdict } from '@policy-machinery/guarantees';
import { onlyDeclared } from '../input/world.ts';
import type { Section } from '../model/answer.ts';
import type { Inputs } from '../model/command.ts';
import type { Options } from '../model/flags.ts';
import { type GuaranteeSource, readGuarantees } from '../verifying/read-guarantees.ts';
import { verifyWorld } from '../verifying/verify-world.ts';
import type { Comparison } from './compare.ts';
import { type NewAccess, newAccess, newAccessGuarantees } from './new-access.ts';

/** A guarantee that a change breaks or hides for further requests, or that has another answer afterwards. */
export interface GuaranteeChange {
  readonly guarantee: string;
  readonly before: Verdict['answer'];
  readonly after: Verdict['answer'];
  /** The requests and policies that break it after the change alone. */
  readonly brokenBy: readonly string[];
  /** The doubts, after the change alone, about whether further requests break it. */
  readonly hiddenBy: readonly string[];
}

export interface GuaranteeAnswers {
  /** The guarantees with another answer afterwards, and those that are broken or undecided for further requests. */
  readonly changes: readonly GuaranteeChange[];
  /** The requests that the change opens; `undefined` without `--no-new-access`. */
  readonly opened: NewAccess | undefined;
}

/**
 * Verifies guarantees before and after a change. As for `verify`, Gateways that nothing declares are missing.
 *
 * @param options The files of `--guarantees`, and `--no-new-access`.
 * @param base A revision of git. Its guarantees count as well, where they differ. Default: none.
 * @returns The answers. Rejects with a `UsageError` if a guarantee is faulty.
 */
export async function guaranteeChanges(
  { before, after }: Comparison,
  options: Options,
  inputs: Inputs,
  base?: string,
): Promise<GuaranteeAnswers> {
  const { guarantees: paths = [] } = options;
  const access = newAccessGuarantees(options);
  const source = paths.length === 0 ? noGuarantees : await readGuarantees(paths, inputs, base);
  const { guarantees } = source;
  if (guarantees.length + access.length === 0) return { changes: [], opened: undefined };
  const [main, head] = [onlyDeclared(before), onlyDeclared(after)];
  const old = guarantees.length === 0 ? [] : verifyWorld(main, source, main);
  const young = verifyWorld(head, { ...source, guarantees: [...guarantees, ...access] }, main);
  const opened = newAccess(young.slice(guarantees.length), main, head);
  return { changes: changesBetween(old, young.slice(0, guarantees.length)), opened };
}

const noGuarantees: GuaranteeSource = { guarantees: [], locate: (issue) => issue };

function changesBetween(old: readonly Verdict[], young: readonly Verdict[]): readonly GuaranteeChange[] {
  return addedVerdicts(old, young).flatMap((added, index): readonly GuaranteeChange[] => {
    const [answered, answer] = [old[index]?.answer, young[index]?.answer];
    if (answered === undefined || answer === undefined) return [];
    if (answered === answer && added.answer === 'holds') return [];
    const requests = added.counterexamples.map((each) => formatCounterexample(added, each));
    const brokenBy = [...requests, ...added.policies.map(({ policy }) => policy)];
    const { name } = added.guarantee;
    return [{ guarantee: name, before: answered, after: answer, brokenBy, hiddenBy: formatHidden(added) }];
  });
}

/** Returns whether a change breaks a guarantee, or hides whether it holds, that it held for. */
export function isLost({ brokenBy, hiddenBy }: GuaranteeChange): boolean {
  return brokenBy.length + hiddenBy.length > 0;
}

/** Returns the guarantees that a change breaks, restores or hides, for people; no section if there are none. */
export function guaranteeSections(changes: readonly GuaranteeChange[]): readonly Section[] {
  if (changes.length === 0) return [];
  const columns = ['GUARANTEE', 'BEFORE', '', 'AFTER', 'WHY'].map((name) => ({ name }));
  const rows = changes.flatMap(({ guarantee, before, after, brokenBy, hiddenBy }) => {
    const [first = '', ...others] = [...brokenBy, ...hiddenBy];
    return [[guarantee, before, '→', after, first], ...others.map((each) => ['', '', '', '', each])];
  });
  return [{ heading: 'Guarantees', blocks: [{ table: { layout: 'detail', columns, rows }, indent: 2 }] }];
}
