import type { MergeStrategy } from '@policy-machinery/merge';
import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';

/** How many policies of a kind count on one target. */
export interface PolicyLimits {
  /** How many of those that are attached to the target. */
  readonly maxPolicies: number;
  /** How many fields they have together. Only fields that a strategy of the kind merges one by one are counted. */
  readonly maxFields: number;
}

/** The policies of one target that count there. */
export interface CountingPolicies<Spec> {
  /** Established first. */
  readonly policies: readonly Policy<Spec>[];
  /** How many fields they have together, as far as those are merged one by one. */
  readonly fields: number;
}

/** Returns which policies of one target count there, given all of them, established first. */
export type PolicyCounter = <Spec>(sorted: readonly Policy<Spec>[]) => CountingPolicies<Spec>;

/**
 * Returns the rule by which policies of a kind count on one target: as many as the limits allow. An effective spec is as large as all that is
 * merged into it, and there is one for each context: without a limit, their size would be fields × contexts. A policy with too many fields
 * makes room for the next one.
 */
export function countingWithin(
  { maxPolicies, maxFields }: PolicyLimits,
  { stanzas, strategyChooser, withinObject }: Pick<PolicyKind<unknown>, 'stanzas' | 'strategyChooser' | 'withinObject'>,
): PolicyCounter {
  const chosen = [...(withinObject === undefined ? [] : [withinObject]), ...(strategyChooser.choices ?? [])];
  const strategies = [...Object.values(stanzas.strategies), ...chosen.map(({ strategy }) => strategy)].filter(
    mergesFields,
  );
  return (sorted) => {
    if (strategies.length === 0) return { policies: sorted.slice(0, maxPolicies), fields: 0 };
    const policies: (typeof sorted)[number][] = [];
    let fields = 0;
    for (const policy of sorted) {
      if (policies.length === maxPolicies) break;
      const more = fieldsOfPolicy(policy, strategies, maxFields - fields);
      if (fields + more > maxFields) continue;
      fields += more;
      policies.push(policy);
    }
    return { policies, fields };
  };
}

/** Returns how many fields a policy has that any of some strategies takes one by one; more than the limit if there are more. O(limit). */
function fieldsOfPolicy({ layers }: Policy<unknown>, strategies: readonly MergeStrategy[], limit: number): number {
  let count = 0;
  for (const { spec } of layers) {
    count += countFields(spec as JsonValue, strategies, limit - count);
    if (count > limit) break;
  }
  return count;
}

/** Whether a strategy merges fields: what others come to is one of the two specs. */
function mergesFields({ granularity }: MergeStrategy): boolean {
  return granularity !== 'None' && granularity !== 'Atomic';
}

/** Returns how many fields a spec has that any of some strategies takes one by one; more than the limit if there are more. O(limit). */
function countFields(spec: JsonValue, strategies: readonly MergeStrategy[], limit: number): number {
  const pending: { readonly value: JsonValue; readonly path: readonly string[] }[] = [{ value: spec, path: [] }];
  let count = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    const parts = isTakenApart(value, path, strategies) ? Object.entries(value) : [];
    if (parts.length === 0) count += 1;
    if (count + pending.length + parts.length > limit) return count + pending.length + parts.length;
    for (const [key, part] of parts) pending.push({ value: part as JsonValue, path: [...path, key] });
  }
  return count;
}

/** Whether any of some strategies merges what an object or a list holds. */
function isTakenApart(
  value: JsonValue,
  path: readonly string[],
  strategies: readonly MergeStrategy[],
): value is JsonObject | readonly JsonValue[] {
  if (typeof value !== 'object' || value === null) return false;
  const inside = [...path, '*'];
  return strategies.some(({ unitAt }) =>
    unitAt === undefined ? isJsonObject(value) : unitAt(inside) === inside.length,
  );
}
