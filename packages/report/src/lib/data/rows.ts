import { type Patch, patchOfRow } from './patch.ts';

/** The rows of a table, by their places. It remembers which have changed, so that a patch needs no comparison of whole tables. */
export class Rows<Row> {
  readonly values: Row[] = [];
  readonly #none: Row;
  /** The former content of rows that were set after the last patch; `undefined` for new ones. */
  readonly #before = new Map<number, Row | undefined>();
  #length = 0;

  /** @param none The row of places that are not set. */
  constructor(none: Row) {
    this.#none = none;
  }

  at(place: number): Row {
    return this.values[place] ?? this.#none;
  }

  /** Sets a row. Rows before it that are not set are none. */
  set(place: number, row: Row): void {
    this.reach(place + 1);
    if (!this.#before.has(place)) this.#before.set(place, place < this.#length ? this.values[place] : undefined);
    this.values[place] = row;
  }

  /** Makes the table as long as others: rows that are not set are none. */
  reach(length: number): void {
    while (this.values.length < length) this.values.push(this.#none);
  }

  /** Returns the changes after the last call; `undefined` for none. */
  take(): Patch | undefined {
    const [length, previousLength] = [this.values.length, this.#length];
    for (let place = previousLength; place < length; place += 1) this.#before.set(place, undefined);
    const places = [...this.#before]
      .sort(([a], [b]) => a - b)
      .flatMap(([place, row]) => {
        const currentRow = this.at(place);
        const change = place < previousLength ? patchOfRow(row, currentRow) : { value: currentRow };
        return change === undefined ? [] : [[place, change] as const];
      });
    this.#before.clear();
    this.#length = length;
    return places.length === 0 && length === previousLength ? undefined : { length, places };
  }
}

/** Returns the patch of an object, by the patches of its fields; `undefined` if none has changed. */
export function patchOfFields(fields: Readonly<Record<string, Patch | undefined>>): Patch | undefined {
  const changed = Object.entries(fields).flatMap(([name, patch]) =>
    patch === undefined ? [] : [[name, patch] as const],
  );
  return changed.length === 0 ? undefined : { fields: Object.fromEntries(changed) };
}
