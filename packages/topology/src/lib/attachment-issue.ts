import { type GroupKind, groupKindKey, type Issue, type ResourceRef } from '@policy-machinery/resource';
import type { AttachableKind, Attachment, AttachmentOutcome, PolicyNode } from './attachment.ts';
import { formatRef } from './format.ts';
import { describeTargetable, isSectionKind } from './target-kind.ts';

/** What a policy asked for, and what there is. */
export interface Sought {
  readonly ref: ResourceRef;
  /** Whether the reference names no namespace where it must: cluster-scoped policies have none of their own. */
  readonly lacksNamespace: boolean;
  /** The names by which sections of the resource can be targeted. */
  readonly sections: () => readonly string[];
}

type Failure = Exclude<AttachmentOutcome, 'Attached'>;

interface FailureText {
  readonly code: string;
  /** What is wrong, and what to do. */
  readonly message: (sought: Sought, kind: AttachableKind) => string;
}

const failures: Readonly<Record<Failure, FailureText>> = {
  TargetNotFound: {
    code: 'missing-target',
    message: ({ ref, lacksNamespace }, { kind }) =>
      lacksNamespace
        ? `targets ${formatRef(ref)} without saying where, and ${kind} is cluster-scoped; set namespace in the reference`
        : `targets ${formatRef(ref)}, which does not exist; create it or correct the reference`,
  },
  SectionNotFound: {
    code: 'missing-section',
    message: ({ ref, sections }) =>
      `targets ${formatRef(ref)}, a section that does not exist or whose name is not unique; ${sectionAdvice(sections())}`,
  },
  UnsupportedTarget: {
    code: 'unsupported-target',
    message: ({ ref }, kind) =>
      `targets ${formatRef(ref)}${otherGroup(ref, kind)}, which ${kind.kind} does not support; target one of ${kind.targets
        .map(describeTargetable)
        .join(', ')}`,
  },
  CrossNamespaceRefused: {
    code: 'cross-namespace-target',
    message: ({ ref }, { kind }) =>
      `targets ${formatRef(ref)}, and ${kind} may target its own namespace only; move the policy to ${ref.namespace}, or have the kind allow it with crossNamespace: 'allow'`,
  },
  ClusterScopeRefused: {
    code: 'cluster-scoped-target',
    message: ({ ref }, { kind }) =>
      `targets ${formatRef(ref)}, which no namespace holds, and ${kind} may target its own namespace only; make ${kind} cluster-scoped, or have it allow this with crossNamespace: 'allow'`,
  },
};

/** The issue of an attachment that came to nothing. */
export function attachmentIssue(
  policy: PolicyNode,
  { declared, outcome }: Attachment,
  sought: Sought,
): readonly Issue[] {
  if (outcome === 'Attached') return [];
  const { code, message } = failures[outcome];
  const { locator: resource, kind } = policy;
  return [{ code, severity: 'error', message: message(sought, kind), resource, pointer: declared.pointer }];
}

function sectionAdvice(names: readonly string[]): string {
  if (names.length === 0) return 'give the resource a section of that name or correct the reference';
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return `target one of ${names.slice(0, 10).join(', ')}${more}`;
}

/** Tells apart what is spelt alike: a kind that the policies support in another group. */
function otherGroup(ref: GroupKind, { targets }: AttachableKind): string {
  const kinds: readonly GroupKind[] = targets.map((target) => (isSectionKind(target) ? target.of : target));
  if (kinds.some((kind) => groupKindKey(kind) === groupKindKey(ref))) return '';
  const namesake = kinds.find(({ kind }) => kind === ref.kind);
  return namesake === undefined ? '' : ` of group "${ref.group}", not "${namesake.group}"`;
}
