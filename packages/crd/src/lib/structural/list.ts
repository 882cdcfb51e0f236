import type { JsonObject, JsonValue } from '@policy-machinery/resource';
import { type Conversion, lose, type SchemaPlace } from './conversion.ts';
import { type Node, typeOf } from './keywords.ts';
import type { ToField } from './object.ts';

const scalars: readonly (string | undefined)[] = ['string', 'integer', 'number', 'boolean'];

/** Returns the items of a list. */
export function listKeywords(schema: JsonObject, place: SchemaPlace, conversion: Conversion, field: ToField): Node {
  const { uniqueItems } = schema;
  const [tuple, rest] = tupleOf(schema);
  if (tuple === undefined) {
    const items = field(schema.items, 'items');
    return { items, ...(uniqueItems === true ? uniqueness(items, place, conversion) : {}) };
  }
  lose(
    conversion,
    place,
    'the API server does not know which item of a tuple is which; make it an object if it should',
  );
  const itemSchemas = [...tuple, ...(rest === undefined || rest === false ? [] : [rest])];
  return { items: field({ anyOf: itemSchemas }, 'items'), ...(rest === false ? { maxItems: tuple.length } : {}) };
}

/** Returns the items of a tuple, and the schema of further items. Drafts have different names for these. */
function tupleOf({
  items,
  prefixItems,
  additionalItems,
}: JsonObject): [readonly JsonValue[] | undefined, JsonValue | undefined] {
  if (Array.isArray(prefixItems)) return [prefixItems, items];
  return Array.isArray(items) ? [items, additionalItems] : [undefined, undefined];
}

/** Returns the list type that keeps items unique: `set` for scalars. For other items it does not exist, so the constraint is lost. */
function uniqueness(items: Node, place: SchemaPlace, conversion: Conversion): Node {
  if (scalars.includes(typeOf(items))) return { 'x-kubernetes-list-type': 'set' };
  lose(
    conversion,
    place,
    'the API server does not compare objects in lists; give the list map keys with x-kubernetes-list-type',
  );
  return {};
}
