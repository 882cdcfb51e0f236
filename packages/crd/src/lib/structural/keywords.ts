import type { JsonObject, JsonValue } from '@policy-machinery/resource';

/** A node of a structural schema, or of one that becomes structural. */
export type Node = JsonObject;

/** Keywords that hold schemas about the same value. */
export const junctors = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/** Keywords that say something about values and nothing about their structure: they may stand beneath junctors. */
export const valueKeywords = [
  'enum',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  ...junctors,
] as const;

/** What people read. */
export const annotations = ['title', 'description'] as const;

/** The extensions that structural schemas may have, but for those that are about types. */
export const extensions = [
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const;

/** The fields of an object that are there, of those named. */
export function pick(object: JsonObject, names: readonly string[]): Record<string, JsonValue> {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(object, name) ? [[name, object[name] as JsonValue] as const] : [])),
  );
}

/** Whether two values are the same; fields in another order make a difference, which does no harm. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The type of a node: `int-or-string` among them; `undefined` where any will do. */
export function typeOf(node: Node): string | undefined {
  if (node['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  return typeof node.type === 'string' ? node.type : undefined;
}

/** The keywords that make a type. */
export const ofType = (type: string | undefined): Node => {
  if (type === undefined) return {};
  return type === 'int-or-string' ? { 'x-kubernetes-int-or-string': true } : { type };
};

/** The properties that a node names. */
export const propertiesOf = (node: Node): Readonly<Record<string, Node>> =>
  (node.properties ?? {}) as Readonly<Record<string, Node>>;

/** A node that may be null as well. The API server finds null in no `enum`, but asks nothing beneath `allOf` about it. */
export function orNull({ enum: values, allOf = [], ...rest }: Node): Node {
  const parts = [...(values === undefined ? [] : [{ enum: values }]), ...(allOf as readonly Node[])];
  return { ...rest, nullable: true, ...(parts.length === 0 ? {} : { allOf: parts }) };
}
