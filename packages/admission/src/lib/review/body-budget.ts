/** A body that is held in memory, from its first byte until it is answered. */
export interface HeldBody {
  /** Whether the body has had to give way. */
  readonly isRefused: boolean;
  /** Adds bytes. Then the largest of the bodies that are still arriving gives way, if all together have become too many. */
  add(bytes: number): void;
  /** Says that the body has arrived: it gives way no more. */
  complete(): void;
  release(): void;
}

interface Entry {
  bytes: number;
  isArriving: boolean;
  isRefused: boolean;
  readonly onRefused: () => void;
}

/** A limit over all bodies at once. The largest gives way first, so that whoever sends the most cannot keep others from being answered. */
export class BodyBudget {
  readonly #max: number;
  readonly #entries = new Set<Entry>();
  #total = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Begins a body, which calls a function when it has to give way. */
  begin(onRefused: () => void): HeldBody {
    const entry: Entry = { bytes: 0, isArriving: true, isRefused: false, onRefused };
    this.#entries.add(entry);
    return {
      get isRefused() {
        return entry.isRefused;
      },
      add: (bytes) => {
        if (entry.isRefused) return;
        entry.bytes += bytes;
        this.#total += bytes;
        while (this.#total > this.#max && this.#refuseLargest());
      },
      complete: () => {
        entry.isArriving = false;
      },
      release: () => this.#forget(entry),
    };
  }

  #refuseLargest(): boolean {
    const [largest] = [...this.#entries].filter(({ isArriving }) => isArriving).sort((a, b) => b.bytes - a.bytes);
    if (largest === undefined) return false;
    largest.isRefused = true;
    this.#forget(largest);
    largest.onRefused();
    return true;
  }

  #forget(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#total -= entry.bytes;
  }
}
