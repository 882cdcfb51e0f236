import type { GroupKind, KubernetesObject, ResourceScope } from '@policy-machinery/resource';
import type {
  DeclaredTarget,
  DeclaredTargetSelector,
  TargetRefReading,
  TargetSelectorReading,
} from '@policy-machinery/target-ref';
import type { Targetable } from './target-kind.ts';
import type { TargetNode } from './target-node.ts';
import type { WhileDeleting } from './while-deleting.ts';

/** Finds other objects of the topology. */
export interface FindObject {
  /**
   * Returns an object; `undefined` if it is not there.
   *
   * @param isOptional Whether the answer is decided without the object. Default: it is undecided if the object need not have been given.
   */
  (
    ref: GroupKind & { readonly namespace?: string; readonly name: string },
    isOptional?: boolean,
  ): KubernetesObject | undefined;
  /**
   * Returns the objects of a kind that refer to an object or its sections, admitted or not, in the order of their locators: the same list until one of
   * them changes.
   */
  readonly referrers: (object: KubernetesObject, kind: GroupKind) => readonly KubernetesObject[];
}

/** Why a policy may not affect a target, as the end of a sentence. */
export interface UndecidedRefusal {
  readonly undecided: string;
  /** The remedy: `target these`. Default: none. */
  readonly remedy?: string;
}

/** A policy kind, as far as a topology needs it to attach policies. */
export interface AttachableKind extends GroupKind {
  /** The scope of the policies. Policies of a cluster-scoped kind may target any resource, and name the namespace of their target. */
  readonly scope: ResourceScope;
  /** The plural name, as in URLs: `timeoutpolicies`. Default: the plural of the kind in lower case. */
  readonly plural?: string;
  /** The supported versions of the API, the preferred one first. Default: `v1`. */
  readonly versions?: readonly string[];
  /** The kinds that the policies may target. */
  readonly targets: readonly Targetable[];
  /** The kinds that the policies have an effect on. Default: the targets. */
  readonly effectiveTargets?: readonly Targetable[];
  /**
   * Whether policies of a namespaced kind may target resources outside their namespace. They may always target resources in their
   * namespace, and its Namespace object. Write access to a namespace must not reach beyond the namespace, so for other targets:
   * - `refuse`: they are refused.
   * - `granted`: they need a ReferenceGrant in the namespace of the target, from the policy's kind and namespace.
   * - `consumer`: they are allowed, but the policy counts only for traffic from its own namespace, as the attachment says.
   * - `allow`: they are allowed, and so are cluster-scoped targets.
   */
  readonly crossNamespace: 'refuse' | 'allow' | 'granted' | 'consumer';
  /**
   * Whether policies of a namespaced kind may target cluster-scoped resources, such as GatewayClasses, whatever `crossNamespace` is. Namespaces are not
   * among these: they need `crossNamespace`. Default: `refuse`.
   */
  readonly clusterScopedTargets?: 'refuse' | 'allow';
  /** Whether targets may attach the policies by naming them, like rules with ExtensionRef filters. Default: no. */
  readonly extensionRefs?: boolean;
  /** Returns the targets that a policy names. */
  readonly targetRefs: (policy: KubernetesObject) => TargetRefReading;
  /** Returns the selectors of a policy for targets. Default: none. */
  readonly targetSelectors?: (policy: KubernetesObject) => TargetSelectorReading;
  /** Returns whether selectors may find a target, from the target and other objects. Default: they find whatever they match. */
  readonly selects?: (target: KubernetesObject, find: FindObject) => boolean;
  /**
   * Returns why a policy does not affect a target of a supported kind, from the target, other objects, the name of the section if the policy targets one,
   * and the policy, as the end of a sentence with the remedy: `whose Gateways are merged; target their GatewayClass`. `undefined` if it does;
   * `undecided` with the reason, and the remedy apart, if that is not known. Default: it does.
   */
  readonly refuses?: (
    target: KubernetesObject,
    find: FindObject,
    section: string | undefined,
    policy: KubernetesObject,
  ) => string | UndecidedRefusal | undefined;
  /**
   * Returns whether your controller manages a target, from the target and those above. Statuses for other targets are written by their
   * controllers. Default: your controller manages all targets.
   */
  readonly manages?: (target: TargetNode) => boolean;
  /** Whether a policy counts while it is being deleted. Default `counts`. */
  readonly whileDeleting?: WhileDeleting;
}

/** A policy of one of the topology's policy kinds. */
export interface PolicyNode {
  readonly locator: string;
  readonly resource: KubernetesObject;
  readonly kind: AttachableKind;
  /**
   * The attachments of the policy, in this order: one for each target that the policy names; one for each further target that its selectors find,
   * by locator; one for each resource that a selector finds without the section in question; one for each selector that finds no target, or
   * targets with too many older policies. If a reference or selector is malformed, there is one for each error instead. Last, one for each
   * target that names the policy.
   */
  readonly attachments: readonly Attachment[];
}

/**
 * The outcome of one attachment. There is one for each reference, so that nothing is ignored silently. `Undecided` means that the policy is attached
 * if there are resources that the topology need not have been given: the target, a selected one, or a ReferenceGrant.
 */
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
  | 'ManagedElsewhere'
  | 'Undecided';

/** The attachment of a policy to one target, which the policy declares, or which names the policy. */
export interface Attachment {
  /**
   * The reference or selector, with a pointer from the root of the policy, or of the target that names the policy. If it is malformed, the pointer
   * to the error.
   */
  readonly declared: DeclaredTarget | DeclaredTargetSelector | { readonly pointer: string };
  /** How the attachment is declared: by name or by selector in the policy, or by name in the target. */
  readonly via: 'targetRef' | 'targetSelector' | 'policyRef';
  readonly outcome: AttachmentOutcome;
  /** The target, if the outcome is `Attached`. */
  readonly target?: TargetNode;
  /** The selected resource without the section of the selector, if the outcome is `SectionNotFound`. */
  readonly object?: TargetNode;
  /** The only namespace with traffic that the policy counts for, if the target is in another one. */
  readonly consumerNamespace?: string;
  /** The resource that a controller creates the target for, if the outcome is `Undecided` for this reason. */
  readonly creator?: TargetNode;
  /** The reason for the outcome, and the remedy, for people; if the outcome is not `Attached`. */
  readonly message?: string;
  /** The reason without the remedy, if the outcome is `Undecided`. */
  readonly reason?: string;
}
