/*
 * tables/ holds interned values: equal values are one number, so that "nothing has changed" is one comparison, and the result of a function of such
 * values is kept in a map of numbers.
 */

const free = -1;

/**
 * A map from pairs of numbers, neither of them negative, to numbers. Open addressing in typed arrays: a `Map` would need one object for each pair.
 */
export class PairMap<Value extends number> {
  #first = new Int32Array(16).fill(free);
  #second = new Int32Array(16);
  #values = new Int32Array(16);
  #size = 0;

  get(first: number, second: number): Value | undefined {
    const place = this.#placeOf(first, second);
    return this.#first[place] === free ? undefined : (this.#values[place] as Value);
  }

  set(first: number, second: number, value: Value): Value {
    this.#put(first, second, value);
    if (this.#size * 2 > this.#first.length) this.#grow();
    return value;
  }

  #put(first: number, second: number, value: number): void {
    const place = this.#placeOf(first, second);
    if (this.#first[place] === free) this.#size += 1;
    this.#first[place] = first;
    this.#second[place] = second;
    this.#values[place] = value;
  }

  /** Returns the place of a pair, or the free place where it belongs. */
  #placeOf(first: number, second: number): number {
    const last = this.#first.length - 1;
    let place = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    place = (place ^ (place >>> 15)) & last;
    while (this.#first[place] !== free && (this.#first[place] !== first || this.#second[place] !== second))
      place = (place + 1) & last;
    return place;
  }

  #grow(): void {
    const [first, second, values] = [this.#first, this.#second, this.#values];
    this.#first = new Int32Array(first.length * 2).fill(free);
    this.#second = new Int32Array(first.length * 2);
    this.#values = new Int32Array(first.length * 2);
    this.#size = 0;
    for (let place = 0; place < first.length; place += 1) {
      const key = first[place] ?? free;
      if (key !== free) this.#put(key, second[place] ?? 0, values[place] ?? 0);
    }
  }
}
