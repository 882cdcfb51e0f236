import { type Issue, PolicyMachineryError } from '@policy-machinery/resource';
import type { ConditionStatus, ConditionUpdate } from './condition.ts';
import { reasonFault, typeFault } from './names.ts';
import type { Merging, ReportedOutcome } from './policy-outcome.ts';

/** The condition types of a dialect, the statuses that each may have, and the reasons for them. */
export type ReasonTable = Readonly<Record<string, Readonly<Partial<Record<ConditionStatus, readonly string[]>>>>>;

/** A condition without a message: type, status and reason. */
export type ConditionTemplate = readonly [type: string, status: ConditionStatus, reason: string];

/** The templates that a table of reasons allows. */
export type TemplateOf<Table extends ReasonTable> = {
  [Type in keyof Table & string]: {
    [Status in keyof Table[Type] & ConditionStatus]: readonly [Type, Status, ReasonOf<Table, Type, Status>];
  }[keyof Table[Type] & ConditionStatus];
}[keyof Table & string];

/** The reasons for a status of a condition. */
export type ReasonOf<
  Table extends ReasonTable,
  Type extends keyof Table,
  Status extends keyof Table[Type],
> = Table[Type][Status] extends readonly (infer Reason extends string)[] ? Reason : never;

type MergedOf<Table extends ReasonTable> = Readonly<Partial<Record<Merging, readonly TemplateOf<Table>[]>>>;

type OutcomesOf<Table extends ReasonTable> = Readonly<Record<ReportedOutcome, readonly TemplateOf<Table>[]>>;

/** The words of a dialect as data, for functions that accept any vocabulary. */
export interface Vocabulary {
  /** Its condition types. */
  readonly types: readonly string[];
  /** The conditions of each outcome, in the order of writing. Without any, the policy is ignored. */
  readonly outcomes: Readonly<Record<ReportedOutcome, readonly ConditionTemplate[]>>;
  /** Additional conditions of rejected policies, for callers that want all positive conditions to exist. */
  readonly rejected: Readonly<Partial<Record<ReportedOutcome, readonly ConditionTemplate[]>>>;
  /** The conditions of policies in force that are merged with others, instead of the conditions of their outcome. Default: the same. */
  readonly merged?: Readonly<Partial<Record<Merging, readonly ConditionTemplate[]>>>;
  /** The reason of the conditions on objects that policies affect. */
  readonly affectedReason: string;
}

/** A vocabulary with the types of its reasons. */
export interface TypedVocabulary<Table extends ReasonTable> extends Vocabulary {
  readonly types: readonly (keyof Table & string)[];
  readonly reasons: Table;
  readonly outcomes: OutcomesOf<Table>;
  readonly rejected: Partial<OutcomesOf<Table>>;
  readonly merged: MergedOf<Table>;
  /**
   * Builds a condition. A reason that does not belong to the type and status does not compile.
   *
   * @param type The type of the condition.
   * @param reason A reason for it.
   * @param message The message for people.
   * @returns The condition, ready to be set.
   */
  readonly condition: <
    Type extends keyof Table & string,
    Status extends keyof Table[Type] & ConditionStatus,
    Reason extends ReasonOf<Table, Type, Status>,
  >(
    type: Type,
    status: Status,
    reason: Reason,
    message: string,
  ) => ConditionUpdate;
}

/** The declaration of a vocabulary. */
export interface VocabularyDeclaration<Table extends ReasonTable> {
  readonly reasons: Table;
  readonly outcomes: NoInfer<OutcomesOf<Table>>;
  /** Default: none. */
  readonly rejected?: NoInfer<Partial<OutcomesOf<Table>>>;
  /** Default: the conditions of the outcome. */
  readonly merged?: NoInfer<MergedOf<Table>>;
  /** Default `PolicyAffected`. */
  readonly affectedReason?: string;
}

/**
 * Defines the words where a dialect reports on its policies.
 *
 * @param declaration The reasons by type and status, and the conditions of each outcome.
 * @returns The vocabulary.
 * @throws {PolicyMachineryError} `invalid-vocabulary`, if Kubernetes would refuse a type or a reason, or if an outcome has a
 * reason that is not in the table.
 * @example
 * ```ts
 * gep713Vocabulary.condition('Accepted', 'False', 'Conflicted', 'Another policy holds the target: shop/old.');
 * ```
 */
export function defineVocabulary<const Table extends ReasonTable>({
  reasons,
  outcomes,
  rejected = {},
  merged = {},
  affectedReason = 'PolicyAffected',
}: VocabularyDeclaration<Table>): TypedVocabulary<Table> {
  const vocabulary = { types: Object.keys(reasons), reasons, outcomes, rejected, merged, affectedReason };
  const issues = faultsOf(vocabulary);
  if (issues.length > 0) {
    throw new PolicyMachineryError('invalid-vocabulary', 'The vocabulary cannot be used', issues);
  }
  return { ...vocabulary, condition: (type, status, reason, message) => ({ type, status, reason, message }) };
}

function faultsOf({
  types,
  reasons,
  outcomes,
  rejected,
  merged = {},
  affectedReason,
}: Vocabulary & { readonly reasons: ReasonTable }): readonly Issue[] {
  const fault = (code: string, message: string): Issue => ({ code, severity: 'error', message });
  const words = Object.values(reasons).flatMap((byStatus) => Object.values(byStatus).flat());
  const templates = [outcomes, rejected, merged].flatMap((table) => Object.values(table).flat());
  return [
    ...[...types.map(typeFault), ...[...words, affectedReason].map(reasonFault)]
      .filter((message) => message !== undefined)
      .map((message) => fault('invalid-name', message)),
    ...templates
      .filter(([type, status, reason]) => !reasons[type]?.[status]?.includes(reason))
      .map((template) =>
        fault('unknown-reason', `${template.join('/')} is not in the table of reasons; add it there, or use another`),
      ),
  ];
}
