import type { ChangeRecord } from '../model/change-record.ts';

/** The maximum number of targets and policies touched by all changes that are kept, as a part of all targets. */
const mostKept = 0.25;
/** The same number in small topologies. */
const alwaysKept = 1000;

/** The last changes, for views that follow a topology. */
export class ChangeLog {
  readonly #records: ChangeRecord[] = [];
  #size = 0;

  /** @param targets The number of targets. Changes that together touch as many are not worth keeping. */
  add(record: ChangeRecord, targets: number): void {
    this.#records.push(record);
    this.#size += sizeOf(record);
    while (this.#size > Math.max(alwaysKept, targets * mostKept)) {
      const oldest = this.#records.shift();
      this.#size -= oldest === undefined ? this.#size : sizeOf(oldest);
    }
  }

  /** Returns the changes since a version; `undefined` if some of them were not kept. */
  since(version: number, present: number): readonly ChangeRecord[] | undefined {
    const [first] = this.#records;
    if (version === present) return [];
    if (first === undefined || first.version > version + 1) return undefined;
    return this.#records.slice(version + 1 - first.version);
  }
}

/** Returns the number of targets and policies that a view has to look at because of a change. */
function sizeOf({ given, came, gone, changed, restated, entered, policies, reported }: ChangeRecord): number {
  const ofSets = [gone, changed, restated, entered, policies, reported].map(({ size }) => size);
  return 1 + Math.max(given.length, came.length + ofSets.reduce((sum, size) => sum + size, 0));
}
