import type { MergeStrategy } from '@policy-machinery/merge';
import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';

/** The limits on the policies of a kind on one target. */
export interface PolicyLimits {
  /** The maximum number of policies that count on a target. */
  readonly maxPolicies: number;
  /** The maximum number of their fields together. Only fields that a strategy of the kind merges one by one are counted. */
  readonly maxFields: number;
}

/** The policies of one target that count there. */
export interface CountingPolicies<Spec> {
  /** Established first. */
  readonly policies: readonly Policy<Spec>[];
  /** The number of their fields that are merged one by one. */
  readonly fields: number;
}

/** Returns which policies of one target count there, given all of them, established first. */
export type PolicyCounter = <Spec>(sorted: readonly Policy<Spec>[]) => CountingPolicies<Spec>;

/**
 * Returns the rule that decides which policies of a kind count on one target: as many as the limits allow. The effective spec of each context
 * is as large as all specs merged into it: without a limit, the size of all would be fields × contexts. Policies with too
 * many fields are skipped.
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

/** Returns the number of a policy's fields that some strategy merges one by one; stops above the limit. O(limit). */
function fieldsOfPolicy({ layers }: Policy<unknown>, strategies: readonly MergeStrategy[], limit: number): number {
  let count = 0;
  for (const { spec } of layers) {
    count += countFields(spec as JsonValue, strategies, limit - count);
    if (count > limit) break;
  }
  return count;
}

/** Returns whether a strategy merges fields. The result of the others is one of the two specs. */
export function mergesFields({ granularity }: MergeStrategy): boolean {
  return granularity !== 'None' && granularity !== 'Atomic';
}

/** Returns the number of a spec's fields that some strategy merges one by one; stops above the limit. O(limit). */
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

/** Returns whether some strategy merges the content of an object or list. */
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
