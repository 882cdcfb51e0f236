import type { JsonObject } from '@policy-machinery/resource';
import { fieldWise } from './field-wise.ts';
import { isLeaf, type Traced } from './origins.ts';
import type { TwoSidedStrategy } from './strategy.ts';

const byEntry = fieldWise({ depth: 2 });

/**
 * Returns Additive, which keeps all policies: Istio's AuthorizationPolicy, for example. It merges specs that hold policies by group
 * and name, such as `{ DENY: { 'shop/no-guests': { … } } }`: the entries of both sides are in the result, each with its origin. As no
 * two policies have one name, nothing is lost, and neither defaults nor overrides prevail. Entries are wholes: values inside them
 * are not merged.
 *
 * @param groups The order of the groups in the result. Other groups follow. Default: the groups of the yielding side first.
 * @returns The strategy, for defaults and for overrides. In a group, the entries of the yielding side come first: under defaults,
 * the established policy's.
 * @example
 * ```ts
 * additive('CUSTOM', 'DENY', 'ALLOW');
 * ```
 */
export function additive(...groups: readonly string[]): TwoSidedStrategy<unknown> {
  return {
    ...byEntry,
    defaults: (established, challenger) => inOrder(byEntry.defaults(established, challenger), groups),
    overrides: (established, challenger) => inOrder(byEntry.overrides(established, challenger), groups),
  };
}

/** Sorts the fields of a spec, and of its origins. */
function inOrder<Origin>(spec: Traced<Origin>, groups: readonly string[]): Traced<Origin> {
  const { value, origins } = spec;
  const keys = Object.keys(value);
  const places = new Map(groups.map((group, place) => [group, place]));
  const placeOf = (key: string): number => places.get(key) ?? groups.length;
  const ordered = keys.toSorted((a, b) => placeOf(a) - placeOf(b));
  if (ordered.every((key, place) => key === keys[place])) return spec;
  const sorted = Object.fromEntries(ordered.map((key) => [key, value[key]])) as JsonObject;
  if (isLeaf(origins)) return { value: sorted, origins };
  const fields = [...origins.fields].toSorted(([a], [b]) => placeOf(a) - placeOf(b));
  return { value: sorted, origins: { ...origins, fields: new Map(fields) } };
}
