import {
  atomic,
  type FieldStrategy,
  fieldWise,
  type KeyedList,
  type MergeStrategy,
  namedRules,
  patch,
} from '@policy-machinery/merge';
import { isJsonObject, type JsonObject, parsePointer } from '@policy-machinery/resource';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { AttachmentOptions } from '../kind/attachment-options.ts';
import type { MergingOptions } from '../kind/merging-options.ts';
import type { AnyPolicyKindDefinition } from '../kind/policy-kind-definition.ts';
import type { StatusOptions } from '../kind/status-options.ts';
import { bareSpec } from '../stanzas/bare-spec.ts';
import type { ConditionLanguage } from '../stanzas/condition.ts';
import { defaultsAndOverrides } from '../stanzas/defaults-and-overrides.ts';
import { emptyListsUnset } from '../stanzas/empty-lists.ts';
import { guardedRules } from '../stanzas/guarded-rules.ts';
import type { StanzaReader } from '../stanzas/stanza-reader.ts';
import { selection } from '../stanzas/strategy-choice.ts';
import { withConditions } from '../stanzas/with-conditions.ts';
import { withUnset } from '../stanzas/with-unset.ts';

/** How a system reads and merges its policies: the part of a declaration that is not specific to one policy kind. */
export type Profile = AttachmentOptions &
  StatusOptions &
  Pick<AnyPolicyKindDefinition, keyof MergingOptions<StandardSchemaV1, StanzaReader> | 'stanzas' | 'faults'>;

/** Gateways, and the ListenerSets below them. */
export const gatewaysAndListenerSets = [
  { group: 'gateway.networking.k8s.io', kind: 'Gateway' },
  { group: 'gateway.networking.k8s.io', kind: 'ListenerSet' },
  { group: 'gateway.networking.x-k8s.io', kind: 'XListenerSet' },
] as const;

/**
 * Returns the profile of current GEP-713: one of defaults, overrides and a bare spec, atomic or patch. The strategy of the established
 * policy applies, and its defaults yield to the newer policy of its level. With `fold: 'gep-stack'` beside it, exactly as in the
 * diagram of GEP-713.
 *
 * @returns The profile.
 */
export function gep713() {
  return {
    stanzas: defaultsAndOverrides({ strategies: { atomic, patch } }),
    sameLevel: 'established-challenger',
  } satisfies Profile;
}

/** Options for policy kinds of GEP-713 of 2023. */
export interface Gep713ExperimentalOptions {
  /** The maps of strings, by JSON Pointer. They are values, replaced as wholes like lists; other objects are structs. Default none. */
  readonly maps?: readonly string[] | undefined;
  /** The lists with items that are identified by keys and merged one by one, by JSON Pointer. Default none. */
  readonly lists?: Readonly<Record<string, KeyedList>> | undefined;
}

/**
 * Returns the profile of GEP-713 of 2023, and of the policy attachment reference before it: defaults and overrides in one
 * policy, merged field by field, the oldest policy first, empty lists unset.
 *
 * @param options Options that differ between policy kinds.
 * @returns The profile.
 */
export function gep713Experimental({ maps = [], lists = {} }: Gep713ExperimentalOptions = {}) {
  const replaced = maps.map((pointer): [string, FieldStrategy] => [pointer, 'replace']);
  const isPlain = replaced.length === 0 && Object.keys(lists).length === 0;
  const byField = isPlain ? patch : fieldWise({ at: { ...lists, ...Object.fromEntries(replaced) }, nullRemoves: true });
  return {
    stanzas: emptyListsUnset(
      defaultsAndOverrides({
        strategies: { byField },
        spelling: 'either',
        together: 'defaults-and-overrides',
        strategyField: false,
      }),
    ),
    sameLevel: 'oldest-wins',
  } satisfies Profile;
}

