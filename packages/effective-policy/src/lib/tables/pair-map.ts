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
    const at = this.#placeOf(first, second);
    return this.#first[at] === free ? undefined : (this.#values[at] as Value);
  }

  /** Sets the value of a pair. Returns the value. */
  set(first: number, second: number, value: Value): Value {
    this.#put(first, second, value);
    if (this.#size * 2 > this.#first.length) this.#grow();
    return value;
  }

  #put(first: number, second: number, value: number): void {
    const at = this.#placeOf(first, second);
    if (this.#first[at] === free) this.#size += 1;
    this.#first[at] = first;
    this.#second[at] = second;
    this.#values[at] = value;
  }

  /** Returns the place of a pair, or the free place where it belongs. */
  #placeOf(first: number, second: number): number {
    const last = this.#first.length - 1;
    let at = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    at = (at ^ (at >>> 15)) & last;
    while (this.#first[at] !== free && (this.#first[at] !== first || this.#second[at] !== second)) at = (at + 1) & last;
    return at;
  }

  #grow(): void {
    const [first, second, values] = [this.#first, this.#second, this.#values];
    this.#first = new Int32Array(first.length * 2).fill(free);
    this.#second = new Int32Array(first.length * 2);
    this.#values = new Int32Array(first.length * 2);
    this.#size = 0;
    for (let at = 0; at < first.length; at += 1) {
      const one = first[at] ?? free;
      if (one !== free) this.#put(one, second[at] ?? 0, values[at] ?? 0);
    }
  }
}
