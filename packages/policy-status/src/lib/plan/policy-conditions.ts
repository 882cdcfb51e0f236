import { type ConditionUpdate, conditionFault, conditionsFor, type Merging } from '@policy-machinery/conditions';
import { messageOf } from '@policy-machinery/resource';
import type { AncestorReport } from '../report/policy-report.ts';
import type { ConditionSubject, PlanSettings } from './plan-options.ts';

/** The outcome of a policy as its conditions describe it. */
export interface ToldOutcome extends Pick<AncestorReport, 'outcome'> {
  /** The reason from the controller's verdict. */
  readonly reason: string | undefined;
  /**
   * Returns the message. Called only for conditions that are written: a policy with many ancestors has no room for most of its messages.
   */
  readonly message: () => string;
  readonly merging: Merging | undefined;
}

/** Thrown if the controller's conditions cannot be written; the status of the policy then stays unchanged. */
export class InvalidConditionError extends Error {}

/**
 * Returns the conditions of a policy for an ancestor or as a whole: those of its outcome and the controller's own, which replace others of
 * the same type.
 *
 * @param told The outcome of the policy there.
 * @param subject The subject that the controller's function receives.
 * @throws {InvalidConditionError} If the controller's function throws or returns a condition that no API server accepts.
 */
export function policyConditions(
  { outcome, message, reason, merging }: ToldOutcome,
  subject: () => ConditionSubject,
  settings: PlanSettings,
): readonly ConditionUpdate[] {
  const { vocabulary, rejectedProgrammed, unprogrammed } = settings;
  const isOneOfSeveral = vocabulary.outcomes[outcome].length > 1;
  const ofOutcome = conditionsFor(vocabulary, outcome, { message: '', rejectedProgrammed, merging, reason }).map(
    (it) =>
      isOneOfSeveral && it.type === 'Accepted' && it.status === 'True'
        ? { type: it.type, status: it.status, reason: it.reason, message: accepted }
        : new ToldCondition(it, message),
  );
  const isInForce = outcome === 'enforced' || outcome === 'partly-enforced';
  const failure = unprogrammed !== undefined && isInForce ? asked(() => unprogrammed(subject())) : undefined;
  if (settings.conditions === undefined && reason === undefined && failure === undefined) return ofOutcome;
  const feedback = failure === undefined ? [] : notInForce(vocabulary, failure);
  const own = settings.conditions === undefined ? [] : ownConditions(subject(), settings.conditions, settings);
  const all = new Map([...ofOutcome, ...feedback, ...own].map((it) => [it.type, it]));
  for (const condition of all.values()) refuseFault(conditionFault(condition));
  return [...all.values()];
}

const accepted = 'The policy is valid.';

/** Returns the condition which says that a valid policy is not in force yet: the last one of a policy that is pending. */
function notInForce(vocabulary: PlanSettings['vocabulary'], message: string): readonly ConditionUpdate[] {
  return conditionsFor(vocabulary, 'pending', { message })
    .filter(({ status }) => status !== 'True')
    .slice(-1);
}

/** A condition whose message is made when it is read. */
class ToldCondition implements ConditionUpdate {
  readonly type: string;
  readonly status: ConditionUpdate['status'];
  readonly reason: string;
  readonly #message: () => string;

  constructor({ type, status, reason }: ConditionUpdate, message: () => string) {
    this.type = type;
    this.status = status;
    this.reason = reason;
    this.#message = message;
  }

  get message(): string {
    return this.#message();
  }
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
    throw new InvalidConditionError(`its conditions could not be found: ${messageOf(error)}; it is left as it is`);
  }
}

function refuseFault(fault: string | undefined): void {
  if (fault !== undefined) throw new InvalidConditionError(fault);
}

/** Returns the condition types on policies that this controller owns. */
export function ownedTypes({ vocabulary, conditionTypes }: PlanSettings): readonly string[] {
  return conditionTypes.length === 0 ? vocabulary.types : [...vocabulary.types, ...conditionTypes];
}
