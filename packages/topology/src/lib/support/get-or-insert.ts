/** The methods of a Map or WeakMap that {@link getOrInsert} needs. */
interface Entries<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** Returns the value of a key, which is made and set first if there is none: `Map.prototype.getOrInsertComputed` of later engines. */
export function getOrInsert<Key, Value>(map: Entries<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const value = map.get(key);
  if (value !== undefined) return value;
  const made = make(key);
  map.set(key, made);
  return made;
}
