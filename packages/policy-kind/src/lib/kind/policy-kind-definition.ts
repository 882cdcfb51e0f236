import type { ConflictRule, SameLevel } from '@policy-machinery/conflict';
import type { TwoSidedStrategy } from '@policy-machinery/merge';
import type { GroupKind, JsonObject, KubernetesObject, ObjectFault, ResourceScope } from '@policy-machinery/resource';
import type { AttachableKind, Targetable, TargetKind, TargetNode, WhileDeleting } from '@policy-machinery/topology';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Policy } from '../policies/policy.ts';
import type { TargetReader } from '../policies/read-targets.ts';
import type { AdditiveReader, AdditiveSpec } from '../stanzas/additive-spec.ts';
import type { StanzaReader } from '../stanzas/stanza-reader.ts';
import type { StrategyChoice } from '../stanzas/strategy-choice.ts';
import type { ConcernField } from './concern-field.ts';
import type { OtherVersion } from './other-version.ts';
import type { SecretField } from './secret-field.ts';
import type { StrategyChooser } from './strategy-chooser.ts';

/**
 * How the policies of a context are merged into one:
 * - `bottom-up`: from the most specific policy upwards, each policy's strategy applies to everything below it.
 * - `gep-stack`: exactly the stack process of GEP-713, which starts with the two least specific policies and passes the
 *   strategy of the second on to the result. It loses overrides above an intermediate default, and uses neither `strategyChooser` nor
 *   `withinObject`.
 * - `closest-parent`: the most specific level is merged only with the next one; all others are left out.
 */
export type Fold = 'bottom-up' | 'gep-stack' | 'closest-parent';

/** Which ancestors the status of a policy has entries for, and how it names them. */
export interface AncestorEntries {
  /**
   * How an entry names an ancestor: as a whole (`objects`), or with the section that references name (`sections`): the policy's
   * own targetRef, or else the parentRef of the object below the ancestor. In that case, two parentRefs to one Gateway make two
   * entries.
   */
  readonly naming: 'objects' | 'sections';
  /** Whether all ancestors have entries, or only the nearest one at or above the policy's target: the ListenerSet rather than its Gateway. */
  readonly reach: 'all' | 'nearest';
}

/** The facts about a policy that decide its place on a level. */
export type OrderedPolicy = Pick<Policy<unknown>, 'createdAt' | 'name' | 'resource'>;

/** The type of effective specs: for an additive kind the specs of all policies that count, otherwise one spec. */
export type EffectiveSpec<Reader extends StanzaReader, Spec> =
  Reader extends AdditiveReader<infer Group> ? AdditiveSpec<Group, Spec> : Spec;

/** The declaration of any policy kind. */
// biome-ignore lint/suspicious/noExplicitAny: strategies of any spec, as for MergeStrategy.
export type AnyPolicyKindDefinition = PolicyKindDefinition<StandardSchemaV1<any, any>>;
/** The fields of policies that count at some effective targets, and the order of precedence there. */
export interface FieldsAt {
  readonly targets: readonly Targetable[];
  readonly fields: readonly string[];
  /**
   * Targets with policies that yield there to policies on other targets, although they are more specific: `{ targets: [Service], to: [HTTPRoute] }`.
   * Own values do not yield. Default: more specific policies prevail.
   */
  readonly yielding?: { readonly targets: readonly Targetable[]; readonly to: readonly Targetable[] };
}

/** The declaration of a policy kind. */
export interface PolicyKindDefinition<
  Schema extends StandardSchemaV1,
  Reader extends StanzaReader<NoInfer<StandardSchemaV1.InferInput<Schema>>> = StanzaReader,
