/** A list in which each value is once. */
export class Interned<Value> {
  readonly values: Value[] = [];
  readonly #places = new Map<unknown, number>();
  readonly #keyOf: (value: Value) => unknown;

  /** @param keyOf What makes two values the same. Default: themselves. */
  constructor(keyOf: (value: Value) => unknown = (value) => value) {
    this.#keyOf = keyOf;
  }

  /** Returns the place of a value, which is added if there is none like it. */
  place(value: Value): number {
    const key = this.#keyOf(value);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}

/** Returns a list in which lists of numbers, or of such lists, are once. */
export function internedLists<Value>(): Interned<Value> {
  return new Interned((value) => JSON.stringify(value));
}
