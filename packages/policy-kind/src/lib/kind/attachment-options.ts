import type { AttachableKind, Targetable, TargetKind, TargetNode, WhileDeleting } from '@policy-machinery/topology';
import type { TargetReader } from '../policies/read-targets.ts';

/** How the policies of a kind attach to targets, and which targets they affect. */
export interface AttachmentOptions {
  /** The targets that its policies affect. Default: the declared targets, for a direct policy kind. */
  readonly effectiveTargets?: readonly Targetable[] | undefined;
  /**
   * The class of the kind in GEP-713: whether a policy affects only the object that it targets, with the object's sections (`Direct`), or also the
   * objects below (`Inherited`). Policies of a direct kind on different objects do not meet. Default: `Direct` if all targets, declared and
   * effective, are of one kind (whole or by section), otherwise `Inherited`.
   */
  readonly policyClass?: 'Direct' | 'Inherited' | undefined;
  /**
   * Whether policies may target resources outside their namespace: never (`refuse`, the default), with a ReferenceGrant
   * (`granted`), for traffic from their own namespace only (`consumer`), or freely (`allow`).
   */
  readonly crossNamespace?: AttachableKind['crossNamespace'] | undefined;
  /** Policies in this namespace select targets in all namespaces; it needs `crossNamespace`. Default: none. */
  readonly globalNamespace?: string | undefined;
  /**
   * Whether policies of a namespaced kind may target cluster-scoped resources, such as GatewayClasses, though not other namespaces. `crossNamespace:
   * 'allow'` allows both. Default: `refuse`.
   */
  readonly clusterScopedTargets?: AttachableKind['clusterScopedTargets'] | undefined;
  /** Whether policies may select targets by label, in `targetSelectors`, in addition to naming them or instead. Default no. */
  readonly targetSelectors?: boolean | undefined;
  /**
   * The maximal number of targets that one policy names, as in the CustomResourceDefinition of the kind; `Infinity` for none. A policy with more
   * does not have any target, and is reported. Default 16.
   */
  readonly maxTargets?: number | undefined;
  /** The maximal number of selectors of one policy; `Infinity` for none. Default: `maxTargets`. */
  readonly maxSelectors?: number | undefined;
  /** Whether a policy may name a target twice, or both as a whole and by section. It counts once; with `report`, it is a warning. Default `refuse`. */
  readonly repeatedTargets?: 'refuse' | 'report' | 'allow' | undefined;
  /** The group of references without one: `''` for kinds where such references mean the core group. Default: references must have a group. */
  readonly defaultGroup?: string | undefined;
  /** Whether references and selectors may name sections by port: in `port`, or in the `sectionName` of a Service, as a number. Default no. */
  readonly targetPorts?: boolean | undefined;
  /** Other spellings of the core group in references and selectors: `['core']`, as for NGINX Gateway Fabric. They are read as `''`. Default: none. */
  readonly coreGroupSpellings?: readonly string[] | undefined;
  /**
   * Reads the targets of policies that have them in other fields, as AdminNetworkPolicies do in `subject`. Replaces
   * `targetRef`, `targetRefs` and `targetSelectors`; `stanzas` must leave these fields out of the spec proper.
   */
  readonly readTargets?: TargetReader | undefined;
  /**
   * Returns whether this controller manages a target; also called for the ancestors of policies. For targets of other
   * controllers no status is written, and such ancestors get no entry. Default: it manages all.
   */
  readonly manages?: ((target: TargetNode) => boolean) | undefined;
  /** Returns whether selectors may find a target. Default: they find whatever they match. */
  readonly selects?: AttachableKind['selects'] | undefined;
  /**
   * Returns why policies do not affect a target of a supported kind, such as a Gateway that is merged with others; `undefined` if they take
   * effect. A policy on such a target is reported and not attached there. Default: they take effect.
   */
  readonly refuses?: AttachableKind['refuses'] | undefined;
  /**
   * Whether a policy still counts while it is being deleted: until it is gone (`counts`, the default), or until its deletion
   * begins (`is-gone`), so that a finalizer cannot keep it in force.
   */
  readonly whileDeleting?: WhileDeleting | undefined;
  /** The kinds of objects that a policy on their Namespace applies to, if Namespace is one of the targets. Default: all namespaced kinds. */
  readonly namespaceLevels?: readonly TargetKind[] | undefined;
  /**
   * Whether targets may attach policies by naming them, as rules of HTTPRoutes do with ExtensionRef filters; such a policy is
   * more specific than policies that target the rule, and needs no targetRefs. Default no.
   */
  readonly extensionRefs?: boolean | undefined;
  /**
   * Other objects that can attach policies and are not read: `a VirtualService or a RouteTable`. Whether a policy without targets has an effect is
   * then not known, and its outcome is `pending`. Default: nothing.
   */
  readonly unreadAttachment?: string | undefined;
}
