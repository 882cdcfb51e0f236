/**
 * The objects that each policy's verdict has read, so that a change leads to the verdicts that depend on it. Keys are locators of objects, and for
 * lists the key of a kind, with a namespace.
 */
export class ReadLog {
  readonly #readers = new Map<string, Set<string>>();
  readonly #reads = new Map<string, Set<string>>();

  /** Records that a reader has read something. */
  add(reader: string, key: string): void {
    addTo(this.#readers, key, reader);
    addTo(this.#reads, reader, key);
  }

  /** Returns the readers of some keys. They are forgotten, because they will read again. */
  take(keys: readonly string[]): readonly string[] {
    const readers = new Set(keys.flatMap((key) => [...(this.#readers.get(key) ?? [])]));
    for (const reader of readers) this.forget(reader);
    return [...readers];
  }

  forget(reader: string): void {
    for (const key of this.#reads.get(reader) ?? []) {
      const readers = this.#readers.get(key);
      readers?.delete(reader);
      if (readers?.size === 0) this.#readers.delete(key);
    }
    this.#reads.delete(reader);
  }
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, new Set([value]));
  else values.add(value);
}
