import type { ChangeRecord } from '../model/change-record.ts';

/** How many targets and policies changes that are kept may have touched, all in all, as a part of all targets. */
const mostKept = 0.25;
/** In small topologies they may have touched more. */
const alwaysKept = 1000;

/** The last changes, for views that follow a topology. */
export class ChangeLog {
  readonly #records: ChangeRecord[] = [];
  #size = 0;

  /** @param targets How many targets there are. Changes that together are no smaller than these are not worth keeping. */
  add(record: ChangeRecord, targets: number): void {
    this.#records.push(record);
    this.#size += sizeOf(record);
    while (this.#size > Math.max(alwaysKept, targets * mostKept)) {
      const oldest = this.#records.shift();
      this.#size -= oldest === undefined ? this.#size : sizeOf(oldest);
    }
  }

  /** The changes since a version, up to the present one; `undefined` where some of them are not kept. */
  since(version: number, present: number): readonly ChangeRecord[] | undefined {
    const [first] = this.#records;
    if (version === present) return [];
    if (first === undefined || first.version > version + 1) return undefined;
    return this.#records.slice(version + 1 - first.version);
  }
}

/** How many targets and policies a view of the topology has to look at because of a change. */
function sizeOf({ given, came, gone, changed, restated, entered, policies, reported }: ChangeRecord): number {
  const ofSets = [gone, changed, restated, entered, policies, reported].map(({ size }) => size);
  return 1 + Math.max(given.length, came.length + ofSets.reduce((sum, size) => sum + size, 0));
}
