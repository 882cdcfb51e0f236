import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import type { StanzaReader } from './stanza-reader.ts';

/**
 * Lets empty lists count as unset, as they do where policies pass through Go (M-14): they are taken out of each stanza
 * before its schema sees it and before it is merged. Items of lists keep theirs.
 *
 * @param reader How stanzas are read otherwise.
 * @returns The reader.
 */
export function emptyListsUnset(reader: StanzaReader): StanzaReader {
  return {
    ...reader,
    read(spec) {
      const { blocks, faults } = reader.read(spec);
      return { blocks: blocks.map((block) => ({ ...block, spec: withoutEmptyLists(block.spec) })), faults };
    },
  };
}

function withoutEmptyLists(value: JsonObject): JsonObject {
  const fields = Object.entries(value).filter(([, field]) => !(Array.isArray(field) && field.length === 0));
  const inner = (field: JsonValue): JsonValue => (isJsonObject(field) ? withoutEmptyLists(field) : field);
  return Object.fromEntries(fields.map(([key, field]) => [key, inner(field)]));
}
