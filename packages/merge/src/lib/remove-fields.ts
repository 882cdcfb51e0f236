import { jsonMergePatch } from './field-rule.ts';
import { mergeFields } from './merge-fields.ts';
import { isLeaf, type OriginBranch, type OriginLeaf, type Traced } from './origins.ts';

/**
 * Removes fields, and records who removed them.
 *
 * @param traced A value with its origins. It is not changed.
 * @param paths The fields, each by its keys. Absent fields also count as removed.
 * @param origin Who removes them.
 * @returns The value without the fields.
 */
export function removeFields<Origin>(
  traced: Traced<Origin>,
  paths: Iterable<readonly string[]>,
  origin: Origin,
): Traced<Origin> {
  const removed: OriginLeaf<Origin> = { by: [origin], removed: true };
  const removals: Removals<Origin> = { fields: new Map() };
  for (const path of paths) markRemoved(removals, path, removed);
  return removals.fields.size === 0 ? traced : mergeFields(traced, { value: {}, origins: removals }, jsonMergePatch);
}

/** The fields of an object that are removed in whole or in part. */
interface Removals<Origin> extends OriginBranch<Origin> {
  readonly fields: Map<string, OriginLeaf<Origin> | Removals<Origin>>;
}

function markRemoved<Origin>(removals: Removals<Origin>, path: readonly string[], removed: OriginLeaf<Origin>): void {
  const last = path.at(-1);
  if (last === undefined) return;
  let { fields } = removals;
  for (const key of path.slice(0, -1)) {
    const existingRemovals = fields.get(key);
    if (existingRemovals !== undefined && isLeaf(existingRemovals)) return; // It is removed with everything in it.
    const below: Removals<Origin> = existingRemovals ?? { fields: new Map() };
    fields.set(key, below);
    fields = below.fields;
  }
  fields.set(last, removed);
}
