import { isJsonObject, type JsonObject } from '@policy-machinery/resource';
import { preserveUnknownFields } from '../structural/conversion.ts';
import { type Node, typeOf } from '../structural/keywords.ts';

/** CEL's own words; as names of fields they are set apart. */
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** Returns the name of a field in CEL rules of CustomResourceDefinitions; `undefined` for a field that they cannot name. */
export function celName(field: string): string | undefined {
  if (reserved.has(field)) return `__${field}__`;
  if (!/^[a-zA-Z_./-][\w./-]*$/.test(field)) return undefined;
  return field.replaceAll(/__|[./-]/g, (match) => escapes[match] ?? match);
}

/**
 * Returns whether CEL rules of CustomResourceDefinitions can access a field, by its name and its schema. A field that may be anything does
 * not exist for them, nor do lists and maps of that.
 */
export function isSeen(field: string, node: Node): boolean {
  return celName(field) !== undefined && hasCelType(node);
}

function hasCelType(node: Node): boolean {
  if (typeOf(node) === undefined) return node[preserveUnknownFields] !== true;
  return [node.items, node.additionalProperties].every((inner) => !isJsonObject(inner) || hasCelType(inner));
}

/** Returns a text in CEL. JSON's escapes are CEL's, too. */
export const celText = (text: string): string => JSON.stringify(text);

/** A rule of `x-kubernetes-validations`. */
export interface CelRule extends JsonObject {
  readonly rule: string;
  readonly message: string;
}

/** Rules besides the schema's. */
export function withRules(schema: JsonObject, rules: readonly CelRule[]): JsonObject {
  const ownRules = rulesOf(schema);
  return ownRules.length + rules.length === 0 ? schema : { ...schema, [validations]: [...ownRules, ...rules] };
}

export function rulesOf(schema: JsonObject): readonly CelRule[] {
  const rules = schema[validations];
  return Array.isArray(rules) ? (rules as readonly CelRule[]) : [];
}

const validations = 'x-kubernetes-validations';
