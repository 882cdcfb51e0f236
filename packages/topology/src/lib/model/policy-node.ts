import type { GroupKind, KubernetesObject, Scope } from '@policy-machinery/resource';
import type {
  DeclaredTarget,
  DeclaredTargetSelector,
  TargetRefReading,
  TargetSelectorReading,
} from '@policy-machinery/target-ref';
import type { Targetable } from './target-kind.ts';
import type { TargetNode } from './target-node.ts';
import type { WhileDeleting } from './while-deleting.ts';

/** What a topology needs to know of a policy kind in order to attach its policies. */
export interface AttachableKind extends GroupKind {
  /** Policies of a cluster-scoped kind may target anything, and name the namespace of their target. */
  readonly scope: Scope;
  /** Its name in URLs: `timeoutpolicies`. Default: the plural of the kind in lower case. */
  readonly plural?: string;
  /** The versions of its API that can be read, the preferred one first. Default: `v1`. */
  readonly versions?: readonly string[];
  /** The kinds that its policies may target. */
  readonly targets: readonly Targetable[];
  /** The kinds that its policies have an effect on (T-17). Default: its targets. */
  readonly effectiveTargets?: readonly Targetable[];
  /**
   * Whether policies of a namespaced kind may target what is outside their namespace (T-09). In any case they may target what
   * their namespace holds and its Namespace object. Write access to a namespace must not reach beyond it, so all else takes:
   * - `refuse`: nothing will do.
   * - `granted`: a ReferenceGrant in the namespace of the target, from the policy's kind and namespace (T-10).
   * - `consumer`: nothing; the policy counts only for traffic from its own namespace (T-11), as the attachment says.
   * - `allow`: nothing. Cluster-scoped resources can be targeted only with this one (P-13).
   */
  readonly crossNamespace: 'refuse' | 'allow' | 'granted' | 'consumer';
  /** Whether targets may attach its policies by naming them, as rules do with ExtensionRef filters. Default no. */
  readonly extensionRefs?: boolean;
  /** Reads the targets that a policy names. */
  readonly targetRefs: (policy: KubernetesObject) => TargetRefReading;
  /** Reads the selectors by which a policy finds targets (T-07). Default: it has none. */
  readonly targetSelectors?: (policy: KubernetesObject) => TargetSelectorReading;
  /**
   * Whether a target belongs to the controller that uses this topology, by itself and what stands above it. Others may have
   * controllers of their own: for their targets no status must be written (T-22). Default: all are.
   */
  readonly manages?: (target: TargetNode) => boolean;
  /** Whether a policy still counts while it is being deleted. Default `counts`: until it is gone. */
  readonly whileDeleting?: WhileDeleting;
}

/** A policy of one of the topology's policy kinds. */
export interface PolicyNode {
  readonly locator: string;
  readonly resource: KubernetesObject;
  readonly kind: AttachableKind;
  /**
   * One for each target that the policy names, in its order; one for each that its selectors find beyond those, by locator; one
   * for each resource that a selector finds without the section that it means; and one for each selector that finds none, or some with too
   * many older policies. Where any of them is malformed, one for each thing that is wrong instead: nothing else
   * of it counts. Then one for each target that names the policy.
   */
  readonly attachments: readonly Attachment[];
}

/** What became of one target. Never a silent nothing. */
export type AttachmentOutcome =
  | 'Attached'
  | 'Malformed'
  | 'TargetNotFound'
  | 'SectionNotFound'
  | 'UnsupportedTarget'
  | 'CrossNamespaceRefused'
  | 'ClusterScopeRefused'
  | 'ReferenceNotPermitted'
  | 'NothingSelected'
  | 'TooManyPolicies'
  | 'ManagedElsewhere';

/** One target that a policy declares, or that names the policy. */
export interface Attachment {
  /**
   * The reference or selector; its pointer is from the root of the policy, or of the target that names it. Of what is malformed,
   * the pointer to what is wrong.
   */
  readonly declared: DeclaredTarget | DeclaredTargetSelector | { readonly pointer: string };
  /** Who says so: the policy by name or by selector, or the target. */
  readonly via: 'targetRef' | 'targetSelector' | 'policyRef';
  readonly outcome: AttachmentOutcome;
  /** The target, if the outcome is `Attached`. */
  readonly target?: TargetNode;
  /** The selected resource that has no section of the name that the selector gives, if the outcome is `SectionNotFound`. */
  readonly object?: TargetNode;
  /** The namespace whose traffic alone the policy counts for, where the target is in another one (T-11). */
  readonly consumerNamespace?: string;
  /** Why there is no target, and what to do, for people; if the outcome is not `Attached`. */
  readonly message?: string;
}
