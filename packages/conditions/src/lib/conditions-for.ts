import type { ConditionUpdate } from './condition.ts';
import type { Merging, PolicyOutcome } from './policy-outcome.ts';
import type { ConditionTemplate, Vocabulary } from './vocabulary.ts';

/** How an outcome is told. */
export interface OutcomeOptions {
  /** The message of all conditions, or of each: which others are involved, and in which parts (S-05). */
  readonly message: string | ((condition: Omit<ConditionUpdate, 'message'>) => string);
  /**
   * Whether a rejected policy has only the condition that rejects it, or also those that say that it is not in force
   * . Default `omit`.
   */
  readonly rejectedProgrammed?: 'omit' | 'false';
  /** How the policy is merged with others, for dialects that say so. Default: it is not. */
  readonly merging?: Merging | undefined;
  /** The reason of the first condition that is not true, such as that by which a policy is rejected. Default: that of the dialect. */
  readonly reason?: string | undefined;
}

/**
 * The conditions of an outcome, in the words of a dialect.
 *
 * @param vocabulary The dialect: `gep713`.
 * @param outcome What has become of the policy.
 * @param options The messages, and whether rejected policies say more.
 * @returns The conditions, in the order in which they are to be written; none if the dialect ignores such policies.
 */
export function conditionsFor(
  { outcomes, rejected, merged }: Vocabulary,
  outcome: PolicyOutcome,
  { message, rejectedProgrammed = 'omit', merging, reason: given }: OutcomeOptions,
): readonly ConditionUpdate[] {
  const more: readonly ConditionTemplate[] = rejectedProgrammed === 'false' ? (rejected[outcome] ?? []) : [];
  const templates = [...((merging && merged?.[merging]) ?? outcomes[outcome]), ...more];
  const first = given === undefined ? -1 : templates.findIndex(([, status]) => status !== 'True');
  return templates.map(([type, status, usual], index) => {
    const reason = index === first && given !== undefined ? given : usual;
    return { type, status, reason, message: typeof message === 'string' ? message : message({ type, status, reason }) };
  });
}
