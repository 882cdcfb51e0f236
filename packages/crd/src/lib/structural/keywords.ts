import type { JsonObject, JsonValue } from '@policy-machinery/resource';

/** A node of a structural schema, or of one in conversion. */
export interface Node extends JsonObject {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node;
  readonly required?: readonly string[];
  readonly enum?: readonly JsonValue[];
  readonly allOf?: readonly Node[];
}

/** Keywords that hold schemas about the same value. */
export const junctors = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/** The keywords that constrain values and not their structure; they are allowed below junctors. */
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

/** The keywords for readers. */
export const annotations = ['title', 'description'] as const;

/** The extensions that structural schemas may have, but for those that are about types. */
export const extensions = [
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const;

/** Returns the named fields of an object that exist. */
export function pick<Of extends JsonObject, Name extends string>(
  object: Of,
  names: readonly Name[],
): Partial<Pick<Of, Name>> {
  const present: { [Key in Name]?: Of[Key] } = {};
  for (const name of names) if (Object.hasOwn(object, name)) present[name] = object[name];
  return present;
}

/** Returns whether two values are the same. Fields in another order make a difference, which does no harm. */
export const isSame = (value: unknown, other: unknown): boolean => JSON.stringify(value) === JSON.stringify(other);

/** Returns the type of a node: `int-or-string` among them; `undefined` where any will do. */
export function typeOf(node: Node): string | undefined {
  if (node['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  return typeof node.type === 'string' ? node.type : undefined;
}

/** Returns the keywords that make a type. */
export const ofType = (type: string | undefined): Node => {
  if (type === undefined) return {};
  return type === 'int-or-string' ? { 'x-kubernetes-int-or-string': true } : { type };
};

export const propertiesOf = ({ properties = {} }: Node): Readonly<Record<string, Node>> => properties;

/** Returns a node that may be null as well. The API server does not find null in any `enum`, but does not check it below `allOf`. */
export function orNull({ enum: values, allOf = [], ...rest }: Node): Node {
  const parts = [...(values === undefined ? [] : [{ enum: values }]), ...allOf];
  return { ...rest, nullable: true, ...(parts.length === 0 ? {} : { allOf: parts }) };
}
