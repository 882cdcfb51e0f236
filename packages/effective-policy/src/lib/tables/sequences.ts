/**
 * Interned sequences of numbers. Each is a number, and 0 is the empty one. For sequences that differ anywhere: they share nothing. All are in one
 * array, because an array for each would take more than its items.
 */
export class Sequences<Id extends number, Item extends number> {
  readonly empty = 0 as Id;
  #pool = new Int32Array(1024);
  /** The place in the pool where each begins, and where the next one will. */
  readonly #starts: number[] = [0, 0];
  /** The sequence that was added last for each hash, and the one before it. */
  #newest = new Int32Array(1024);
  readonly #earlier: Id[] = [this.empty];

  get size(): number {
    return this.#earlier.length;
  }

  lengthOf(id: Id): number {
    return this.#end(id) - this.#start(id);
  }

  items(id: Id): readonly Item[] {
    const items: Item[] = [];
    for (let index = this.#start(id); index < this.#end(id); index += 1) items.push(this.#pool[index] as Item);
    return items;
  }

  of(items: ArrayLike<Item>): Id {
    if (items.length === 0) return this.empty;
    const hash = hashOf(items);
    for (let id = this.#newestOf(hash); id !== this.empty; id = this.#earlier[id] ?? this.empty)
      if (this.#isSame(id, items)) return id;
    return this.#add(items, hash);
  }

  #start(id: number): number {
    return this.#starts[id] ?? 0;
  }

  #end(id: number): number {
    return this.#starts[id + 1] ?? 0;
  }

  #newestOf(hash: number): Id {
    return this.#newest[hash & (this.#newest.length - 1)] as Id;
  }

  #isSame(id: Id, items: ArrayLike<Item>): boolean {
    if (this.lengthOf(id) !== items.length) return false;
    const start = this.#start(id);
    for (let index = 0; index < items.length; index += 1) if (this.#pool[start + index] !== items[index]) return false;
    return true;
  }

  #add(items: ArrayLike<Item>, hash: number): Id {
    const id = this.size as Id;
    const start = this.#start(id);
    const end = start + items.length;
    if (end > this.#pool.length) {
      const pool = new Int32Array(end * 2);
      pool.set(this.#pool);
      this.#pool = pool;
    }
    this.#pool.set(items, start);
    this.#starts.push(end);
    if (id > this.#newest.length) this.#grow();
    this.#chain(id, hash);
    return id;
  }

  #chain(id: number, hash: number): void {
    this.#earlier[id] = this.#newestOf(hash);
    this.#newest[hash & (this.#newest.length - 1)] = id;
  }

  #grow(): void {
    this.#newest = new Int32Array(this.#newest.length * 4);
    for (let id = 1; id < this.size; id += 1) this.#chain(id, hashOf(this.items(id as Id)));
  }
}

function hashOf(items: ArrayLike<number>): number {
  let hash = items.length;
  for (let index = 0; index < items.length; index += 1)
    hash = Math.imul(hash ^ (items[index] ?? 0), 0x01000193) ^ (hash >>> 13);
  return hash ^ (hash >>> 16);
}
