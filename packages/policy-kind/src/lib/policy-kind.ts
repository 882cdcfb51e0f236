import {
  byAge,
  byName,
  type ConflictOrder,
  type ConflictRule,
  conflictOrder,
  type SameLevel,
} from '@policy-machinery/conflict';
import { none } from '@policy-machinery/merge';
import {
  type GroupKind,
  groupKindKey,
  type JsonObject,
  type KubernetesObject,
  PolicyMachineryError,
  pluralOf,
  type Scope,
} from '@policy-machinery/resource';
import {
  type AttachableKind,
  isSectionKind,
  type Targetable,
  type TargetKind,
  type TargetNode,
  type WhileDeleting,
} from '@policy-machinery/topology';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { bareSpec } from './bare-spec.ts';
import { byEstablished, type Choice, type Dictate } from './dictate.ts';
import { checkKindNames } from './kind-names.ts';
import type { Policy, PolicyReading } from './policy.ts';
import { readPolicy } from './read-policy.ts';
import type { TargetReader } from './read-targets.ts';
import { promised, runSchema } from './run-schema.ts';
import type { StanzaReader } from './stanza-reader.ts';
import { attachmentOf, maxTargetsOf, targetFieldsOf } from './target-reading.ts';
import { refuseWhatCannotMeet } from './what-can-meet.ts';

/**
 * How the policies of a context become one:
 * - `bottom-up`: from the most specific policy upwards, each policy's strategy applies to all that lies beneath it.
 * - `gep-stack`: the stack process of GEP-713 to the letter, which starts with the two least specific policies and hands
 *   the strategy of the second on to the result. It loses overrides above an intermediate default, and asks neither
 *   `dictates` nor `withinObject`.
 * - `closest-parent`: the most specific level is merged with the next one only; all others are left out (E-02).
 */
export type Reduction = 'bottom-up' | 'gep-stack' | 'closest-parent';

/** Which ancestors the status of a policy has entries for, and how it names them. */
export interface AncestorEntries {
  /**
   * How an entry names an ancestor: as a whole (`objects`), or with the section that is named on the way to it (`sections`): by the policy's own
   * targetRef, else by the parentRef of what is below the ancestor. Two parentRefs to one Gateway make two entries then.
   */
  readonly naming: 'objects' | 'sections';
  /** Whether all ancestors have entries, or only the nearest at or above the policy's target: of a ListenerSet and its Gateway, the ListenerSet. */
  readonly reach: 'all' | 'nearest';
}

/** What is known of a policy when its place on a level is decided. */
export type OrderedPolicy = Pick<Policy<unknown>, 'createdAt' | 'name' | 'resource'>;

