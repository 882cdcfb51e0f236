import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '@policy-machinery/resource';
import { type Conversion, fail, preserveUnknownFields, type SchemaPlace } from './conversion.ts';
import { annotations } from './keywords.ts';

/** A schema without a reference, and its place. */
export interface Followed {
  readonly schema: JsonObject;
  readonly place: SchemaPlace;
}

/** Follows the references of a schema. Returns `undefined` if they lead nowhere or in a cycle, which is reported. */
export function followed(schema: JsonObject, schemaPlace: SchemaPlace, conversion: Conversion): Followed | undefined {
  const { $ref: reference, ...beside } = schema;
  if (typeof reference !== 'string') return { schema, place: schemaPlace };
  if (schemaPlace.following.includes(reference)) {
    if (schema[preserveUnknownFields] !== true) {
      const message = `contains itself through ${reference}, but a CustomResourceDefinition must spell out each level; ${orPreserve}`;
      fail(conversion, schemaPlace, 'recursive-schema', message);
    }
    return undefined;
  }
  const target = targetOf(reference, conversion.root);
  if (!isJsonObject(target)) {
    const message = `refers to ${reference}, which is not in this document; put it into $defs`;
    fail(conversion, schemaPlace, 'unresolved-reference', message);
    return undefined;
  }
  const place = { ...schemaPlace, following: [...schemaPlace.following, reference] };
  return followed(joined(target, beside), place, conversion);
}

/** The advice for constraints that cannot be expressed. */
export const orPreserve =
  'list this pointer in preserveUnknownFields, so that only reading checks it, or change the schema';

function targetOf(reference: string, root: JsonObject): JsonValue | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  try {
    return valueAt(root, decodeURIComponent(reference.slice(1)));
  } catch {
    return undefined;
  }
}

/** Combines a reference with its sibling keywords. */
function joined(target: JsonObject, beside: JsonObject): JsonObject {
  const names: readonly string[] = annotations;
  const isFree = Object.keys(beside).every((key) => names.includes(key) || !Object.hasOwn(target, key));
  return isFree ? { ...target, ...beside } : { allOf: [target, beside] };
}
