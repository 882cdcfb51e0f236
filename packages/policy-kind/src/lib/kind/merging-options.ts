import type { ConflictRule, SameLevel } from '@policy-machinery/conflict';
import type { TwoSidedStrategy } from '@policy-machinery/merge';
import type { JsonObject } from '@policy-machinery/resource';
import type { Targetable, TargetNode } from '@policy-machinery/topology';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Policy } from '../policies/policy.ts';
import type { AdditiveReader, AdditiveSpec } from '../stanzas/additive-spec.ts';
import type { StanzaReader } from '../stanzas/stanza-reader.ts';
import type { StrategyChoice } from '../stanzas/strategy-choice.ts';
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

/** The facts about a policy that decide its place on a level. */
export type OrderedPolicy = Pick<Policy<unknown>, 'createdAt' | 'name' | 'resource'>;

/** The type of effective specs: for an additive kind the specs of all policies that count, otherwise one spec. */
export type EffectiveSpec<Reader extends StanzaReader, Spec> =
  Reader extends AdditiveReader<infer Group> ? AdditiveSpec<Group, Spec> : Spec;

/** The fields of policies that count at some effective targets, and the order of precedence there. */
export interface FieldsAt {
  readonly targets: readonly Targetable[];
  readonly fields: readonly string[];
  /**
   * Targets below: the entry is only for targets that lead to one of these, with all references resolved. Other fields count below. Default: all
   * targets.
   */
  readonly leadingTo?: readonly Targetable[];
  /**
   * Targets with policies that yield there to policies on other targets, although they are more specific: `{ targets: [Service], to: [HTTPRoute] }`.
   * Own values do not yield. Default: more specific policies prevail.
   */
  readonly yielding?: { readonly targets: readonly Targetable[]; readonly to: readonly Targetable[] };
}

/** How the policies of a context, and values that targets set themselves, are merged into one effective policy. */
export interface MergingOptions<
  Schema extends StandardSchemaV1,
  Reader extends StanzaReader<NoInfer<StandardSchemaV1.InferInput<Schema>>>,
> {
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
  readonly undecidedOwnValue?: MergingOptions<Schema, Reader>['ownValue'] | undefined;
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
  /** How the target's own value is merged with the policies. Default: field by field. */
  readonly ownValueStrategy?: TwoSidedStrategy | undefined;
  /**
   * Effective targets where only some fields of policies count, from the root of the spec that is read. A policy without these does not have an
   * effect there: the frontend of an AgentgatewayPolicy counts at listeners, and all other fields at rules and backends. Default: all
   * fields count at all targets.
   */
  readonly fieldsAt?: readonly FieldsAt[] | undefined;
}
