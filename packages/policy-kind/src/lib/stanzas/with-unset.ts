import { formatPointer } from '@policy-machinery/resource';
import { without } from './bare-spec.ts';
import { reshaped } from './spec-shape.ts';
import type { StanzaReader } from './stanza-reader.ts';

/** Where policies list the fields that they unset. */
export interface UnsetOptions {
  /** Default `unset`; the first draft of RFC 0009 has `remove`. */
  readonly field?: string | undefined;
}

/** Characters in one name, as in one condition. */
const maxLength = 1024;

const namesSchema = {
  type: 'array',
  items: { type: 'string', minLength: 1 },
  description: 'The fields, by name or path, that this policy does not take from the defaults of less specific ones.',
};

/**
 * Returns a reader for policies that unset fields from the defaults of less specific policies: by path,
 * `rules.authentication.a`, or by the last part of the path, `a`, which means the outermost fields of that name.
 * Overrides are not affected.
 *
 * @param reader The reader to wrap.
 * @param options Where policies list these fields.
 * @returns The reader.
 */
export function withUnset<Reader extends StanzaReader>(reader: Reader, { field = 'unset' }: UnsetOptions = {}): Reader {
  return {
    ...reader,
    read(spec) {
      const { layers, faults } = reader.read(without(spec, [field]));
      const names = spec[field];
      if (names === undefined) return { layers, faults };
      if (!Array.isArray(names) || !names.every((name) => typeof name === 'string' && name !== '')) {
        const message = `${field} must be a list of the names or paths of fields`;
        return { layers, faults: [...faults, { message, pointer: formatPointer(['spec', field]) }] };
      }
      const tooLong = names.findIndex((name) => (name as string).length > maxLength);
      if (tooLong >= 0) {
        const message = `a name has more than ${maxLength} characters; shorten it`;
        return { layers, faults: [...faults, { message, pointer: formatPointer(['spec', field, String(tooLong)]) }] };
      }
      return { layers: layers.map((layer) => ({ ...layer, unset: names as readonly string[] })), faults };
    },
    ...reshaped(reader, (shape) => ({ ...shape, fields: { ...shape.fields, [field]: namesSchema } })),
  };
}
