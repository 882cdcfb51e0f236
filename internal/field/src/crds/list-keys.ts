import { trace } from '@policy-machinery/merge';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonObject, objectIn } from '@policy-machinery/resource';

/** A list in a spec whose items have keys, by which API servers merge changes. */
export interface KeyedList {
  /** The path of fields to the list, through objects alone. */
  readonly path: readonly string[];
  readonly keys: readonly string[];
}

/** Returns the lists of a spec whose items have keys, but for those in other lists and in maps. */
export function keyedLists(schema: JsonObject, path: readonly string[] = []): readonly KeyedList[] {
  const { 'x-kubernetes-list-type': form, 'x-kubernetes-list-map-keys': keys } = schema;
  if (form === 'map' && Array.isArray(keys)) return [{ path, keys: keys.map(String) }];
  return Object.entries(objectIn(schema.properties)).flatMap(([name, field]) =>
    isJsonObject(field) && !name.startsWith('target') ? keyedLists(field, [...path, name]) : [],
  );
}

/** Returns whether any strategy of a kind keeps the items of two policies in such a list, rather than those of one. */
export function mergesByKey({ stanzas }: PolicyKind<unknown>, { path, keys }: KeyedList): boolean {
  const specWith = (value: string) => trace(nested(path, [Object.fromEntries(keys.map((key) => [key, value]))]), value);
  return Object.values(stanzas.strategies).some(({ defaults, overrides }) =>
    [defaults, overrides].some((combine) => {
      const merged = combine?.(specWith('a'), specWith('b')).value;
      const list = path.reduce<unknown>((value, name) => objectIn(value)[name], merged);
      return Array.isArray(list) && list.length === 2;
    }),
  );
}

function nested([name, ...rest]: readonly string[], list: JsonObject[string]): JsonObject {
  if (name === undefined) return {};
  return { [name]: rest.length === 0 ? (list ?? null) : nested(rest, list) };
}

/** Returns how many fields of a spec API servers fill in, but for those in lists, maps and targets. */
export function defaultsIn(schema: JsonObject): number {
  return Object.entries(objectIn(schema.properties)).reduce((sum, [name, field]) => {
    if (!isJsonObject(field) || name.startsWith('target')) return sum;
    return sum + (field.default === undefined ? 0 : 1) + defaultsIn(field);
  }, 0);
}
