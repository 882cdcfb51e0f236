import type { ConditionUpdate } from './condition.ts';
import type { Merging, PolicyOutcome } from './policy-outcome.ts';
import type { ConditionTemplate, Vocabulary } from './vocabulary.ts';

/** How an outcome is expressed. */
export interface OutcomeOptions {
  /** The message of all conditions, or of each: the other policies, and the parts that they affect. */
  readonly message: string | ((condition: Omit<ConditionUpdate, 'message'>) => string);
  /**
   * Whether a rejected policy has only the condition that rejects it, or also those which say that it is not in force.
   * Default `omit`.
   */
  readonly rejectedProgrammed?: 'omit' | 'false' | undefined;
  /** How the policy is merged with others, for dialects that express it. Default: it is not merged. */
  readonly merging?: Merging | undefined;
  /**
   * The reason of the first condition that is not true, such as the condition that rejects a policy. Default: the reason of the
   * dialect.
   */
  readonly reason?: string | undefined;
}

/**
 * Returns the conditions of an outcome, in the words of a dialect.
 *
 * @param vocabulary The dialect: `gep713`.
 * @param outcome The outcome of the policy.
 * @param options The messages, and further conditions for rejected policies.
 * @returns The conditions, in the order of writing; none if the dialect ignores such policies, or the outcome is undecided.
 */
export function conditionsFor(
  { outcomes, rejected, merged }: Vocabulary,
  outcome: PolicyOutcome,
  { message, rejectedProgrammed = 'omit', merging, reason: given }: OutcomeOptions,
): readonly ConditionUpdate[] {
  if (outcome === 'undecided') return [];
  const more: readonly ConditionTemplate[] = rejectedProgrammed === 'false' ? (rejected[outcome] ?? []) : [];
  const templates = [...((merging && merged?.[merging]) ?? outcomes[outcome]), ...more];
  const first = given === undefined ? -1 : templates.findIndex(([, status]) => status !== 'True');
  return templates.map(([type, status, usual], index) => {
    const reason = index === first && given !== undefined ? given : usual;
    return { type, status, reason, message: typeof message === 'string' ? message : message({ type, status, reason }) };
  });
}
