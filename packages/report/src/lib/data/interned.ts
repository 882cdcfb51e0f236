import type { Patch } from './patch.ts';

/** A list without duplicates. */
export class Interned<Value> {
  readonly values: Value[] = [];
  /** How much there is, in characters of its JSON, roughly. */
  weight = 0;
  #taken = 0;
  readonly #places = new Map<unknown, number>();
  readonly #keyOf: (value: Value) => unknown;

  /** @param keyOf Returns the key of a value: values with the same key are the same. Default: the value itself. */
  constructor(keyOf: (value: Value) => unknown = (value) => value) {
    this.#keyOf = keyOf;
  }

  /** Returns the values that were added after the last call, as a patch of the list; `undefined` for none. */
  take(): Patch | undefined {
    const places = this.values.slice(this.#taken).map((value, index) => [this.#taken + index, { value }] as const);
    this.#taken = this.values.length;
    return places.length === 0 ? undefined : { length: this.#taken, places };
  }

  /** Returns the index of a value; `undefined` if there is none with its key. */
  find(value: Value): number | undefined {
    return this.#places.get(this.#keyOf(value));
  }

  /** Returns the index of a value. Adds the value if there is none with its key. */
  place(value: Value): number {
    const key = this.#keyOf(value);
    const existingPlace = this.#places.get(key);
    if (existingPlace !== undefined) return existingPlace;
    this.#places.set(key, this.values.length);
    this.weight += typeof value === 'string' ? value.length : Array.isArray(value) ? 4 * value.length : 4;
    return this.values.push(value) - 1;
  }
}

/** Returns a list of lists without duplicates: each contains numbers, or such lists. */
export function internedLists<Value>(): Interned<Value> {
  return new Interned((value) => JSON.stringify(value));
}
