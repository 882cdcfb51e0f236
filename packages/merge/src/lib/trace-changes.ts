import { isJsonObject, type JsonValue } from '@policy-machinery/resource';
import { isDeepEqual } from './deep-equal.ts';
import { checkDepth } from './depth.ts';
import { isLeaf, joinOrigins, type OriginLeaf, type Origins, originsOfField, type Traced } from './origins.ts';

/**
 * Returns the origins of a value that one origin has changed: unchanged parts keep their origins, and new parts, different
 * parts and removals come from that origin.
 */
export function traceChanges<Origin>(
  before: Traced<Origin, JsonValue>,
  after: JsonValue,
  changer: OriginLeaf<Origin>,
  depth = 0,
): Origins<Origin> {
  checkDepth(depth);
  if (isDeepEqual(before.value, after)) return before.origins;
  if (!isJsonObject(before.value) || !isJsonObject(after)) return changer;
  const fields = new Map<string, Origins<Origin>>();
  for (const [key, value] of Object.entries(after)) {
    const origins = originsOfField(before.origins, key);
    const there = Object.hasOwn(before.value, key) && origins !== undefined;
    const old = there ? { value: before.value[key] as JsonValue, origins } : undefined;
    fields.set(key, old === undefined ? changer : traceChanges(old, value, changer, depth + 1));
  }
  for (const key of Object.keys(before.value)) {
    if (!Object.hasOwn(after, key)) fields.set(key, { by: changer.by, removed: true });
  }
  if (!isLeaf(before.origins)) {
    for (const [key, origins] of before.origins.fields) if (!fields.has(key)) fields.set(key, origins); // Removed before.
  }
  return joinOrigins(fields, changer);
}