/** The declaration of a policy kind. */
export interface PolicyKindDefinition<Schema extends StandardSchemaV1> {
  readonly group: string;
  /** The version whose schema `spec` is; policies of another one are read all the same, with a warning. */
  readonly version: string;
  readonly kind: string;
  /** Its name in URLs: `timeoutpolicies`. Default: the plural of the kind in lower case, as Kubernetes' generators make it. */
  readonly plural?: string;
  /** Default `Namespaced`. */
  readonly scope?: Scope;
  /** What its policies may target: the declared targets (T-17). */
  readonly targets: readonly Targetable[];
  /** What its policies have an effect on (T-17). Default: the declared targets, which makes it a direct policy kind. */
  readonly effectiveTargets?: readonly Targetable[];
  /**
   * What the spec proper must look like: any Standard Schema (zod, valibot, arktype …). It validates each stanza as
   * written; its transformations and defaults are not applied, since a default that is filled in would count as set by the
   * policy. Fields that a patch may leave out must be optional.
   */
  readonly spec: Schema;
  /**
   * How policies write defaults, overrides and strategies. Default: a bare spec, merged by None when all targets, declared
   * and effective, are of one kind (whole or by section), else by Atomic defaults (C-08).
   */
  readonly stanzas?: StanzaReader;
  /** Who prevails among policies on one level. Default `oldest-wins`. */
  readonly sameLevel?: SameLevel;
  /**
   * The order of the policies of one level: the rules by which one is established over another, the first one asked first.
   * Default: by age, then by name (C-02, C-03).
   */
  readonly order?: readonly ConflictRule<OrderedPolicy>[];
  /** How the policies of a context become one. Default `bottom-up`. */
  readonly reduction?: Reduction;
  /** Who chooses the strategy when two policies meet. Default: the established one. */
  readonly dictates?: Dictate;
  /**
   * How policies on one object and on its sections are merged before others come in, the more specific one first (G-04).
   * Default: as on different objects.
   */
  readonly withinObject?: Choice;
  /**
   * Whether a more specific spec without any field wins over defaults, as in GEP-713 (the default), or yields to them, as in
   * Kuadrant.
   */
  readonly emptyChallenger?: 'wins' | 'yields';
  /**
   * Whether a spec with fields counts as empty as well. It yields to Atomic defaults then, if `emptyChallenger` is `yields`; other
   * strategies merge it. Pure. Default: it does not.
   */
  readonly isEmpty?: (spec: JsonObject) => boolean;
  /**
   * The kinds above whose objects a policy on their Namespace counts, if Namespace is one of the targets (H-03, X-28).
   * Default: all namespaced kinds.
   */
  readonly namespaceLevels?: readonly TargetKind[];
  /**
   * The kinds of target that the status of a policy has an entry for, each with what became of the policy beneath it: its
   * ancestors (S-11, S-12). Where a policy has none of them above, its entry is for its own target. Default: Gateway.
   */
  readonly ancestors?: readonly GroupKind[];
  /** Which of the ancestors a status has entries for, and how it names them. Default: all, as whole objects. */
  readonly ancestorEntries?: Partial<AncestorEntries>;
  /**
   * Whether policies may target what is outside their namespace (T-09): never (`refuse`, the default), with a ReferenceGrant
   * (`granted`, T-10), for traffic from their own namespace only (`consumer`, T-11), or freely (`allow`, which cluster-scoped
   * targets take as well, P-13).
   */
  readonly crossNamespace?: AttachableKind['crossNamespace'];
  /** Whether policies may find targets by labels, in `targetSelectors`, beside or instead of naming them (T-07). Default no. */
  readonly targetSelectors?: boolean;
  /**
   * How many targets a policy may name, and how many selectors it may have, as the CustomResourceDefinition of the kind allows. A policy
   * with more has none, which is an issue. Default 16 (T-02).
   */
  readonly maxTargets?: number;
  /**
   * What else than `''` stands for the core group in references and selectors: `['core']`, as for NGINX Gateway Fabric. It is read as
   * `''`. Default: nothing.
   */
  readonly coreGroupSpellings?: readonly string[];
  /**
   * Reads the targets of policies that write them in fields of their own, as AdminNetworkPolicies do in `subject`. Takes the
   * place of `targetRef`, `targetRefs` and `targetSelectors`; `stanzas` must leave these fields out of the spec proper.
   */
  readonly readTargets?: TargetReader;
  /**
   * Whether a target is in the hands of this controller; asked of the ancestors of policies, too. Others may have controllers of
   * their own: for their targets no status is written, and their ancestors get no entry (T-22). Default: all are.
   */
  readonly manages?: (target: TargetNode) => boolean;
  /**
   * Whether a policy still counts while it is being deleted: until it is gone (`counts`, the default), or no longer from the
   * beginning of its deletion (`is-gone`), so that a finalizer cannot keep it in force.
   */
  readonly whileDeleting?: WhileDeleting;
  /**
   * Whether targets may attach policies by naming them, as rules of HTTPRoutes do with ExtensionRef filters; such a policy
   * counts as more specific than those that target the rule, and needs no targetRefs (G-03). Default no.
   */
  readonly extensionRefs?: boolean;
  /**
   * What an effective target itself says, if its own fields can be set by policies too. It counts as the most specific
   * default: it beats any default and yields to any override (M-13). Leave out fields that count as unset, such as empty
   * lists (M-14); `undefined` fields are left out, and a value without any field says nothing. Default: targets say nothing.
   */
  readonly ownValue?: (target: TargetNode) => StandardSchemaV1.InferInput<Schema> | undefined;
  /**
   * Where the target's own value stands: beneath all policies, as the most specific default (the default), or above them,
   * field by field, as kgateway's built-in policies do.
   */
  readonly ownValueStands?: 'beneath' | 'above';
}

/** A policy kind: what a topology needs in order to attach its policies, and how to read and merge them. */
export interface PolicyKind<Spec> extends AttachableKind {
  readonly version: string;
  readonly plural: string;
  /** The `version` alone. */
  readonly versions: readonly string[];
  readonly effectiveTargets: readonly Targetable[];
  /**
   * GEP-713's class of the kind, which is the value of its policy label (D-08, X-17b): `Direct` when all targets, declared and
   * effective, are of one kind (whole or by section), else `Inherited`.
   */
  readonly policyClass: 'Direct' | 'Inherited';
  /** The fields of specs that name targets; none for kinds that have a reader of their own. */
  readonly targetFields: readonly string[];
  /** How many entries the lists among these fields may have. */
  readonly maxTargets: number;
  /** What else than `''` stands for the core group in these fields. */
  readonly coreGroupSpellings: readonly string[];
  /** The schema of the spec proper. */
  readonly schema: StandardSchemaV1<Spec>;
  readonly stanzas: StanzaReader;
  readonly sameLevel: SameLevel;
  /** The order of the policies of one level, established first. */
  readonly order: ConflictOrder<OrderedPolicy>;
  readonly reduction: Reduction;
  readonly dictates: Dictate;
  readonly withinObject: Choice | undefined;
  readonly emptyChallenger: 'wins' | 'yields';
  /** Whether a spec with fields counts as empty. */
  readonly isEmpty: (spec: JsonObject) => boolean;
  readonly namespaceLevels: readonly TargetKind[] | undefined;
  readonly ancestors: readonly GroupKind[];
  readonly ancestorEntries: AncestorEntries;
  /** What a target says itself (M-13); `undefined` where it says nothing. */
  readonly ownValue?: (target: TargetNode) => Spec | undefined;
  readonly ownValueStands: 'beneath' | 'above';
  /** Reads and validates a policy of this kind. Never throws for what the policy says. O(size of the policy). */
  readonly read: (resource: KubernetesObject) => PolicyReading<Spec>;
}

