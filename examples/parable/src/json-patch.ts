import type { PatchOperation } from '@policy-machinery/policy-status';
import { type JsonObject, type JsonValue, parsePointer, valueAt } from '@policy-machinery/resource';

/**
 * Carries out a JSON Patch, as the API server would: all of it or, when a test fails, nothing.
 *
 * @param document What is patched; it stays as it is.
 * @param patch Operations of the four sorts that plans consist of.
 * @returns The patched document.
 * @throws {Error} When a test fails.
 */
export function patched(document: JsonValue, patch: readonly PatchOperation[]): JsonValue {
  let value = document;
  for (const operation of patch) {
    if (operation.op !== 'test') value = changed(value, parsePointer(operation.path), operation) as JsonValue;
    else if (JSON.stringify(valueAt(value, operation.path)) !== JSON.stringify(operation.value)) {
      throw new Error(
        `The test of ${operation.path} has failed: somebody else was faster; read the object and plan again`,
      );
    }
  }
  return value;
}

type Change = Exclude<PatchOperation, { readonly op: 'test' }>;

function changed(value: JsonValue | undefined, path: readonly string[], change: Change): JsonValue | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return change.op === 'remove' ? undefined : change.value;
  if (Array.isArray(value)) {
    const index = key === '-' ? value.length : Number(key);
    const isNew = change.op === 'add' && rest.length === 0;
    const item = changed(isNew ? undefined : value[index], rest, change);
    return value.toSpliced(index, isNew ? 0 : 1, ...(item === undefined ? [] : [item]));
  }
  const { [key]: old, ...others } = value as JsonObject;
  const field = changed(old, rest, change);
  return field === undefined ? others : { ...others, [key]: field };
}
