import { FairQueue, type WritePriority } from './fair-queue.ts';
import type { ObjectWrite } from './object-write.ts';
import type { AttemptedWrite } from './waits.ts';
import type { WriteQueueOptions } from './writer-options.ts';

/** The options of a planner's writes, with a number that their parts begin with. */
export interface Planner extends WriteQueueOptions<ObjectWrite> {
  readonly number: number;
}

/** A write that waits or is in flight. */
export interface PendingWrite extends AttemptedWrite {
  readonly planner: Planner;
  readonly locator: string;
  readonly write: ObjectWrite;
  readonly priority: WritePriority;
  /** When the write came, by the monotonic clock. */
  readonly queuedAt: number;
}

/** Returns the key of the part of an object that a planner writes to. */
export function partOf(
  { number }: Planner,
  { locator, subresource }: Pick<ObjectWrite, 'locator' | 'subresource'>,
): string {
  return `${number}/${locator}#${subresource ?? ''}`;
}

/** The writes that wait, at most one for each part of an object. Some of them are ready to be sent. */
export class PendingWrites {
  readonly #byPart = new Map<string, PendingWrite>();
  readonly #ready = new FairQueue<PendingWrite>();

  get size(): number {
    return this.#byPart.size;
  }

  /** The writes, ready or not. */
  get all(): readonly PendingWrite[] {
    return [...this.#byPart.values()];
  }

  get(part: string): PendingWrite | undefined {
    return this.#byPart.get(part);
  }

  /** Adds a write in place of one for the same part. */
  add(pending: PendingWrite, isReady: boolean): void {
    const replaced = this.#byPart.get(pending.part);
    if (replaced !== undefined) this.#ready.delete(replaced);
    this.#byPart.set(pending.part, pending);
    if (isReady) this.#ready.add(pending);
  }

  /** Removes a write, unless another one has taken its place. */
  delete(pending: PendingWrite): void {
    if (this.#byPart.get(pending.part) !== pending) return;
    this.#byPart.delete(pending.part);
    this.#ready.delete(pending);
  }

  /** Takes the next ready write, of a kind and to an object that may receive one; `undefined` for none. */
  take(isOpen: (kind: string) => boolean, isFree: (locator: string) => boolean): PendingWrite | undefined {
    const pending = this.#ready.take(isOpen, ({ locator }) => isFree(locator));
    if (pending !== undefined) this.#byPart.delete(pending.part);
    return pending;
  }

  /** Returns how many writes match. O(size). */
  count(matches: (pending: PendingWrite) => boolean): number {
    let count = 0;
    for (const pending of this.#byPart.values()) if (matches(pending)) count += 1;
    return count;
  }
}
