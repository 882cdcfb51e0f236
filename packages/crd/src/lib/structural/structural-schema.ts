// structural/: structural schemas. Takes a JSON Schema and returns the schema that Kubernetes accepts, with an issue for each constraint that it
// cannot express. A node is the schema of one value, a conversion the state that all nodes share.

import { formatPointer, type Issue, type JsonObject, PolicyMachineryError } from '@policy-machinery/resource';
import { jsonFaults } from '@policy-machinery/resource/inner';
import type { Conversion } from './conversion.ts';
import { fieldNode, maxDepth } from './node.ts';

/** Options of structural schemas. */
export interface StructuralOptions {
  /**
   * JSON Pointers, into the schema with its references followed, to values that a structural schema cannot describe, such as
   * `/properties/tree/properties/children/items`. The API server preserves these values. Default: none.
   */
  readonly preserveUnknownFields?: readonly string[] | undefined;
}

/** A structural schema. */
export interface StructuralReading {
  /** The schema in OpenAPI 3.0, as Kubernetes requires it. It shares parts with the JSON Schema. */
  readonly schema: JsonObject;
  /** The constraints of the JSON Schema that the API server does not check, with JSON Pointers into the JSON Schema. */
  readonly issues: readonly Issue[];
}

/** With more, no CustomResourceDefinition fits into etcd. */
const maxNodes = 10_000;

/**
 * Returns a JSON Schema as a structural schema, as Kubernetes requires for CustomResourceDefinitions: references are followed, each field
 * has one type, `nullable` replaces null, and unions become one structure. Where it cannot be exact, the result accepts more than the JSON
 * Schema, with an issue, except that fields of a union have one type in all of its branches. The API server prunes fields without a name,
 * so `additionalProperties: false` is left out; so are defaults, which would count as set by the policy.
 *
 * @param schema A JSON Schema of an object (draft 2020-12, draft-07 or OpenAPI 3.0).
 * @param options The parts that are left to the reader of policies.
 * @returns The schema, and the constraints that it lacks.
 * @throws {PolicyMachineryError} `invalid-schema` with everything without a structure: recursion, fields of several types, references
 * to elsewhere, more than 10,000 nodes, `__proto__` keys, pointers to nothing.
 * @example
 * ```ts
 * structuralSchema({ type: 'object', properties: { port: { type: ['integer', 'null'] } } }).schema;
 * // { type: 'object', properties: { port: { type: 'integer', nullable: true } } }
 * ```
 */
export function structuralSchema(
  schema: JsonObject,
  { preserveUnknownFields = [] }: StructuralOptions = {},
): StructuralReading {
  const faults = jsonFaults(schema, 2 * maxDepth).map(
    ({ code, message, path }): Issue => ({ code, severity: 'error', message, pointer: formatPointer(path) }),
  );
  const conversion: Conversion = {
    root: schema,
    preserved: new Set(preserveUnknownFields),
    found: new Set(),
    issues: [...faults],
    closed: new WeakSet(),
    left: maxNodes,
  };
  const isSane = faults.length === 0;
  const node = isSane ? fieldNode(schema, { path: [], following: ['#'] }, conversion) : {};
  const lost = isSane ? preserveUnknownFields.filter((pointer) => !conversion.found.has(pointer)) : [];
  for (const pointer of lost) {
    const message = 'preserveUnknownFields has this pointer, which matches nothing; correct or remove it';
    conversion.issues.push({ code: 'unknown-pointer', severity: 'error', message, pointer });
  }
  const issues = [...new Map(conversion.issues.map((issue) => [JSON.stringify(issue), issue])).values()];
  if (node.type !== 'object' && !issues.some(isError)) {
    const message = 'is not the schema of an object, which the spec of a policy must be';
    issues.push({ code: 'no-object', severity: 'error', message, pointer: '' });
  }
  const errors = issues.filter(isError);
  if (errors.length > 0) {
    throw new PolicyMachineryError('invalid-schema', 'The schema cannot be made structural', errors);
  }
  return { schema: node, issues };
}

const isError = ({ severity }: Issue): boolean => severity === 'error';
