import type { JsonObject, JsonValue } from '@policy-machinery/resource';

export interface Types {
  /** One type, `int-or-string` and `null` among them; `undefined` where any will do. */
  readonly type: string | undefined;
  readonly nullable: boolean;
  /** Why one field cannot have this type. */
  readonly isMixed?: string;
}

/** Returns the type of values, which a schema may imply by other keywords. */
export function typesOf(schema: JsonObject): Types {
  if (schema['x-kubernetes-int-or-string'] === true)
    return { type: 'int-or-string', nullable: schema.nullable === true };
  const named = namedTypes(schema);
  const types = named.filter((type) => type !== 'null');
  const unknown = types.find((type) => !jsonTypes.includes(type));
  if (unknown !== undefined)
    return { type: undefined, nullable: false, isMixed: `is of type ${unknown}, which is not a JSON type` };
  const values = schema.const === undefined ? schema.enum : [schema.const];
  const nullable =
    (schema.nullable === true || types.length < named.length) && !(Array.isArray(values) && !values.includes(null));
  const isNull = Array.isArray(values) && values.every((value) => value === null);
  if (types.length === 0 || isNull) return { type: named.length > 0 ? 'null' : undefined, nullable };
  const type = commonType(types);
  if (type !== undefined) return { type, nullable };
  return types.length === jsonTypes.length
    ? { type, nullable: false }
    : { type, nullable, isMixed: `is one of ${types.join(', ')}` };
}

/** Returns the type that includes some others; `undefined` if there is none. */
export function commonType(types: readonly (string | undefined)[]): string | undefined {
  const [first, ...others] = new Set(types);
  if (others.length === 0) return first;
  const allTypes = [first, ...others];
  const among = (...names: readonly string[]) => allTypes.every((type) => type !== undefined && names.includes(type));
  if (among('integer', 'number')) return 'number';
  return among('integer', 'string', 'int-or-string') ? 'int-or-string' : undefined;
}

const jsonTypes = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

function namedTypes(schema: JsonObject): readonly string[] {
  const { type, const: only, enum: many } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((name) => typeof name === 'string');
  if (only !== undefined) return [typeOfValue(only)];
  if (Array.isArray(many)) return [...new Set(many.map(typeOfValue))];
  if (['properties', 'additionalProperties', 'patternProperties'].some((keyword) => keyword in schema))
    return ['object'];
  return 'items' in schema || 'prefixItems' in schema ? ['array'] : [];
}

function typeOfValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}
