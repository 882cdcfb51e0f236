import { isJsonObject, type JsonObject, type JsonValue, objectsIn } from '@policy-machinery/resource';

/** Returns the parameters of the filters of a type of a rule: `filtersOf(rule, 'CORS', 'cors')`. */
export function filtersOf({ filters }: JsonObject, type: string, field: string): readonly JsonObject[] {
  return objectsIn(filters).flatMap((filter) => {
    const value = filter[field];
    return filter.type === type && isJsonObject(value) ? [value] : [];
  });
}

/** Returns an object with the fields that are set; `undefined` if none is. */
export function setFields(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject | undefined {
  const set = Object.entries(fields).flatMap(([field, value]): [string, JsonValue][] =>
    value === undefined ? [] : [[field, value]],
  );
  return set.length === 0 ? undefined : Object.fromEntries(set);
}
