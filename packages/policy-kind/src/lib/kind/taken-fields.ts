import { isJsonObject, type JsonObject, type JsonValue, PolicyMachineryError } from '@policy-machinery/resource';
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { StanzaReader } from '../stanzas/stanza-reader.ts';

/**
 * Refuses a schema with a field that it never gets, since the stanza reader has a field of the same name, such as a strategy or a condition: every
 * policy would lack the field, however it is written. Schemas that do not tell their fields are not checked.
 *
 * @throws {PolicyMachineryError} `invalid-policy-kind`, which names all such fields.
 */
export function refuseTakenFields(kind: string, schema: StandardSchemaV1, stanzas: StanzaReader): void {
  const taken = fieldsOf(schema).filter((field) => isTaken(stanzas, field));
  if (taken.length === 0) return;
  const message = `The schema of ${kind} never gets ${taken.join(', ')}, which its stanza reader takes from specs; rename the field in the schema or in the options of the reader`;
  throw new PolicyMachineryError('invalid-policy-kind', message);
}

/** Returns the fields that a schema names, as far as it tells its JSON Schema. */
function fieldsOf(schema: StandardSchemaV1): readonly string[] {
  const standard: StandardSchemaV1.Props & Partial<Pick<StandardJSONSchemaV1.Props, 'jsonSchema'>> =
    schema['~standard'];
  try {
    const { properties } = standard.jsonSchema?.input({ target: 'draft-2020-12' }) ?? {};
    return isJsonObject(properties) ? Object.keys(properties) : [];
  } catch {
    return [];
  }
}

/** Returns whether a field is missing from the spec proper in a place where a field of another name is kept. */
function isTaken(stanzas: StanzaReader, field: string): boolean {
  const places = [undefined, ...(stanzas.shape?.stanzas ?? []).map((stanza) => stanza.field)];
  return places.some((place) => keeps(stanzas, place, `${field}Other`) && !keeps(stanzas, place, field));
}

function keeps({ read }: StanzaReader, place: string | undefined, field: string): boolean {
  const fields: JsonObject = { [field]: null };
  const spec: Readonly<Record<string, JsonValue>> = place === undefined ? fields : { [place]: fields };
  return read(spec).layers.some((layer) => Object.hasOwn(layer.spec, field));
}
