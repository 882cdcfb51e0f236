import { type GroupKind, groupKindKey, type Issue } from '@policy-machinery/resource';
import { formatTarget } from '../model/format.ts';
import type { AttachableKind, Attachment, AttachmentOutcome } from '../model/policy-node.ts';
import { describeTargetable, isSectionKind, ownerOf } from '../model/target-kind.ts';
import type { TargetNode } from '../model/target-node.ts';
import { maxSelectingPolicies } from './crowds.ts';

/** A failed attachment, as far as messages describe it. */
export interface Sought {
  /** The declaration as a part of a sentence: `targets Museum default/louvre`. */
  readonly asked: string;
  readonly ref: GroupKind & { readonly namespace?: string; readonly name?: string };
  /** Whether the reference lacks a namespace that it needs: cluster-scoped policies do not have a namespace. */
  readonly lacksNamespace?: boolean;
  /** The names of the sections that can be targeted. */
  readonly sections?: readonly string[];
  /** The resource that a controller creates the target for. */
  readonly creator?: TargetNode | undefined;
  /** Why policies of the kind do not affect the target, although they support its kind. */
  readonly refusal?: string;
  /** The remedy of an undecided refusal. Default: none. */
  readonly remedy?: string | undefined;
  /** An object that decides whether they have, and need not have been given. */
  readonly dependsOn?: string;
  /** Whether the policy may be attached, because the topology need not have been given everything that decides. Default: no. */
  readonly isUndecided?: boolean;
}

/** The reasons why a policy is not attached. */
export type Failure = Exclude<AttachmentOutcome, 'Attached' | 'Malformed' | 'Undecided'>;

const error = (code: string) => ({ code, severity: 'error' }) as const;

/** The message if the policy may be in the namespace of the target, because its file does not name a namespace. */
const mayBeBeside = ({ asked }: Sought, { kind }: AttachableKind): readonly [string, string] => [
  `${asked}, and ${kind} may target its own namespace only, which its file does not name`,
  'set metadata.namespace',
];

/** The issue of each failure, if something is wrong, and the reason with the remedy. */
const failures: Readonly<
  Record<
    Failure,
    {
      readonly issue: Pick<Issue, 'code' | 'severity'> | undefined;
      readonly message: (sought: Sought, kind: AttachableKind) => string;
      /** The reason and the remedy if the deciding objects may be missing from the input. Default: they are given. */
      readonly undecided?: (
        sought: Sought,
        kind: AttachableKind,
      ) => readonly [reason: string, remedy?: string | undefined];
    }
  >
