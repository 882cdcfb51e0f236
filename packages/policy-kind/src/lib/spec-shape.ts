import type { JsonObject } from '@policy-machinery/resource';

/** JSON Schemas of fields, by the names of the fields. */
export type FieldSchemas = Readonly<Record<string, JsonObject>>;

/** A place in the spec that may hold the fields of the policy. */
export interface StanzaShape {
  /** The field of the spec that is the place: `overrides`. `undefined` for the top of the spec. */
  readonly field: string | undefined;
  /** What stands beside the fields of the policy there, such as a strategy. */
  readonly fields: FieldSchemas;
}

/**
 * What the specs of a dialect look like, targets aside: the part of a CustomResourceDefinition that is not in the schema of the
 * spec proper. It must admit all that `read` takes.
 */
export interface SpecShape {
  readonly stanzas: readonly StanzaShape[];
  /** What stands at the top of the spec whatever its stanzas. If a stanza has a field of the same name, the two must agree. */
  readonly fields: FieldSchemas;
  /** Of each group of stanzas, named by their fields, a spec may hold one only. */
  readonly exclusive: readonly (readonly StanzaShape['field'][])[];
  /** The fields at least one of which a spec must have. None: it need not have any. */
  readonly oneOf: readonly string[];
}

/** The shape of a reader that wraps another one, if the shape of that one is known. */
export function reshaped(
  { shape }: { readonly shape?: SpecShape },
  change: (shape: SpecShape) => SpecShape,
): { readonly shape?: SpecShape } {
  return shape === undefined ? {} : { shape: change(shape) };
}

/** Gives each stanza more fields. */
export const withStanzaFields =
  (fields: FieldSchemas) =>
  (shape: SpecShape): SpecShape => ({
    ...shape,
    stanzas: shape.stanzas.map((stanza) => ({ ...stanza, fields: { ...stanza.fields, ...fields } })),
  });