/**
 * Declares a policy kind. The type of its spec is that of the schema's input.
 *
 * @param definition Group, version and kind, targets, schema, and how its policies are merged.
 * @returns The policy kind, for `createTopology` and `effectivePolicies`.
 * @throws {PolicyMachineryError} `invalid-policy-kind`, when the group, version, kind or plural is no name that an API server has, when there
 * is no target, `maxTargets` is no positive integer, or None stands beside other strategies.
 * @throws {TypeError} When the schema answers with a promise for an empty spec.
 * @example
 * ```ts
 * const TimeoutPolicy = definePolicyKind({
 *   group: 'policies.example.com',
 *   version: 'v1',
 *   kind: 'TimeoutPolicy',
 *   targets: [Gateway, HTTPRoute],
 *   effectiveTargets: [HTTPRoute.sections.rule],
 *   spec: z.object({ request: z.string().optional() }),
 *   stanzas: defaultsAndOverrides({ strategies: { atomic, patch } }),
 * });
 * ```
 */
export function definePolicyKind<Schema extends StandardSchemaV1>(
  definition: PolicyKindDefinition<Schema>,
): PolicyKind<StandardSchemaV1.InferInput<Schema>> {
  const { group, version, kind, plural = pluralOf(kind), scope = 'Namespaced', targets } = definition;
  const schema = definition.spec as StandardSchemaV1<StandardSchemaV1.InferInput<Schema>>;
  const { effectiveTargets = targets } = definition;
  checkKindNames({ group, version, kind, plural });
  if (targets.length === 0 || effectiveTargets.length === 0) {
    throw new PolicyMachineryError('invalid-policy-kind', `${kind} has no targets; name at least one kind`);
  }
  if (runSchema(schema, {}).failure === promised) {
    throw new TypeError(`The schema of ${kind} cannot be used: ${promised}`);
  }
  const isDirect = kindsOf([...targets, ...effectiveTargets]).size === 1;
  const stanzas = definition.stanzas ?? bareSpec(isDirect ? { strategies: { none } } : {});
  const chosen = [
    ...(definition.withinObject === undefined ? [] : [definition.withinObject]),
    ...(definition.dictates?.choices ?? []),
  ];
  const strategies = [...Object.values(stanzas.strategies), ...chosen.map(({ strategy }) => strategy)];
  refuseWhatCannotMeet(definition, strategies, chosen);
  return {
    group,
    version,
    kind,
    plural,
    versions: [version],
    scope,
    targets,
    effectiveTargets,
    policyClass: isDirect ? 'Direct' : 'Inherited',
    targetFields: targetFieldsOf(definition),
    maxTargets: maxTargetsOf(definition),
    coreGroupSpellings: definition.coreGroupSpellings ?? [],
    schema,
    stanzas,
    sameLevel: definition.sameLevel ?? 'oldest-wins',
    order: conflictOrder<OrderedPolicy>(...(definition.order ?? [byAge, byName])),
    reduction: definition.reduction ?? 'bottom-up',
    dictates: definition.dictates ?? byEstablished,
    withinObject: definition.withinObject,
    emptyChallenger: definition.emptyChallenger ?? 'wins',
    isEmpty: definition.isEmpty ?? (() => false),
    namespaceLevels: definition.namespaceLevels,
    ancestors: definition.ancestors ?? [{ group: 'gateway.networking.k8s.io', kind: 'Gateway' }],
    ancestorEntries: { naming: 'objects', reach: 'all', ...definition.ancestorEntries },
    ...(definition.ownValue === undefined ? {} : { ownValue: definition.ownValue }),
    ownValueStands: definition.ownValueStands ?? 'beneath',
    crossNamespace: definition.crossNamespace ?? 'refuse',
    extensionRefs: definition.extensionRefs ?? false,
    ...attachmentOf(definition),
    ...(definition.whileDeleting === undefined ? {} : { whileDeleting: definition.whileDeleting }),
    ...(definition.manages === undefined ? {} : { manages: definition.manages }),
    read: (resource) => readPolicy(resource, { group, version, scope }, stanzas, schema),
  };
}

function kindsOf(targets: readonly Targetable[]): ReadonlySet<string> {
  return new Set(targets.map((target) => groupKindKey(isSectionKind(target) ? target.of : target)));
}
