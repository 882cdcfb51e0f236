import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '@policy-machinery/resource';
import jsonpatch, { type Operation } from 'fast-json-patch';
import { faultOf, limits } from './json-patch-faults.ts';
import { contributors } from './origin-queries.ts';
import type { Traced } from './origins.ts';
import type { Combined, Stanza, TwoSidedStrategy } from './strategy.ts';
import { traceChanges } from './trace-changes.ts';

/** Options for policies that list JSON Patch operations. */
export interface JsonPatchOptions {
  /** The field of the spec that lists them. Default `operations`. */
  readonly field?: string | undefined;
  /** The maximal number of operations of one policy. They are applied in each of its contexts. Default 256. */
  readonly maxOperations?: number | undefined;
}

/**
 * Returns a strategy for specs that are a JSON Patch (RFC 6902) of the spec below: a list of operations (Kuadrant's RFC 0009,
 * design 5). Under `overrides` all of them apply; under `defaults` only those that do not change existing values.
 *
 * An operation that cannot be applied is left out and reported with its index; a failing `test` ends the patch. A patch may
 * have 256 operations, and its copies may have 10,000 values in total.
 *
 * @param options Where the operations are, and how many there may be.
 * @returns The strategy.
 * @example
 * ```yaml
 * overrides:
 *   strategy: jsonPatch
 *   operations: [{ op: replace, path: /limits/perUser, value: 50 }]
 * ```
 */
export function jsonPatch({
  field = 'operations',
  maxOperations = limits.operations,
}: JsonPatchOptions = {}): TwoSidedStrategy<unknown> {
  const apply = (spec: JsonObject, document: JsonObject, stanza: Stanza): Patched =>
    applyAll(spec[field], document, stanza, maxOperations);
  const combineAs =
    (stanza: Stanza) =>
    <Origin>(established: Traced<Origin>, challenger: Traced<Origin>): Combined<Origin> => {
      const { value, problems } = apply(established.value, challenger.value, stanza);
      const changer = { by: contributors(established.origins) };
      return { value, origins: traceChanges(challenger, value, changer), problems };
    };
  return {
    granularity: 'Custom',
    defaults: combineAs('defaults'),
    overrides: combineAs('overrides'),
    alone: (spec) => ({ ...spec, ...apply(spec.value, {}, 'overrides') }),
  };
}

interface Patched {
  readonly value: JsonObject;
  readonly problems: readonly string[];
}

function applyAll(
  operations: JsonValue | undefined,
  document: JsonObject,
  stanza: Stanza,
  maxOperations: number,
): Patched {
  if (!Array.isArray(operations)) return { value: document, problems: ['the list of operations is missing'] };
  if (operations.length > maxOperations) {
    return { value: document, problems: [`there are more than ${maxOperations} operations; none was applied`] };
  }
  const problems: string[] = [];
  const copies = { left: limits.copiedValues };
  let value = jsonpatch.deepClone(document) as JsonObject; // A private copy, so operations may change it in place.
  for (const [index, operation] of operations.entries()) {
    if (stanza === 'defaults' && !leavesAlone(operation, value)) continue;
    const result = applyOne(operation, value, copies);
    if (typeof result !== 'string') {
      value = result;
      continue;
    }
    problems.push(`operation ${index} cannot be applied: ${result}`);
    if (isJsonObject(operation) && operation.op === 'test') break;
  }
  return { value, problems: firstOf(problems) };
}

/** Returns the first few problems, and how many more there are. */
function firstOf(problems: readonly string[]): readonly string[] {
  const more = problems.length - limits.problems;
  if (more <= 0) return problems;
  return [
    ...problems.slice(0, limits.problems),
    `${more} more ${more === 1 ? 'operation' : 'operations'} cannot be applied`,
  ];
}

/** Returns the patched document, which is usually the same object; or the fault of the operation, and then the document is unchanged. */
function applyOne(operation: JsonValue, document: JsonObject, copies: { left: number }): JsonObject | string {
  try {
    const fault = faultOf(operation as unknown as Operation, document, copies);
    if (fault !== undefined) return fault;
    const copy = ownCopy(operation as unknown as Operation);
    const patched: unknown = jsonpatch.applyOperation(document, copy, checkForm, true).newDocument;
    return isJsonObject(patched) ? patched : 'the whole spec would be no object';
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

/** Returns an operation whose value may become a part of the document. */
function ownCopy(operation: Operation): Operation {
  const isPart = 'value' in operation && typeof operation.value === 'object';
  return isPart ? { ...operation, value: jsonpatch.deepClone(operation.value) } : { ...operation };
}

/** Checks the form without the document, which fast-json-patch would copy; its content is already checked. */
function checkForm(operation: Operation): void {
  jsonpatch.validator(operation, 0);
}

/** Returns whether an operation only adds absent values. */
function leavesAlone(operation: JsonValue, document: JsonObject): boolean {
  if (!isJsonObject(operation)) return true; // Reported when it is applied.
  const { op, path } = operation;
  if (op === 'test') return true;
  if (op !== 'add' && op !== 'copy') return false;
  if (typeof path !== 'string') return true;
  const place = path.endsWith('/-') ? path.slice(0, -2) : path;
  return path !== '' && (!place.startsWith('/') || valueAt(document, place) === undefined);
}
