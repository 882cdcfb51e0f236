import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '@policy-machinery/resource';
import jsonpatch, { type Operation } from 'fast-json-patch';

/** Limits of one patch. It is applied in each context of its policy, so the limits are lower than for a single object. */
export const limits = {
  operations: 256,
  /** Faults that are reported one by one. */
  problems: 16,
  /**
   * Values that `copy` may create and that `move` may replace, because fast-json-patch copies these. Each counts with its
   * contents, and long texts count more than once. Without a limit each copy could double the document.
   */
  copiedValues: 10_000,
};

/** The number of characters of a text that count as one value. */
const textPerValue = 64;

/**
 * Returns the faults of an operation, before anything is changed. fast-json-patch would have to copy the whole document to
 * find out.
 *
 * @param operation An entry in a policy's list of operations.
 * @param document The document that the operation applies to.
 * @param copies How many values may still be copied. Copies are subtracted.
 * @returns The fault; `undefined` if it can be applied.
 * @throws {Error} If it is not an operation of RFC 6902.
 */
export function faultOf(operation: Operation, document: JsonObject, copies: { left: number }): string | undefined {
  jsonpatch.validator(operation, 0);
  const { op, path } = operation;
  if (hasNoPlace(document, path)) return 'OPERATION_PATH_ILLEGAL_ARRAY_INDEX';
  if (op === 'add') return isThere(document, parentOf(path)) ? undefined : 'OPERATION_PATH_CANNOT_ADD';
  if (op !== 'move' && op !== 'copy') return isThere(document, path) ? undefined : 'OPERATION_PATH_UNRESOLVABLE';
  const { from } = operation;
  if (!isThere(document, from)) return 'OPERATION_FROM_UNRESOLVABLE';
  if (!isThere(document, parentOf(path))) return 'OPERATION_PATH_UNRESOLVABLE';
  if (op === 'move' && path.startsWith(`${from}/`)) return 'it moves a value into itself';
  copies.left = takeOff(copies.left, valueAt(document, op === 'move' ? path : from) ?? null);
  return copies.left < 0 ? `the copies have in total more than ${limits.copiedValues} values` : undefined;
}

/** Returns whether a path ends in an invalid list index. fast-json-patch accepts `01`, which RFC 6901 does not. */
function hasNoPlace(document: JsonObject, path: string): boolean {
  return Array.isArray(valueAt(document, parentOf(path))) && !/\/(?:-|0|[1-9]\d*)$/.test(path);
}

function isThere(document: JsonObject, pointer: string): boolean {
  return valueAt(document, pointer) !== undefined;
}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

/** Subtracts the number of values that a value contains. Stops below zero. */
function takeOff(budget: number, value: JsonValue): number {
  if (budget < 0) return budget;
  let rest = budget - 1 - (typeof value === 'string' ? Math.floor(value.length / textPerValue) : 0);
  if (!Array.isArray(value) && !isJsonObject(value)) return rest;
  for (const field of Object.values(value)) {
    if (rest < 0) return rest;
    rest = takeOff(rest, field as JsonValue);
  }
  return rest;
}
