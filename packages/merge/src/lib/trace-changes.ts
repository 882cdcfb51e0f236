import { isJsonObject, type JsonValue } from '@policy-machinery/resource';
import { isDeepEqual } from './deep-equal.ts';
import { checkDepth } from './depth.ts';
import { isLeaf, joinOrigins, type OriginLeaf, type Origins, originsOfField, type Traced } from './origins.ts';

/**
 * Returns the origins of a value that one origin has changed: unchanged parts keep their origins, and new parts, different
 * parts and removals come from that origin.
 */
export function traceChanges<Origin>(
  tracedValue: Traced<Origin, JsonValue>,
  changedValue: JsonValue,
  changer: OriginLeaf<Origin>,
  depth = 0,
): Origins<Origin> {
  checkDepth(depth);
  if (isDeepEqual(tracedValue.value, changedValue)) return tracedValue.origins;
  if (!isJsonObject(tracedValue.value) || !isJsonObject(changedValue)) return changer;
  const fields = new Map<string, Origins<Origin>>();
  for (const [key, value] of Object.entries(changedValue)) {
    const origins = originsOfField(tracedValue.origins, key);
    const isTraced = Object.hasOwn(tracedValue.value, key) && origins !== undefined;
    const old = isTraced ? { value: tracedValue.value[key] as JsonValue, origins } : undefined;
    fields.set(key, old === undefined ? changer : traceChanges(old, value, changer, depth + 1));
  }
  for (const key of Object.keys(tracedValue.value)) {
    if (!Object.hasOwn(changedValue, key)) fields.set(key, { by: changer.by, removed: true });
  }
  if (!isLeaf(tracedValue.origins)) {
    for (const [key, origins] of tracedValue.origins.fields) if (!fields.has(key)) fields.set(key, origins); // Removed before.
  }
  return joinOrigins(fields, changer);
}
