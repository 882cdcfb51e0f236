import type { JsonObject } from '@policy-machinery/resource';

/** JSON Schemas of fields, by the names of the fields. */
export type FieldSchemas = Readonly<Record<string, JsonObject>>;

/** A place in the spec for the fields of the policy. */
export interface StanzaShape {
  /** The field of the spec: `overrides`. `undefined` for the top level of the spec. */
  readonly field: string | undefined;
  /** Further fields in that place, such as a strategy. */
  readonly fields: FieldSchemas;
}

/**
 * The shape of the specs of a dialect, without targets: the part of a CustomResourceDefinition that is not in the schema of the
 * spec proper. It must admit everything that `read` accepts.
 */
export interface SpecShape {
  readonly stanzas: readonly StanzaShape[];
  /** The top-level fields of the spec, regardless of its stanzas. If a stanza has a field of the same name, the two must agree. */
  readonly fields: FieldSchemas;
  /** Groups of stanzas, named by their fields. A spec may have only one of each group. */
  readonly exclusive: readonly (readonly StanzaShape['field'][])[];
  /** A spec must have at least one of these fields. Empty: none is required. */
  readonly oneOf: readonly string[];
}

/** Returns the shape of a reader that wraps another, if the shape of the other is known. */
export function reshaped(
  { shape }: { readonly shape?: SpecShape },
  change: (shape: SpecShape) => SpecShape,
): { readonly shape?: SpecShape } {
  return shape === undefined ? {} : { shape: change(shape) };
}

export const withStanzaFields =
  (fields: FieldSchemas) =>
  (shape: SpecShape): SpecShape => ({
    ...shape,
    stanzas: shape.stanzas.map((stanza) => ({ ...stanza, fields: { ...stanza.fields, ...fields } })),
  });
