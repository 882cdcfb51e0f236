import type { JsonValue } from '@policy-machinery/resource';
import jsonpatch, { type Operation } from 'fast-json-patch';

/** One operation of a JSON Patch. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string };

/**
 * Returns the JSON Patch from one value to another.
 *
 * @param currentValue The present value.
 * @param desiredValue The desired value.
 * @returns The operations; none when both are the same.
 */
export function patchBetween(currentValue: object, desiredValue: object): readonly PatchOperation[] {
  return jsonpatch.compare(currentValue, desiredValue).map((operation: Operation) => operation as PatchOperation);
}
