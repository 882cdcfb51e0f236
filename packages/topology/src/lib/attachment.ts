import type { GroupKind, KubernetesObject, Scope } from '@policy-machinery/resource';
import type { DeclaredTarget, TargetRefReading } from '@policy-machinery/target-ref';
import type { Targetable } from './target-kind.ts';
import type { TargetNode } from './target-node.ts';

/** What a topology needs to know of a policy kind in order to attach its policies. */
export interface AttachableKind extends GroupKind {
  /** Policies of a cluster-scoped kind may target anything, and name the namespace of their target. */
  readonly scope: Scope;
  /** The kinds that its policies may target. */
  readonly targets: readonly Targetable[];
  /** The kinds that its policies have an effect on (T-17). Default: its targets. */
  readonly effectiveTargets?: readonly Targetable[];
  /**
   * Whether policies of a namespaced kind may target what is outside their namespace (T-09). With `refuse` they may target
   * what their namespace holds and its Namespace object, but neither what other namespaces hold nor any other
   * cluster-scoped resource (P-13): write access to a namespace must not reach beyond it.
   */
  readonly crossNamespace: 'refuse' | 'allow';
  /** Whether targets may attach its policies by naming them, as rules do with ExtensionRef filters. Default no. */
  readonly extensionRefs?: boolean;
  /** Reads the targets that a policy declares. */
  readonly targetRefs: (policy: KubernetesObject) => TargetRefReading;
}

/** A policy of one of the topology's policy kinds. */
export interface PolicyNode {
  readonly locator: string;
  readonly resource: KubernetesObject;
  readonly kind: AttachableKind;
  /**
   * One for each target that the policy declares, in its order, and none of these when its targetRefs are malformed; then one
   * for each target that names the policy.
   */
  readonly attachments: readonly Attachment[];
}

/** What became of one target reference. Never a silent nothing. */
export type AttachmentOutcome =
  | 'Attached'
  | 'TargetNotFound'
  | 'SectionNotFound'
  | 'UnsupportedTarget'
  | 'CrossNamespaceRefused'
  | 'ClusterScopeRefused';

/** One target that a policy declares, or that names the policy. */
export interface Attachment {
  /** The reference; its pointer is from the root of the policy, or of the target that names it. */
  readonly declared: DeclaredTarget;
  /** Who says so: the policy, or the target. */
  readonly via: 'targetRef' | 'policyRef';
  readonly outcome: AttachmentOutcome;
  /** The target, if the outcome is `Attached`. */
  readonly target?: TargetNode;
}
