import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { checkDepth } from './depth.ts';
import { isLeaf, joinOrigins, type OriginLeaf, type Origins, originsOfField, type Traced } from './origins.ts';

/**
 * Applies a JSON Merge Patch (RFC 7386) and keeps track of who set each field: objects are merged field by field, all
 * else is replaced whole, and `null` removes a field (M-05, M-06, M-20).
 *
 * A removal is remembered in the origins, so that it still holds when a third value is merged beneath the result.
 * Parts of the target that the patch does not touch are shared, not copied, and `__proto__` is a key like any other.
 *
 * @param target What is patched.
 * @param patch The patch: its fields prevail.
 * @returns The result; the inputs are left as they are. Costs O(fields of the patch and of the objects it touches).
 * @throws {PolicyMachineryError} `too-deep`, when the patch nests more than 500 levels deep.
 */
export function mergePatch<Origin>(target: Traced<Origin>, patch: Traced<Origin>): Traced<Origin> {
  return patchObject(target, patch, 0);
}

function patchObject<Origin>(target: Traced<Origin> | undefined, patch: Traced<Origin>, depth: number): Traced<Origin> {
  checkDepth(depth);
  const value: Record<string, JsonValue> = { ...target?.value };
  const fields = new Map<string, Origins<Origin>>();
  if (target !== undefined) keepFields(target, fields);

  for (const key of Object.keys(patch.value)) {
    const theirs = patch.value[key] as JsonValue;
    const theirOrigins = originsOfField(patch.origins, key) as Origins<Origin>;
    if (theirs === null) {
      remove(value, fields, key, theirOrigins as OriginLeaf<Origin>);
    } else if (isJsonObject(theirs)) {
      const ours = ownField(value, key);
      const base = isJsonObject(ours)
        ? { value: ours, origins: originsOfField(target?.origins ?? patch.origins, key) as Origins<Origin> }
        : undefined;
      const merged = patchObject(base, { value: theirs, origins: theirOrigins }, depth + 1);
      setField(value, key, merged.value);
      fields.set(key, merged.origins);
    } else {
      setField(value, key, theirs);
      fields.set(key, theirOrigins);
    }
  }
  if (!isLeaf(patch.origins)) {
    for (const [key, origins] of patch.origins.fields) {
      if (isLeaf(origins) && origins.removed) remove(value, fields, key, origins);
    }
  }
  return { value, origins: joinOrigins(fields, patch.origins) };
}

function keepFields<Origin>({ value, origins }: Traced<Origin>, fields: Map<string, Origins<Origin>>): void {
  if (isLeaf(origins)) for (const key of Object.keys(value)) fields.set(key, origins);
  else for (const [key, field] of origins.fields) fields.set(key, field);
}

function remove<Origin>(
  value: Record<string, JsonValue>,
  fields: Map<string, Origins<Origin>>,
  key: string,
  { by }: OriginLeaf<Origin>,
): void {
  delete value[key];
  fields.set(key, { by, removed: true });
}

function ownField(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Assignment would take `__proto__` for the prototype. */
function setField(value: Record<string, JsonValue>, key: string, field: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(value, key, { value: field, enumerable: true, configurable: true, writable: true });
  else value[key] = field;
}
