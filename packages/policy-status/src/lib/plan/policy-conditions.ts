import { type ConditionUpdate, conditionFault, conditionsFor, type Merging } from '@policy-machinery/conditions';
import { messageOf } from '@policy-machinery/resource';
import type { AncestorReport } from '../report/policy-report.ts';
import type { ConditionSubject, PlanSettings } from './plan-options.ts';

/** What has become of a policy, as far as the conditions of its outcome tell. */
export interface ToldOutcome extends Pick<AncestorReport, 'outcome' | 'reason'> {
  /** Is asked only for conditions that are written: most messages of a policy with many ancestors have no room in its status. */
  readonly message: () => string;
  readonly merging: Merging | undefined;
}

/** Why the status of a policy is left as it is: what the controller says of it cannot be written. */
export class InvalidConditionError extends Error {}

/**
 * The conditions of a policy with respect to an ancestor, or as a whole: those of its outcome, and the controller's own, which take the
 * place of others of their types.
 *
 * @param told What has become of the policy there.
 * @param subject What the controller is asked about.
 * @throws {InvalidConditionError} When the controller's function throws, or says what no API server takes.
 */
export function policyConditions(
  { outcome, message, reason, merging }: ToldOutcome,
  subject: () => ConditionSubject,
  settings: PlanSettings,
): readonly ConditionUpdate[] {
  const { vocabulary, rejectedProgrammed } = settings;
  const isOneOfSeveral = vocabulary.outcomes[outcome].length > 1;
  const ofOutcome = conditionsFor(vocabulary, outcome, { message: '', rejectedProgrammed, merging, reason }).map((it) =>
    withMessage(it, isOneOfSeveral && it.type === 'Accepted' && it.status === 'True' ? () => accepted : message),
  );
  if (settings.conditions === undefined && reason === undefined) return ofOutcome;
  const own = settings.conditions === undefined ? [] : ownConditions(subject(), settings.conditions, settings);
  const all = new Map([...ofOutcome, ...own].map((it) => [it.type, it]));
  for (const condition of all.values()) refuseFault(conditionFault(condition));
  return [...all.values()];
}

const accepted = 'The policy is valid.';

/** Returns a condition whose message is found when it is read. */
function withMessage({ type, status, reason }: ConditionUpdate, message: () => string): ConditionUpdate {
  return {
    type,
    status,
    reason,
    get message() {
      return message();
    },
  };
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

function asked(conditions: () => readonly ConditionUpdate[]): readonly ConditionUpdate[] {
  try {
    return conditions();
  } catch (error) {
    throw new InvalidConditionError(`its conditions could not be found: ${messageOf(error)}; it is left as it is`);
  }
}

function refuseFault(fault: string | undefined): void {
  if (fault !== undefined) throw new InvalidConditionError(fault);
}

/** The types of condition on policies that are the controller's own. */
export function ownedTypes({ vocabulary, conditionTypes }: PlanSettings): readonly string[] {
  return conditionTypes.length === 0 ? vocabulary.types : [...vocabulary.types, ...conditionTypes];
}
