import { jsonMergePatch } from './field-rule.ts';
import { mergeFields } from './merge-fields.ts';
import type { Origins, Traced } from './origins.ts';

/**
 * Removes fields, and keeps track of who did (K-07).
 *
 * @param traced A value with its origins; left as it is.
 * @param paths The fields, each by its keys. Those that are not there count as removed too.
 * @param origin Who removes them.
 * @returns The value without the fields.
 */
export function removeFields<Origin>(
  traced: Traced<Origin>,
  paths: Iterable<readonly string[]>,
  origin: Origin,
): Traced<Origin> {
  const removals = new Map<string, Origins<Origin>>();
  for (const path of paths) markRemoved(removals, path, origin);
  return removals.size === 0
    ? traced
    : mergeFields(traced, { value: {}, origins: { fields: removals } }, jsonMergePatch);
}

function markRemoved<Origin>(fields: Map<string, Origins<Origin>>, path: readonly string[], origin: Origin): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    fields.set(key, { by: [origin], removed: true });
    return;
  }
  const there = fields.get(key);
  if (there !== undefined && 'by' in there) return; // It is removed with all that is in it.
  const beneath = new Map(there?.fields);
  fields.set(key, { fields: beneath });
  markRemoved(beneath, rest, origin);
}
