import type { ChangeInProgress } from './change-in-progress.ts';

/** How many targets and policies changes that are kept may have touched, all in all, as a part of all targets. */
const mostKept = 0.25;
/** In small topologies they may have touched more. */
const alwaysKept = 1000;

/** The last changes, for views that follow a topology. */
export class ChangeLog {
  readonly #records: ChangeInProgress[] = [];
  #size = 0;

  /** @param targets How many targets there are. Changes that together are no smaller than these are not worth keeping. */
  add(record: ChangeInProgress, targets: number): void {
    this.#records.push(record);
    this.#size += record.size;
    while (this.#size > Math.max(alwaysKept, targets * mostKept))
      this.#size -= this.#records.shift()?.size ?? this.#size;
  }

  /** The changes since a version, up to the present one; `undefined` where some of them are not kept. */
  since(version: number, present: number): readonly ChangeInProgress[] | undefined {
    const [first] = this.#records;
    if (version === present) return [];
    if (first === undefined || first.version > version + 1) return undefined;
    return this.#records.slice(version + 1 - first.version);
  }
}
