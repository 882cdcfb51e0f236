import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import type { StanzaReader } from './stanza-reader.ts';

/**
 * Returns a reader that treats empty lists as unset, as in policies that pass through Go. They are removed from each
 * stanza before validation and before merging. Items of lists keep their empty lists.
 *
 * @param reader The reader to wrap.
 * @returns The reader.
 */
export function emptyListsUnset<Reader extends StanzaReader>(reader: Reader): Reader {
  return {
    ...reader,
    read(spec) {
      const { layers, faults } = reader.read(spec);
      return { layers: layers.map((layer) => ({ ...layer, spec: withoutEmptyLists(layer.spec) })), faults };
    },
  };
}

function withoutEmptyLists(value: JsonObject): JsonObject {
  const fields = Object.entries(value).filter(([, field]) => !(Array.isArray(field) && field.length === 0));
  const inner = (field: JsonValue): JsonValue => (isJsonObject(field) ? withoutEmptyLists(field) : field);
  return Object.fromEntries(fields.map(([key, field]) => [key, inner(field)]));
}
