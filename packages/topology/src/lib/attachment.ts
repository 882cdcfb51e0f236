import type { GroupKind, Issue, KubernetesObject, Scope } from '@policy-machinery/resource';
import type { DeclaredTarget, TargetRefReading } from '@policy-machinery/target-ref';
import type { Targetable } from './target-kind.ts';
import type { TargetNode } from './target-node.ts';

/** What a topology needs to know of a policy kind in order to attach its policies. */
export interface AttachableKind extends GroupKind {
  /** Default `Namespaced`. Policies of a cluster-scoped kind may name the namespace of their target freely. */
  readonly scope: Scope;
  /** The kinds that its policies may target. */
  readonly targets: readonly Targetable[];
  /**
   * Whether a policy may target resources in other namespaces (T-09). `refuse` is safe: write access to a namespace must
   * not reach into others.
   */
  readonly crossNamespace: 'refuse' | 'allow';
  /** Reads the targets that a policy declares. */
  readonly targetRefs: (policy: KubernetesObject) => TargetRefReading;
}

/** A policy of one of the topology's policy kinds. */
export interface PolicyNode {
  readonly locator: string;
  readonly resource: KubernetesObject;
  readonly kind: AttachableKind;
  /** One for each target that the policy declares, in its order; none when its targetRefs are malformed. */
  readonly attachments: readonly Attachment[];
}

/** What became of one target reference. Never a silent nothing. */
export type AttachmentOutcome =
  | 'Attached'
  | 'TargetNotFound'
  | 'SectionNotFound'
  | 'UnsupportedTarget'
  | 'CrossNamespaceRefused';

/** One target that a policy declares. */
export interface Attachment {
  readonly declared: DeclaredTarget;
  readonly outcome: AttachmentOutcome;
  /** The target, if the outcome is `Attached`. */
  readonly target?: TargetNode;
}

/** What each outcome but `Attached` means, and what to do. */
export const outcomeMessages: Readonly<
  Record<Exclude<AttachmentOutcome, 'Attached'>, (target: string, kind: AttachableKind) => string>
> = {
  TargetNotFound: (target) => `targets ${target}, which does not exist; create it or correct the reference`,
  SectionNotFound: (target) => `targets ${target}, a section that does not exist or whose name is not unique`,
  UnsupportedTarget: (target, kind) => `targets ${target}, a kind that ${kind.kind} does not support`,
  CrossNamespaceRefused: (target, kind) => `targets ${target}; ${kind.kind} may target its own namespace only`,
};

/** The issue codes of the outcomes. */
export const outcomeCodes: Readonly<Record<Exclude<AttachmentOutcome, 'Attached'>, string>> = {
  TargetNotFound: 'missing-target',
  SectionNotFound: 'missing-section',
  UnsupportedTarget: 'unsupported-target',
  CrossNamespaceRefused: 'cross-namespace-target',
};

/** The issue of an attachment that came to nothing. */
export function attachmentIssue(
  policy: PolicyNode,
  { declared, outcome }: Attachment,
  target: string,
): Issue | undefined {
  if (outcome === 'Attached') return undefined;
  return {
    code: outcomeCodes[outcome],
    severity: 'error',
    message: outcomeMessages[outcome](target, policy.kind),
    resource: policy.locator,
    pointer: declared.pointer,
  };
}
