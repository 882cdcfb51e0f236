import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '@policy-machinery/resource';
import jsonpatch, { type Operation } from 'fast-json-patch';

/** How much one patch may do. */
export const limits = {
  /** As many as the API server takes. */
  operations: 10_000,
  /** Values, each with all that it holds, that `copy` may make: without a limit each copy could double the document. */
  copiedValues: 100_000,
};

/**
 * What is wrong with an operation. Told before anything is changed, since fast-json-patch would have to copy the whole
 * document in order to find out.
 *
 * @param operation Whatever a policy lists among its operations.
 * @param document What it is to be applied to.
 * @param copies How many values may still be copied; a copy is taken off.
 * @returns The fault; `undefined` if it can be applied.
 * @throws {Error} When it is no operation of RFC 6902.
 */
export function faultOf(operation: Operation, document: JsonObject, copies: { left: number }): string | undefined {
  jsonpatch.validator(operation, 0);
  const { op, path } = operation;
  if (op === 'add') return isThere(document, parentOf(path)) ? undefined : 'OPERATION_PATH_CANNOT_ADD';
  if (op !== 'move' && op !== 'copy') return isThere(document, path) ? undefined : 'OPERATION_PATH_UNRESOLVABLE';
  const { from } = operation;
  if (!isThere(document, from)) return 'OPERATION_FROM_UNRESOLVABLE';
  if (!isThere(document, parentOf(path))) return 'OPERATION_PATH_UNRESOLVABLE';
  if (op === 'move') return path.startsWith(`${from}/`) ? 'it moves a value into itself' : undefined;
  copies.left = takeOff(copies.left, valueAt(document, from) as JsonValue);
  return copies.left < 0 ? `the copies come to more than ${limits.copiedValues} values` : undefined;
}

function isThere(document: JsonObject, pointer: string): boolean {
  return valueAt(document, pointer) !== undefined;
}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

/** A number less the values that a value holds. Stops below zero. */
function takeOff(left: number, value: JsonValue): number {
  let rest = left - 1;
  if (!Array.isArray(value) && !isJsonObject(value)) return rest;
  for (const field of Object.values(value)) {
    if (rest < 0) return rest;
    rest = takeOff(rest, field as JsonValue);
  }
  return rest;
}
