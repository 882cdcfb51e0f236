import { formatMet, formatRequest, type Verdict } from '@policy-machinery/guarantees';
import { onlyDeclared } from '../input/world.ts';
import type { Section } from '../model/answer.ts';
import type { Inputs } from '../model/command.ts';
import type { Options } from '../model/flags.ts';
import { readGuarantees } from '../verifying/read-guarantees.ts';
import { verifyWorld } from '../verifying/verify-world.ts';
import type { Comparison } from './compare.ts';

/** A guarantee whose answer a change makes another. */
export interface GuaranteeChange {
  readonly guarantee: string;
  readonly before: Verdict['answer'];
  readonly after: Verdict['answer'];
  /** The requests and policies that break it after the change. */
  readonly brokenBy: readonly string[];
}

/**
 * Verifies guarantees before and after a change. As for `verify`, Gateways that nothing declares are missing.
 *
 * @param comparison The worlds before and after.
 * @param options The files of `--guarantees`. Default: there are none.
 * @param inputs Standard input.
 * @returns The guarantees with another answer afterwards. Rejects with a `UsageError` if a guarantee is faulty.
 */
export async function guaranteeChanges(
  { before, after }: Comparison,
  { guarantees: paths = [] }: Options,
  inputs: Inputs,
): Promise<readonly GuaranteeChange[]> {
  if (paths.length === 0) return [];
  const source = await readGuarantees(paths, inputs);
  const [was, is] = [onlyDeclared(before), onlyDeclared(after)];
  const old = new Map(verifyWorld(was, source).map(({ guarantee, answer }) => [guarantee.name, answer]));
  return verifyWorld(is, source).flatMap((verdict): readonly GuaranteeChange[] => {
    const { guarantee, answer, counterexamples, policies } = verdict;
    const answered = old.get(guarantee.name);
    if (answered === undefined || answered === answer) return [];
    const requests = counterexamples.map((each) => `${formatRequest(each)} meets ${formatMet(verdict, each)}`);
    const brokenBy = [...requests, ...policies.map(({ policy }) => policy)];
    return [{ guarantee: guarantee.name, before: answered, after: answer, brokenBy }];
  });
}

/** Returns the guarantees that a change breaks, restores or hides, for people; no section if there are none. */
export function guaranteeSections(changes: readonly GuaranteeChange[]): readonly Section[] {
  if (changes.length === 0) return [];
  const columns = ['GUARANTEE', 'BEFORE', '', 'AFTER', 'WHY'].map((name) => ({ name }));
  const rows = changes.flatMap(({ guarantee, before, after, brokenBy }) => {
    const [first = '', ...others] = brokenBy;
    return [[guarantee, before, '→', after, first], ...others.map((each) => ['', '', '', '', each])];
  });
  return [{ heading: 'Guarantees', blocks: [{ table: { layout: 'detail', columns, rows }, indent: 2 }] }];
}