/** Options for policy kinds of Kuadrant. */
export interface KuadrantOptions {
  /** JSON Pointers to the named rules, for `strategy: merge`: `['/limits']`, or `['/rules/*']` for the rules of each phase. */
  readonly rules: readonly string[];
  /**
   * JSON Pointers to further named values that are merged in the same way, but do not count for whether
   * a policy is empty: `['/patterns']`. Default none.
   */
  readonly definitions?: readonly string[] | undefined;
  /**
   * The field that lists conditions for all rules of a stanza, and for one rule: conditions on requests, which stay with the
   * rules of their policy. Default: no field, and conditions are one value, as in Kuadrant's own policies.
   */
  readonly guards?: string | undefined;
  /** The language of `when`, from `@policy-machinery/cel`: a condition on the policies below. Default: stanzas do not have conditions. */
  readonly conditions?: ConditionLanguage | undefined;
}

/**
 * Returns the profile of Kuadrant's RFC 0009: named rules that are atomic or merged, in defaults and overrides, with conditions
 * and `unset`. A policy without rules yields to atomic defaults: one without `limits`, or with `limits:
 * {}`; one without `rules`. Conditions beside the rules are one value, which is merged whole. A policy stops counting when its deletion begins.
 *
 * @param options Options that differ between policy kinds.
 * @returns The profile.
 */
export function kuadrant({ rules, definitions = [], guards, conditions }: KuadrantOptions) {
  const paths = rules.map(parsePointer);
  const unguarded = withUnset(
    defaultsAndOverrides({
      strategies: { atomic, merge: namedRules(...rules, ...definitions) },
      together: 'defaults-and-overrides',
      because: selection,
    }),
  );
  const stanzas = guards === undefined ? unguarded : guardedRules(unguarded, { field: guards, rules });
  return {
    stanzas: conditions === undefined ? stanzas : withConditions(stanzas, conditions),
    sameLevel: 'established-challenger',
    emptyChallenger: 'yields',
    /** Returns whether a policy is without rules. */
    isEmpty: (spec: JsonObject) => paths.every((path) => hasNoRules(spec, path)),
    whileDeleting: 'is-gone',
  } satisfies Profile;
}

/** Returns whether a spec is without rules at a path. Named rules must be present; for rules in phases, the field is enough. */
function hasNoRules(spec: JsonObject, [field = '', ...phases]: readonly string[]): boolean {
  const rules = Object.hasOwn(spec, field) ? spec[field] : undefined;
  return rules === undefined || (phases.length === 0 && isJsonObject(rules) && Object.keys(rules).length === 0);
}

/** Options for policy kinds of NGINX Gateway Fabric. */
export interface NginxGatewayFabricOptions {
  /** How policies are merged down the hierarchy. Default: field by field. */
  readonly strategy?: MergeStrategy | undefined;
  /** The name of the strategy in messages. Default `field by field`. */
  readonly called?: string | undefined;
}

/**
 * Returns the profile of NGINX Gateway Fabric: policies of one level coexist as long as no field is set twice, and are merged
 * field by field down the hierarchy. References may spell the core group `core`.
 *
 * @param options Options that differ between policy kinds.
 * @returns The profile.
 */
export function nginxGatewayFabric({ strategy = patch, called = 'field by field' }: NginxGatewayFabricOptions = {}) {
  return {
    stanzas: bareSpec({
      strategies: { strategy },
      strategyField: false,
      called,
      because: 'NGINX inherits a directive only where none is set',
    }),
    sameLevel: 'coexist',
    conflictReason: 'both set the same field',
    coreGroupSpellings: ['core'],
  } satisfies Profile;
}

// A profile is a function: spreading it without calling it would declare a kind without a profile, so such a declaration is refused.
/** @hidden */
gep713.uncalled = 'gep713' as const;
/** @hidden */
gep713Experimental.uncalled = 'gep713Experimental' as const;
/** @hidden */
kuadrant.uncalled = 'kuadrant' as const;
/** @hidden */
nginxGatewayFabric.uncalled = 'nginxGatewayFabric' as const;
