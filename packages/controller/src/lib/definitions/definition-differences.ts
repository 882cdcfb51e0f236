import type { CustomResourceDefinition } from '@policy-machinery/crd';
import {
  formatPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectIn,
  objectsIn,
} from '@policy-machinery/resource';

/**
 * Returns the relevant differences between an installed CustomResourceDefinition and the definition that the declaration of its kind leads to: the
 * scope, the versions, and their schemas. Descriptions, columns and fields of `status` that only the installed one has do not matter, nor does a
 * schema that keeps all fields.
 *
 * @param expected The definition that the declaration leads to.
 * @param installed The definition that the API server has.
 * @returns A sentence for each difference, for people. O(size of the definitions).
 */
export function definitionDifferences(
  { spec: expected }: Pick<CustomResourceDefinition, 'spec'>,
  installed: unknown,
): readonly string[] {
  const spec = objectIn(objectIn(installed).spec);
  const versions = objectsIn(spec.versions);
  const differences = objectsIn(expected.versions).flatMap((version) => {
    const { name, storage } = version;
    const served = versions.find((it) => it.name === name && it.served === true);
    if (served === undefined) return [`it does not serve ${name}`];
    const stored = storage === true && served.storage !== true ? [`it does not store ${name}`] : [];
    const status = subresourcesOf(served).includes('status') ? [] : [`${name} does not have a status subresource`];
    return [...stored, ...status, ...schemaDifferences(schemaOf(version), schemaOf(served), [])].map((difference) =>
      difference.startsWith('/') ? `${name}: ${difference}` : difference,
    );
  });
  return spec.scope === expected.scope ? differences : [`its scope is ${spec.scope}`, ...differences];
}

function subresourcesOf({ subresources }: JsonObject): readonly string[] {
  return Object.keys(objectIn(subresources));
}

function schemaOf({ schema }: JsonObject): JsonObject {
  return objectIn(objectIn(schema).openAPIV3Schema);
}

/** The keywords that hold schemas, apart from `properties`. */
const nested: readonly string[] = ['items', 'additionalProperties'];

/** The keywords that do not affect which objects the API server accepts. */
const informative: readonly string[] = ['description', 'title', 'example', 'externalDocs'];

/** Returns the differences of two schemas for the field at a path. */
function schemaDifferences(expected: JsonObject, installed: JsonObject, path: readonly string[]): readonly string[] {
  if (installed['x-kubernetes-preserve-unknown-fields'] === true) return []; // It takes everything, and drops nothing.
  const field = path.length === 0 ? 'the whole object' : formatPointer(path);
  const keywords = new Set([...Object.keys(expected), ...Object.keys(installed)]);
  for (const name of ['properties', ...nested, ...informative]) keywords.delete(name);
  const changed = [...keywords].filter((name) => !isSame(expected[name], installed[name]));
  const ofThis = changed.length === 0 ? [] : [`${field} has another ${changed.sort().join(', ')}`];
  const inside = nested.flatMap((name) => {
    const [expectedPart, installedPart] = [expected[name], installed[name]];
    if (isJsonObject(expectedPart) && isJsonObject(installedPart))
      return schemaDifferences(expectedPart, installedPart, [...path, '*']);
    return isSame(expectedPart, installedPart) ? [] : [`${field} has another ${name}`];
  });
  return [
    ...ofThis,
    ...inside,
    ...propertyDifferences(objectIn(expected.properties), objectIn(installed.properties), path),
  ];
}

function propertyDifferences(expected: JsonObject, installed: JsonObject, path: readonly string[]): readonly string[] {
  const missing = Object.entries(expected).flatMap(([name, schema]) => {
    const other = installed[name];
    const below = [...path, name];
    if (other === undefined) return [`${formatPointer(below)} is missing, so the API server drops it`];
    return isJsonObject(schema) && isJsonObject(other) ? schemaDifferences(schema, other, below) : [];
  });
  if (path[0] === 'status') return missing;
  const surplus = Object.keys(installed).filter((name) => !Object.hasOwn(expected, name));
  return [...missing, ...surplus.map((name) => `${formatPointer([...path, name])} is not in the declaration`)];
}

/** Returns whether two values are equal, whatever the order of fields is. */
function isSame(value: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (Array.isArray(value) && Array.isArray(other)) {
    return value.length === other.length && value.every((item, index) => isSame(item, other[index]));
  }
  if (!isJsonObject(value) || !isJsonObject(other)) return value === other;
  const names = Object.keys(value);
  return names.length === Object.keys(other).length && names.every((name) => isSame(value[name], other[name]));
}
