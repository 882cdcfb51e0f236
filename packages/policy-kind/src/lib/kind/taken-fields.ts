import { type JsonObject, type JsonValue, PolicyMachineryError } from '@policy-machinery/resource';
import type { StanzaReader } from '../stanzas/stanza-reader.ts';
import type { DeclaredFields } from './declared-fields.ts';

/**
 * Refuses a schema with a field that it never gets, because the stanza reader has a field of the same name, such as a strategy or a condition: every
 * policy would lack the field, however it is written. Schemas that do not declare their fields are not checked.
 *
 * @throws {PolicyMachineryError} `invalid-policy-kind`, which names all such fields.
 */
export function refuseTakenFields(kind: string, fields: DeclaredFields, stanzas: StanzaReader): void {
  const taken = fields.namesAt(fields.spec ?? []).filter((field) => isTaken(stanzas, field));
  if (taken.length === 0) return;
  const message = `The schema of ${kind} never gets ${taken.join(', ')}, which its stanza reader takes from specs; rename the field in the schema or in the options of the reader`;
  throw new PolicyMachineryError('invalid-policy-kind', message);
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
