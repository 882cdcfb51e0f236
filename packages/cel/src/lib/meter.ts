import { type CelValue, isCelList, isCelMap } from '@bufbuild/cel';

/** Characters, items or values that are handled in bulk for the price of one step. */
const bulk = 16;

/**
 * Counts the steps of one evaluation, and ends the evaluation when they are used up.
 *
 * Once they are, every further charge fails too: CEL may drop an error (`error || true`), so the evaluating code must check
 * `isExhausted` for any result.
 */
export class Meter {
  #left = 0;

  constructor(readonly limit: number) {}

  get isExhausted(): boolean {
    return this.#left < 0;
  }

  reset(): void {
    this.#left = this.limit;
  }

  /** Consumes steps. Throws if there are not enough. */
  charge(steps: number): void {
    this.#left = this.#left < 0 ? -1 : this.#left - steps;
    if (this.#left < 0) throw new Error(`takes more than ${this.limit} steps`);
  }

  /** Charges for processing characters or items in bulk. */
  chargeBulk(size: number): void {
    this.charge(1 + size / bulk);
  }

  /** Charges for one value of the spec. The condition may never read most of them. */
  chargeValue(): void {
    this.charge(1 / bulk);
  }

  /** Charges for a value and all its contents, counting repeated contents each time. Stops as soon as the steps are used up. */
  chargeDeep(value: CelValue): void {
    this.chargeBulk(isText(value) ? value.length : 0);
    if (isCelList(value)) for (const item of value) this.chargeDeep(item);
    if (isCelMap(value)) {
      for (const [key, field] of value) {
        this.chargeDeep(key);
        this.chargeDeep(field);
      }
    }
  }
}

/** Returns whether a value is a string or bytes. */
export function isText(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array;
}
