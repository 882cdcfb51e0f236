import { jsonMergePatch } from './field-rule.ts';
import { mergeFields } from './merge-fields.ts';
import type { Traced } from './origins.ts';

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
  return mergeFields(target, patch, jsonMergePatch);
}