> {
  readonly group: string;
  /** The version that `spec` is the schema of. Policies of versions that the kind does not name are also read, with a warning. */
  readonly version: string;
  /**
   * Further versions, best first: policies are read in the first version that the API server serves, so that definitions and programs can be updated
   * one after the other. Default: none.
   */
  readonly otherVersions?: readonly OtherVersion[] | undefined;
  /** The version that the API server stores. Default: `version`. */
  readonly storedVersion?: string | undefined;
  readonly kind: string;
  /** Its name in URLs: `timeoutpolicies`. Default: the plural of the kind in lower case, as Kubernetes' generators write it. */
  readonly plural?: string | undefined;
  /** Default `Namespaced`. */
  readonly scope?: ResourceScope | undefined;
  /** The targets that its policies may name: the declared targets. */
  readonly targets: readonly Targetable[];
  /** The targets that its policies affect. Default: the declared targets, for a direct policy kind. */
  readonly effectiveTargets?: readonly Targetable[] | undefined;
  /**
   * The class of the kind in GEP-713: whether a policy affects only the object that it targets, with the object's sections (`Direct`), or also the
   * objects below (`Inherited`). Policies of a direct kind on different objects do not meet. Default: `Direct` if all targets, declared and
   * effective, are of one kind (whole or by section), otherwise `Inherited`.
   */
  readonly policyClass?: 'Direct' | 'Inherited' | undefined;
  /**
   * The schema of the spec proper: any Standard Schema (zod, valibot, arktype …). It validates each stanza as written. Its
   * transformations and defaults are not applied, because a filled-in default would count as set by the policy. Fields that a
   * patch may leave out must be optional.
   */
  readonly spec: Schema;
  /**
   * Returns a spec as the API server stores it, for example without fields that are `null`: this spec is read, validated and merged. Must be
   * pure. Default: the spec unchanged.
   */
  readonly stored?: ((spec: JsonObject) => JsonObject) | undefined;
  /** How policies write defaults, overrides and strategies. Default: a bare spec, merged by None for a direct kind, otherwise by Atomic defaults. */
  readonly stanzas?: Reader | undefined;
  /**
   * Who prevails among policies on one level. Default `oldest-wins`; for an additive kind, where none prevails,
   * `established-challenger`, so that the older policy comes first.
   */
  readonly sameLevel?: SameLevel | undefined;
  /** Targets that the oldest policy alone counts at, as for `reject-newer`, whatever `sameLevel` is. Default: none. */
  readonly singleAt?: readonly Targetable[] | undefined;
  /**
   * Why two policies of one level are in conflict, in the system's words, for messages: `only one policy attaches to a target`. Default: GEP-713's
   * words are enough.
   */
  readonly conflictReason?: string | undefined;
  /** The fields that several policies of one level may set where `sameLevel` is `coexist`, by JSON Pointer: lists that are joined. Default: none. */
  readonly sharedFields?: readonly string[] | undefined;
  /** The order of the policies of one level: the rules that establish one over another, in order of precedence. Default: by age, then by name. */
  readonly order?: readonly ConflictRule<OrderedPolicy>[] | undefined;
  /** How the policies of a context are merged into one. Default: `bottom-up`. */
  readonly fold?: Fold | undefined;
  /** Who chooses the strategy when two policies meet. Default: the established policy. */
  readonly strategyChooser?: StrategyChooser<NoInfer<StandardSchemaV1.InferInput<Schema>>> | undefined;
  /** How policies on one object and on its sections are merged before others, the more specific one first. Default: as on different objects. */
  readonly withinObject?: StrategyChoice<NoInfer<StandardSchemaV1.InferInput<Schema>>> | undefined;
  /** Whether a more specific spec without any field wins over defaults, as in GEP-713 (the default), or yields to them, as in Kuadrant. */
  readonly emptyChallenger?: 'wins' | 'yields' | undefined;
  /**
   * Returns whether a spec with fields also counts as empty. Such a spec yields to Atomic defaults if `emptyChallenger` is
   * `yields`; other strategies merge it. Must be pure. Default: no such spec counts as empty.
   */
  readonly isEmpty?: ((spec: JsonObject) => boolean) | undefined;
  /** The kinds of objects that a policy on their Namespace applies to, if Namespace is one of the targets. Default: all namespaced kinds. */
  readonly namespaceLevels?: readonly TargetKind[] | undefined;
  /**
   * The kinds of ancestors that the status of a policy has entries for, each with the outcome of the policy below the ancestor.
   * A path without such an ancestor has an entry for its topmost target; a policy without any, for its own target.
   * Default: Gateway.
   */
  readonly ancestors?: readonly GroupKind[] | undefined;
  /** Which ancestors a status has entries for, and how it names them. Default: all, as whole objects. */
  readonly ancestorEntries?: Partial<AncestorEntries> | undefined;
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
  /**
   * Returns the value that an effective target sets itself, if policies can also set its fields. The value counts as the most
   * specific default: it prevails over any default and yields to any override. Omit fields that count as unset, such as
   * empty lists. `undefined` fields are ignored, and a value without fields counts as absent. Default: targets set
   * nothing.
   */
  readonly ownValue?: (
    target: TargetNode,
  ) => EffectiveSpec<NoInfer<Reader>, StandardSchemaV1.InferInput<Schema>> | undefined;
  /**
   * Returns the value that a target sets itself, with its undecided fields: whether these prevail over policies is not known. Policies
   * that would lose to it are undecided. Must return all of `ownValue`. Default: all fields are known.
   */
  readonly undecidedOwnValue?: PolicyKindDefinition<Schema, Reader>['ownValue'] | undefined;
  /**
   * The precedence of the target's own value: the same as the most specific default (`most-specific`, the default), or above all policies,
   * field by field (`highest`), as for kgateway's built-in policies.
   */
  readonly ownValuePrecedence?: 'most-specific' | 'highest' | undefined;
  /**
   * The fields of the target's own value, by JSON Pointer, that yield to policies on the object of the target and prevail over those above, where
   * `ownValuePrecedence` is `highest`. Default: none.
   */
  readonly yieldingOwnFields?: readonly string[] | undefined;
  /**
   * The kinds of targets above effective targets that set values themselves, which hold for all contexts through them. `ownValue` is asked for
   * these, too: the sessionPersistence of a rule, for example, prevails over policies on the Services that the rule leads to (GEP-1619). In a
   * value above, the most specific default counts at the place of its target. Default: none.
   */
  readonly ownValueTargets?: readonly Targetable[] | undefined;
  /**
   * Effective targets where only some fields of policies count, from the root of the spec that is read. A policy without these does not have an
   * effect there: the frontend of an AgentgatewayPolicy counts at listeners, and all other fields at rules and backends. Default: all
   * fields count at all targets.
   */
  readonly fieldsAt?: readonly FieldsAt[] | undefined;
  /** How the target's own value is merged with the policies. Default: field by field. */
  readonly ownValueStrategy?: TwoSidedStrategy | undefined;
  /**
   * Returns the faults of a policy outside its spec, such as in its annotations. A policy with an error is left out. Must be pure. Default:
   * nothing.
   */
  readonly faults?: ((policy: KubernetesObject) => readonly ObjectFault[]) | undefined;
  /**
   * The fields that serve concerns of requests, such as authentication, so that `gwpolicy coverage` knows which requests are protected; `[]` for a kind
   * that serves none. Default: not known, and its policies may serve any concern.
   */
  readonly concerns?: readonly ConcernField[] | undefined;
  /**
   * The fields with values that must not be shown, such as passwords: answers, pages and comments mask them. `[]` for a kind without any. Default: fields
   * with the name of a secret, such as `password` and `apiKey`.
   */
  readonly secrets?: readonly SecretField[] | undefined;
  /** Never set: the mark of a profile that is spread without being called, which is an error. */
  readonly uncalled?: never | undefined;
}
