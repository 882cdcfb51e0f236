import { type ConditionUpdate, conditionFault, conditionsFor } from '@policy-machinery/conditions';
import { messageOf } from '@policy-machinery/resource';
import { once } from '../once.ts';
import type { Finding } from '../report/finding.ts';
import { type AncestorReport, mergingIn, outcomeOf, summaryOf } from '../report/policy-report.ts';
import type { ConditionSubject, PlanSettings } from './plan-options.ts';

/** The outcome of a policy, and the conditions that describe it. */
export interface ToldOutcome extends Pick<AncestorReport, 'outcome'> {
  /** The reason from the controller's verdict. */
  readonly reason?: string;
  /** Their message is made when it is read: most messages of a policy with many ancestors do not fit. */
  readonly conditions: readonly ConditionUpdate[];
}

/** Returns the outcome of a policy from its findings. */
export function toldIn(
  findings: readonly Finding[],
  { vocabulary, rejectedProgrammed }: Pick<PlanSettings, 'vocabulary' | 'rejectedProgrammed'>,
): ToldOutcome {
  const combined = outcomeOf(findings);
  const details = once(() => summaryOf(findings).message);
  const isOneOfSeveral = combined.outcome !== 'undecided' && vocabulary.outcomes[combined.outcome].length > 1;
  const options = { message: '', rejectedProgrammed, merging: mergingIn(findings), reason: combined.reason };
  const conditions = conditionsFor(vocabulary, combined.outcome, options).map(({ type, status, reason }) => ({
    type,
    status,
    reason,
    get message() {
      return isOneOfSeveral && type === 'Accepted' && status === 'True' ? 'The policy is valid.' : details();
    },
  }));
  return { ...combined, conditions };
}

/** Thrown if the controller's conditions cannot be written; the status of the policy then stays unchanged. */
export class InvalidConditionError extends Error {}

/**
 * Returns the conditions of a policy for an ancestor or as a whole: the conditions of its outcome and the controller's own, which replace
 * others of the same type.
 *
 * @param told The outcome of the policy there.
 * @param subject The subject that the controller's function receives.
 * @throws {InvalidConditionError} If the controller's function throws or returns a condition that no API server accepts.
 */
export function policyConditions(
  { outcome, reason, conditions }: ToldOutcome,
  subject: () => ConditionSubject,
  settings: PlanSettings,
): readonly ConditionUpdate[] {
  const { vocabulary, unprogrammed } = settings;
  const isInForce = outcome === 'enforced' || outcome === 'partly-enforced';
  const failure = unprogrammed !== undefined && isInForce ? asked(() => unprogrammed(subject())) : undefined;
  if (settings.conditions === undefined && reason === undefined && failure === undefined) return conditions;
  const feedback = failure === undefined ? [] : notInForce(vocabulary, failure);
  const custom = settings.conditions === undefined ? [] : ownConditions(subject(), settings.conditions, settings);
  const byType = new Map([...conditions, ...feedback, ...custom].map((it) => [it.type, it]));
  for (const condition of byType.values()) refuseFault(conditionFault(condition));
  return [...byType.values()];
}

/** Returns the condition which says that a valid policy is not in force yet: the last one of a policy that is pending. */
function notInForce(vocabulary: PlanSettings['vocabulary'], message: string): readonly ConditionUpdate[] {
  return conditionsFor(vocabulary, 'pending', { message })
    .filter(({ status }) => status !== 'True')
    .slice(-1);
}

function ownConditions(
  subject: ConditionSubject,
  ask: NonNullable<PlanSettings['conditions']>,
  settings: PlanSettings,
): readonly ConditionUpdate[] {
  const types = ownedTypes(settings);
  const conditions = asked(() => ask(subject));
  for (const { type } of conditions) {
    if (!types.includes(type)) {
      refuseFault(`its condition ${type} is not declared; add the type to conditionTypes`);
    }
  }
  return conditions;
}

function asked<Answer>(ask: () => Answer): Answer {
  try {
    return ask();
  } catch (error) {
    throw new InvalidConditionError(`its conditions could not be computed: ${messageOf(error)}; it is not changed`);
  }
}

function refuseFault(fault: string | undefined): void {
  if (fault !== undefined) throw new InvalidConditionError(fault);
}

/** Returns the condition types on policies that this controller owns. */
export function ownedTypes({ vocabulary, conditionTypes }: PlanSettings): readonly string[] {
  return conditionTypes.length === 0 ? vocabulary.types : [...vocabulary.types, ...conditionTypes];
}
