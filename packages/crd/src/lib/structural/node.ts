import { formatPointer, isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import {
  anything,
  type Conversion,
  fail,
  lose,
  preserveUnknownFields,
  type SchemaPlace,
  within,
} from './conversion.ts';
import { intersection } from './intersection.ts';
import { annotations, extensions, isSame, type Node, ofType, orNull, pick, typeOf, valueKeywords } from './keywords.ts';
import { listKeywords } from './list.ts';
import { objectKeywords } from './object.ts';
import { followed, orPreserve } from './references.ts';
import { typesOf } from './types.ts';
import { nullNode, union } from './union.ts';
import { valueKeywordsOf } from './value-keywords.ts';

/** Deeper schemas are refused. */
export const maxDepth = 100;

/** Returns the node of a field, an item or the root: it must have a type, or accept anything. */
export function fieldNode(schema: JsonValue | undefined, place: SchemaPlace, conversion: Conversion): Node {
  const node = partNode(schema, place, conversion);
  if (typeOf(node) !== undefined) return node;
  return isSame(node.not, {}) ? { ...node, [preserveUnknownFields]: true } : { ...node, ...anything };
}

/** Returns a node that may be only one of several for its place, such as one part of `allOf`. */
function partNode(schema: JsonValue | undefined, place: SchemaPlace, conversion: Conversion): Node {
  if (!isWithinLimits(place, conversion) || schema === undefined || schema === true) return {};
  if (schema === false) return { not: {} };
  if (!isJsonObject(schema)) {
    fail(conversion, place, 'no-schema', 'is not a JSON Schema; make it an object');
    return {};
  }
  const pointer = formatPointer(place.path);
  if (conversion.preserved.has(pointer)) {
    conversion.found.add(pointer);
    return pick(schema, annotations);
  }
  const reached = followed(schema, place, conversion);
  return reached === undefined ? pick(schema, annotations) : ownNode(reached.schema, reached.place, conversion);
}

function ownNode(schema: JsonObject, place: SchemaPlace, conversion: Conversion): Node {
  const branches = (keyword: 'allOf' | 'anyOf' | 'oneOf'): readonly Node[] | undefined => {
    const parts = schema[keyword];
    if (!Array.isArray(parts)) return undefined;
    return parts.map((part: JsonValue, index) => partNode(part, within(place, keyword, index), conversion));
  };
  const mixed = (what: string): Node => {
    if (schema[preserveUnknownFields] !== true) {
      fail(
        conversion,
        place,
        'mixed-types',
        `${what}, and a field of a CustomResourceDefinition has one type; ${orPreserve}`,
      );
    }
    return {};
  };
  const joint = { place, conversion, mixed };
  const unions = (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const nodes = branches(keyword);
    return nodes === undefined ? [] : [union(nodes, keyword, joint)];
  });
  const node = intersection(
    [plainNode(schema, place, conversion, mixed), ...(branches('allOf') ?? []), ...unions],
    joint,
  );
  const not = negation(schema, node, place, conversion);
  return not === undefined ? node : { ...node, not };
}

function plainNode(
  schema: JsonObject,
  place: SchemaPlace,
  conversion: Conversion,
  mixed: (what: string) => Node,
): Node {
  const { type, nullable, isMixed } = typesOf(schema);
  if (type === 'null') return nullNode;
  if (isMixed !== undefined) return { ...mixed(isMixed), ...pick(schema, annotations) };
  if (schema.default !== undefined) {
    const message =
      'the default is left out, because the API server would write it into policies, where it would count as set';
    lose(conversion, place, message);
  }
  for (const keyword of unsayable) {
    if (isSaid(schema[keyword]))
      lose(conversion, place, `${keyword} cannot be expressed in a CustomResourceDefinition; ${orCel}`);
  }
  const field = (value: JsonValue | undefined, ...keys: readonly (string | number)[]): Node =>
    fieldNode(value, within(place, ...keys), conversion);
  const plain = {
    ...ofType(type),
    ...pick(schema, [...annotations, ...extensions]),
    ...(schema[preserveUnknownFields] === true ? { [preserveUnknownFields]: true } : {}),
    ...valueKeywordsOf(schema, place, conversion),
    ...(type === 'object' ? objectKeywords(schema, place, conversion, field) : {}),
    ...(type === 'array' ? listKeywords(schema, place, conversion, field) : {}),
  };
  const node = nullable ? orNull(plain) : plain;
  if (schema.additionalProperties === false) conversion.closed.add(node);
  return node;
}

const orCel = 'add a rule in x-kubernetes-validations if reading is too late to check it';

/** Keywords of JSON Schema that OpenAPI 3.0 has nothing for. */
const unsayable = [
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
];

const isSaid = (value: JsonValue | undefined): boolean => value !== undefined && value !== false;

/** Returns a negation, if all of it can be expressed: a part left out below `not` would make the schema refuse more. */
function negation({ not }: JsonObject, node: Node, schemaPlace: SchemaPlace, conversion: Conversion): Node | undefined {
  if (not === undefined || not === false) return undefined;
  const place = within(schemaPlace, 'not');
  const { type, ...rest } = isJsonObject(not) ? not : {};
  const values = pick(valueKeywordsOf(rest, place, conversion), valueKeywords);
  const isSayable =
    (not === true || isJsonObject(not)) &&
    Object.keys(values).length === Object.keys(rest).length &&
    (type === undefined || isSame(type, typeOf(node)));
  if (isSayable && node.not === undefined) return values;
  lose(conversion, place, `not cannot be expressed with more than the type and values of its field; ${orCel}`);
  return undefined;
}

function isWithinLimits(place: SchemaPlace, conversion: Conversion): boolean {
  conversion.left -= 1;
  if (place.path.length > 2 * maxDepth) {
    fail(
      conversion,
      { ...place, path: place.path.slice(0, 6) },
      'too-deep',
      `is nested more than ${maxDepth} levels deep; flatten it`,
    );
    return false;
  }
  if (conversion.left === 0) {
    fail(
      conversion,
      { ...place, path: [] },
      'too-big',
      'is too large once all references are followed; split the kind',
    );
  }
  return conversion.left > 0;
}
