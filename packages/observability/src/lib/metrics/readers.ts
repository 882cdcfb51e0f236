import type { Gauge, Reading } from './instrument.ts';

/** The functions that a gauge reads when metrics are collected. */
export class Readers implements Gauge {
  // Each with its own object: the same function may be given twice.
  readonly #readers = new Set<{ readonly read: () => Iterable<Reading> }>();

  observe(read: () => Iterable<Reading>): () => void {
    const reader = { read };
    this.#readers.add(reader);
    return () => {
      this.#readers.delete(reader);
    };
  }

  /** Returns the values of all functions. For the same labels, the last one counts. */
  *read(): Iterable<Reading> {
    for (const { read } of this.#readers) yield* read();
  }
}
