import type { Origins } from '@policy-machinery/merge';
import type { SpecFault } from '@policy-machinery/policy-kind';
import { formatPointer, isJsonObject, type JsonObject, type JsonValue, objectIn } from '@policy-machinery/resource';
import type { SpecChecks } from '../model/spec-checks.ts';
import type { Patterns } from './patterns.ts';
import { ownFaults, type Rules } from './rules.ts';
import { type Validate, validatorOf } from './validator.ts';

/**
 * Returns the check of merged specs. Only values that several policies set are checked: a part that one policy sets is unchanged, and the whole spec
 * of that policy has been checked.
 *
 * @param proper The structural schema of the spec proper.
 * @param rules The compiled rules.
 * @param patterns The compiled patterns.
 * @returns The check. The schema of a value is converted when the first such value is checked.
 */
export function mergedCheck(proper: JsonObject, rules: Rules, patterns: Patterns): SpecChecks['checkMerged'] {
  const validators = new Map<JsonObject, Validate | undefined>();
  /** Returns the validator of a value without its fields and items; `undefined` if only these are constrained. */
  const validatorAt = (schema: JsonObject): Validate | undefined => {
    if (!validators.has(schema)) {
      const { type: _type, properties: _fields, additionalProperties: _rest, items: _items, ...own } = schema;
      const isConstrained = Object.keys(own).some((key) => !key.startsWith('x-kubernetes-') && !passive.has(key));
      validators.set(schema, isConstrained ? validatorOf(own, patterns) : undefined);
    }
    return validators.get(schema);
  };

  function* faultsIn(
    value: JsonValue,
    schema: JsonObject,
    origins: Origins<unknown>,
    path: readonly string[],
  ): Generator<SpecFault> {
    const isLeaf = 'by' in origins;
    if (isLeaf && origins.by.length < 2) return;
    const own = (validatorAt(schema)?.(value) ?? []).map((fault) => ({
      ...fault,
      pointer: formatPointer(path) + fault.pointer,
    }));
    yield* own;
    if (own.length === 0) yield* ownFaults(value, schema, rules, path);
    if (isLeaf) return;
    for (const [key, inner] of origins.fields) {
      const [field, fieldSchema] = partOf(value, schema, key);
      if (field !== undefined) yield* faultsIn(field, fieldSchema, inner, [...path, key]);
    }
  }
  return (spec, origins) => [...faultsIn(spec, proper, origins, [])];
}

/** Keywords that constrain nothing. */
const passive: ReadonlySet<string> = new Set(['description', 'title', 'default', 'nullable', 'example']);

/** Returns a field of an object or an item of a list, with its schema. */
function partOf(value: JsonValue, schema: JsonObject, key: string): readonly [JsonValue | undefined, JsonObject] {
  if (Array.isArray(value)) return [value[Number(key)], objectIn(schema.items)];
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return [undefined, {}];
  const properties = objectIn(schema.properties);
  return [value[key], objectIn(Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties)];
}