> = {
  TargetNotFound: {
    issue: error('missing-target'),
    undecided: ({ asked, creator }) =>
      creator === undefined
        ? [`${asked}, which is not in this input`, 'add it, or correct the reference']
        : [`${asked}, which a controller creates for ${formatTarget(creator)}`],
    message: ({ asked, lacksNamespace }, { kind }) =>
      lacksNamespace
        ? `${asked} without a namespace, but ${kind} is cluster-scoped; set namespace in the reference`
        : `${asked}, which does not exist; create it or correct the reference`,
  },
  SectionNotFound: {
    issue: error('missing-section'),
    message: ({ asked, ref, sections = [] }, kind) => {
      const sort = sortOf(ref, kind);
      return `${asked}, a ${sort} that does not exist, or with a name that is not unique; ${sectionAdvice(sections, sort)}`;
    },
  },
  UnsupportedTarget: {
    issue: error('unsupported-target'),
    undecided: ({ asked, dependsOn, refusal, remedy }, { kind }) =>
      dependsOn === undefined
        ? [`${asked}, ${refusal}`, remedy]
        : [
            `${asked}, and whether ${kind} has an effect there depends on ${dependsOn}, which is not in this input`,
            'add it',
          ],
    message: ({ asked, ref, refusal }, kind) =>
      refusal === undefined
        ? `${asked}${otherGroup(ref, kind)}, which ${kind.kind} does not support; target one of ${kind.targets
            .map(describeTargetable)
            .join(', ')}`
        : `${asked}, ${refusal}`,
  },
  CrossNamespaceRefused: {
    issue: error('cross-namespace-target'),
    undecided: mayBeBeside,
    message: ({ asked, ref }, { kind }) =>
      `${asked}, and ${kind} may target its own namespace only; move the policy to ${ref.namespace}`,
  },
  ClusterScopeRefused: {
    issue: error('cluster-scoped-target'),
    undecided: mayBeBeside,
    message: ({ asked, ref }, { kind }) =>
      ref.group === '' && ref.kind === 'Namespace'
        ? `${asked}, and ${kind} may target its own namespace only; move the policy to ${ref.name}`
        : `${asked}, which is cluster-scoped, and ${kind} may target its own namespace only; target an object there`,
  },
  ReferenceNotPermitted: {
    issue: error('reference-not-permitted'),
    undecided: ({ asked, ref }, { kind }) => [
      `${asked}, and no ReferenceGrant in this input permits ${kind} to target it`,
      `add one in namespace ${ref.namespace}, or move the policy to ${ref.namespace}`,
    ],
    message: ({ asked, ref }, { kind }) =>
      `${asked}, and no ReferenceGrant in namespace ${ref.namespace} permits ${kind} to target it; create one there, or move the policy to ${ref.namespace}`,
  },
  NothingSelected: {
    issue: { code: 'nothing-selected', severity: 'warning' },
    undecided: ({ asked, ref }) => [
      `${asked}, but no ${ref.kind} in the permitted namespaces of this input matches`,
      'add one, or correct the selector',
    ],
    message: ({ asked, ref }) =>
      `${asked}, but no ${ref.kind} in the permitted namespaces matches; correct the selector or the labels`,
  },
  TooManyPolicies: {
    issue: error('too-many-policies'),
    message: ({ asked }, { kind }) =>
      `${asked}, but ${maxSelectingPolicies} older ${kind} policies of its namespace already select some of them; select others, or remove some of the policies`,
  },
  ManagedElsewhere: {
    issue: undefined,
    message: ({ asked }) => `${asked}, which another controller manages`,
  },
};

/** Returns a failed attachment, with the reason and the remedy. */
export function unattached(
  { declared, via }: Pick<Attachment, 'declared' | 'via'>,
  outcome: Failure,
  sought: Sought,
  kind: AttachableKind,
): Attachment {
  const { message, undecided } = failures[outcome];
  if (sought.isUndecided !== true || undecided === undefined) {
    return { declared, via, outcome, message: message(sought, kind) };
  }
  const { creator } = sought;
  const [reason, remedy] = undecided(sought, kind);
  const why = remedy === undefined ? reason : `${reason}; ${remedy}`;
  return { declared, via, outcome: 'Undecided', reason, message: why, ...(creator === undefined ? {} : { creator }) };
}

/** The issue of an attachment that depends on resources that need not have been given. */
const notInInput = { code: 'not-in-input', severity: 'warning' } as const;

/** Returns the issue of a failed attachment; none if the failure is intended, or a controller creates the target. */
export function attachmentIssue(
  policy: string,
  { declared, outcome, creator, message = '' }: Attachment,
): Issue | undefined {
  if (outcome === 'Attached' || outcome === 'Malformed') return undefined; // The reader of the policy reports malformed declarations.
  if (creator !== undefined) return undefined; // There is nothing to correct.
  const issue = outcome === 'Undecided' ? notInInput : failures[outcome].issue;
  return issue && { ...issue, message, resource: policy, pointer: declared.pointer };
}

/** Returns the sort of the sections of a kind, if policies can target only one: `port`. */
function sortOf(ref: GroupKind, { targets }: AttachableKind): string {
  const sections = targets.filter(isSectionKind).filter(({ of }) => groupKindKey(of) === groupKindKey(ref));
  return sections.length === 1 ? (sections[0]?.section ?? 'section') : 'section';
}

function sectionAdvice(names: readonly string[], sort: string): string {
  if (names.length === 0) return `give the resource a ${sort} of that name or correct the reference`;
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return `target one of ${names.slice(0, 10).join(', ')}${more}`;
}

/** Returns a hint if the policies support a kind of the same name in another group. */
function otherGroup(ref: GroupKind, { targets }: AttachableKind): string {
  const kinds: readonly GroupKind[] = targets.map(ownerOf);
  if (kinds.some((kind) => groupKindKey(kind) === groupKindKey(ref))) return '';
  const namesake = kinds.find(({ kind }) => kind === ref.kind);
  return namesake === undefined ? '' : ` of group "${ref.group}", not "${namesake.group}"`;
}
