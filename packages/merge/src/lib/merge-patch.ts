import { jsonMergePatch } from './field-rule.ts';
import { mergeFields } from './merge-fields.ts';
import type { Traced } from './origins.ts';

/**
 * Applies a JSON Merge Patch (RFC 7386) and keeps track of who set each field: objects are merged field by field, everything
 * else is replaced as a whole, and `null` removes a field.
 *
 * A removal is remembered in the origins, so that it still holds when the result is merged over a third value. Untouched parts
 * of the target are shared, not copied, and `__proto__` is a key like any other.
 *
 * @param target The value to patch.
 * @param patch The patch: its fields prevail.
 * @returns The result; the inputs are not changed. Costs O(fields of the patch and of the objects it touches).
 * @throws {PolicyMachineryError} `too-deep`, if the patch is nested more than 500 levels deep.
 */
export function mergePatch<Origin>(target: Traced<Origin>, patch: Traced<Origin>): Traced<Origin> {
  return mergeFields(target, patch, jsonMergePatch);
}
