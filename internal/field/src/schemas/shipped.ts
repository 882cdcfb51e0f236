import { knownKinds } from '@policy-machinery/known-kinds';
import {
  groupKindKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  objectIn,
  objectsIn,
} from '@policy-machinery/resource';
import type { DefinitionInFile } from './definition-files.ts';
import type { SchemaSource } from './sources.ts';

/** A definition as it is shipped. */
export interface ShippedDefinition extends DefinitionInFile {
  /** The key of its kind. */
  readonly key: string;
}

const known: ReadonlySet<string> = new Set(knownKinds.map(groupKindKey));

/** Returns the definitions of a project that are shipped: those of Gateway API and of known policy kinds, with only the parts that are read. */
export function shippedOf(
  { name, groups }: SchemaSource,
  all: readonly DefinitionInFile[],
): readonly ShippedDefinition[] {
  const shipped = all.flatMap(({ definition, sha256 }) => {
    const { group, names } = objectIn(definition.spec);
    const key = groupKindKey({ group: String(group), kind: String(objectIn(names).kind) });
    if (!groups.includes(String(group)) || (name !== 'gateway-api' && !known.has(key))) return [];
    return [{ key, sha256, definition: shortened(definition) }];
  });
  return [...new Map(shipped.map((each) => [each.key, each])).values()]; // A folder may also have a file with all of them.
}

function shortened({ apiVersion, kind, metadata, spec }: KubernetesObject): KubernetesObject {
  const { group, names, scope, conversion, versions } = objectIn(spec);
  const { kind: named, plural, shortNames } = objectIn(names);
  return {
    apiVersion,
    kind,
    metadata: { name: metadata.name },
    spec: {
      group,
      names: { kind: named, plural, ...(shortNames === undefined ? {} : { shortNames }) },
      scope,
      ...(conversion === undefined ? {} : { conversion: { strategy: objectIn(conversion).strategy } }),
      versions: objectsIn(versions).map(({ name, served, storage, schema }) => ({
        name,
        served,
        storage,
        schema: { openAPIV3Schema: withoutStatus(objectIn(objectIn(schema).openAPIV3Schema)) },
      })),
    },
  } as unknown as KubernetesObject;
}

function withoutStatus({ properties, ...root }: JsonObject): JsonValue {
  const { status: _status, metadata: _metadata, ...fields } = objectIn(properties);
  return schemaWithoutTexts({ ...root, properties: fields });
}

/** Returns a schema without descriptions and examples. */
function schemaWithoutTexts(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(schemaWithoutTexts);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).filter(([key]) => !texts.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (verbatim.has(key)) return [key, value];
      if (key === 'properties') return [key, mapFields(objectIn(value))];
      return [key, schemaWithoutTexts(value)];
    }),
  );
}

const texts: ReadonlySet<string> = new Set(['description', 'example', 'externalDocs', 'title']);
const verbatim: ReadonlySet<string> = new Set(['default', 'enum', 'required', 'x-kubernetes-validations']);

function mapFields(properties: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schemaWithoutTexts(schema)]));
}
