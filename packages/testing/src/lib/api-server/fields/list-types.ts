import { isJsonObject, type JsonObject, type JsonValue, stringIn } from '@policy-machinery/resource';
import type { FieldPath } from './field-path.ts';

/** How the items of a list are owned: all together, or each by its keys or its value. */
export type ListType = { readonly type: 'atomic' | 'set' } | { readonly type: 'map'; readonly keys: readonly string[] };

/** A place in the schema of a kind. */
export interface Shape {
  /** The schema there, if it is known. */
  readonly schema?: JsonObject | undefined;
  readonly field: string;
}

const atomic: ListType = { type: 'atomic' };

/** The lists of metadata, which all kinds have, and lists that are written in this way where no schema is known. */
const byConvention: Readonly<Record<string, ListType>> = {
  finalizers: { type: 'set' },
  ownerReferences: { type: 'map', keys: ['uid'] },
  conditions: { type: 'map', keys: ['type'] },
  listeners: { type: 'map', keys: ['name'] },
};

/** Returns how the items of a list are owned. */
export function listTypeOf({ schema, field }: Shape): ListType {
  if (schema === undefined) return (Object.hasOwn(byConvention, field) && byConvention[field]) || atomic;
  const keys = schema['x-kubernetes-list-map-keys'];
  switch (schema['x-kubernetes-list-type']) {
    case 'map':
      return { type: 'map', keys: Array.isArray(keys) ? keys.flatMap((key) => stringIn(key) ?? []) : [] };
    case 'set':
      return { type: 'set' };
    default:
      return atomic;
  }
}

/** Returns whether the fields of an object are owned together. */
export function isAtomicMap({ schema }: Shape): boolean {
  return schema?.['x-kubernetes-map-type'] === 'atomic';
}

export function shapeOfField({ schema }: Shape, field: string): Shape {
  if (schema === undefined) return { field };
  const { properties, additionalProperties } = schema;
  const named = isJsonObject(properties) && Object.hasOwn(properties, field) ? properties[field] : additionalProperties;
  return { field, schema: isJsonObject(named) ? named : undefined };
}

export function shapeOfItems({ schema, field }: Shape): Shape {
  return { field, schema: schema && isJsonObject(schema.items) ? schema.items : undefined };
}

/** Returns whether an empty object or list at a path leaves values of others there. */
export function isShared(root: Shape, path: FieldPath, value: JsonValue | undefined): boolean {
  const shape = path.reduce(
    (parentShape, step) =>
      step.startsWith('f:') ? shapeOfField(parentShape, step.slice(2)) : shapeOfItems(parentShape),
    root,
  );
  if (Array.isArray(value)) return value.length === 0 && listTypeOf(shape).type !== 'atomic';
  return isJsonObject(value) && Object.keys(value).length === 0 && !isAtomicMap(shape);
}
