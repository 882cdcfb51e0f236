import {
  append,
  atomic,
  type Combination,
  type FieldStrategy,
  fieldWise,
  type KeyedList,
  type MergeStrategy,
  patch,
} from '@policy-machinery/merge';
import { isJsonObject, type JsonValue } from '@policy-machinery/resource';
import { byChallenger } from '../kind/strategy-chooser.ts';
import { bareSpec } from '../stanzas/bare-spec.ts';
import { emptyListsUnset } from '../stanzas/empty-lists.ts';
import { selection } from '../stanzas/strategy-choice.ts';
import { gatewaysAndListenerSets, type Profile } from './profiles.ts';

/** Options for policy kinds of Envoy Gateway. */
export interface EnvoyGatewayOptions {
  /**
   * The lists that a strategic merge merges item by item, by JSON Pointer: lists with a `patchMergeKey`, and `union` for lists
   * of scalars with the patch strategy `merge`. Default none: other lists are replaced, except for the rules of rate limits.
   */
  readonly mergeKeys?: Readonly<Record<string, KeyedList | Combination>> | undefined;
  /**
   * The `mergeType` that joins the rules of rate limits. Default `StrategicMerge`, as Envoy Gateway does: JSONMerge replaces lists. `both` also
   * joins them under JSONMerge.
   */
  readonly joinedRateLimits?: 'StrategicMerge' | 'both' | undefined;
}

/**
 * Returns the profile of Envoy Gateway's policies: the `mergeType` of the more specific policy says how it is
 * merged with its closest parent, which it replaces otherwise; only the oldest policy of a level stays. A strategic merge joins
 * the rules of rate limits, the more specific policy's first. The route's own values prevail over policies. Statuses have an entry for each
 * parentRef of a route, or for the policy's own target: the nearest Gateway or ListenerSet, with the named listener.
 *
 * @param options Options that differ between policy kinds.
 * @returns The profile.
 */
export function envoyGateway({ mergeKeys = {}, joinedRateLimits = 'StrategicMerge' }: EnvoyGatewayOptions = {}) {
  return {
    stanzas: emptyListsUnset(
      bareSpec({
        strategies: {
          StrategicMerge: joiningRateLimits(mergeKeys),
          JSONMerge: joinedRateLimits === 'both' ? joiningRateLimits() : patch,
        },
        defaultStrategy: atomic,
        strategyField: 'mergeType',
        because: selection,
      }),
    ),
    sameLevel: 'reject-newer',
    conflictReason: 'only one policy attaches to a target',
    fold: 'closest-parent',
    strategyChooser: byChallenger,
    ownValuePrecedence: 'highest',
    ancestors: gatewaysAndListenerSets,
    ancestorEntries: { naming: 'sections', reach: 'nearest' },
  } satisfies Profile;
}
/** @hidden */
envoyGateway.uncalled = 'envoyGateway' as const;

/** One local rule without conditions on clients is the limit for all others, so the parent's rule gives way to the child's local rules. */
const localRules: Combination = {
  combine: (prevailing, yielding) =>
    append.combine(prevailing, Array.isArray(yielding) ? yielding.filter(hasClients) : yielding),
};

function hasClients(rule: JsonValue): boolean {
  return isJsonObject(rule) && Array.isArray(rule.clientSelectors) && rule.clientSelectors.length > 0;
}

/** A type says which rules there are, so policies with the same type share it. */
const alike: Combination = { combine: (prevailing, yielding) => (prevailing === yielding ? prevailing : undefined) };

/** Rules of rate limits do not have keys. Envoy Gateway names each by its policy and place, and merges them by these names. */
const rateLimits: Readonly<Record<string, Combination>> = {
  '/rateLimit/global/rules': append,
  '/rateLimit/local/rules': localRules,
  '/rateLimit/type': alike,
};

/** Returns a strategy with rules for rate limits and other fields. Kinds without rate limits have this profile, too. */
function joiningRateLimits(rules: Readonly<Record<string, FieldStrategy>> = {}): MergeStrategy<unknown> {
  return { ...fieldWise({ at: { ...rateLimits, ...rules }, nullRemoves: true }), rules };
}
