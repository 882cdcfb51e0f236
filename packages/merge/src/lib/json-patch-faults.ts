import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '@policy-machinery/resource';
import jsonpatch, { type Operation } from 'fast-json-patch';

/** How much one patch may do. It is applied in each context of its policy, so that this is not what one object could bear. */
export const limits = {
  operations: 256,
  /** Faults that are told one by one. */
  problems: 16,
  /**
   * Values that `copy` may make, and that `move` may put something in the place of, since fast-json-patch copies these: each with all
   * that it holds, and long texts for more than one. Without a limit each copy could double the document.
   */
  copiedValues: 10_000,
};

/** Characters of a text that count as one value. */
const textPerValue = 64;

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

/** Whether a path ends in what is no index of a list: fast-json-patch takes `01` for one (RFC 6901). */
function hasNoPlace(document: JsonObject, path: string): boolean {
  return Array.isArray(valueAt(document, parentOf(path))) && !/\/(?:-|0|[1-9]\d*)$/.test(path);
}

function isThere(document: JsonObject, pointer: string): boolean {
  return valueAt(document, pointer) !== undefined;
}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

/** A number less the values that a value holds. Stops below zero. */
function takeOff(left: number, value: JsonValue): number {
  if (left < 0) return left;
  let rest = left - 1 - (typeof value === 'string' ? Math.floor(value.length / textPerValue) : 0);
  if (!Array.isArray(value) && !isJsonObject(value)) return rest;
  for (const field of Object.values(value)) {
    if (rest < 0) return rest;
    rest = takeOff(rest, field as JsonValue);
  }
  return rest;
}
