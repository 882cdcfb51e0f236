import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import type { LayerReading, StanzaReader } from './stanza-reader.ts';

/**
 * Returns a reader for which empty lists count as unset, as in policies that pass through Go. They are removed from each
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
      return { layers: layers.map(withoutEmptyLists), faults };
    },
  };
}

function withoutEmptyLists(layer: LayerReading): LayerReading {
  return hasEmptyLists(layer.spec) ? { ...layer, spec: pruned(layer.spec) } : layer;
}

function hasEmptyLists(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).some((key) => hasEmptyLists(value[key]));
}

function pruned(value: JsonObject): JsonObject {
  const fields = Object.entries(value).filter(([, field]) => !(Array.isArray(field) && field.length === 0));
  return Object.fromEntries(fields.map(([key, field]) => [key, isJsonObject(field) ? pruned(field) : field]));
}
