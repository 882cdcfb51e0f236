import { groupKindKey } from '@policy-machinery/resource';
import type { Clock } from '../time/clock.ts';
import type { ObjectWrite } from './object-write.ts';

/** How soon a write is sent: 0 before all others, 3 after them. */
export type WritePriority = 0 | 1 | 2 | 3;

/** The writes that wait for one object, at most one for each subresource. */
export interface QueuedObject<W extends ObjectWrite = ObjectWrite> {
  readonly locator: string;
  readonly writes: Map<W['subresource'], W>;
  priority: WritePriority;
  /** When the first of the writes came, by the monotonic clock. */
  readonly queuedAt: number;
}

/**
 * Writes that wait, by object: in the order of their priority, then in the order in which they came. Objects and whole kinds can be
 * held back for some time.
 */
export class WriteQueue<W extends ObjectWrite> {
  readonly #clock: Clock;
  readonly #onReady: () => void;
  readonly #objects = new Map<string, QueuedObject<W>>();
  readonly #ready: readonly Set<string>[] = [new Set(), new Set(), new Set(), new Set()];
  /** The objects and kinds that are held back, by locator or key, with functions that end the hold. */
  readonly #held = new Map<string, () => void>();
  readonly #waitingForKind = new Map<string, Set<string>>();

  /**
   * @param clock The clock.
   * @param onReady Called when a hold has ended.
   */
  constructor(clock: Clock, onReady: () => void) {
    this.#clock = clock;
    this.#onReady = onReady;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Returns how many objects of a priority wait. O(size). */
  sizeAt(priority: WritePriority): number {
    let count = 0;
    for (const queued of this.#objects.values()) if (queued.priority === priority) count += 1;
    return count;
  }

  /** Adds a write. It takes the place of one for the same part of the object; the priority can only rise. */
  add(write: W, priority: WritePriority): void {
    const { locator } = write;
    const known = this.#objects.get(locator);
    const queued: QueuedObject<W> = known ?? {
      locator,
      writes: new Map(),
      priority,
      queuedAt: this.#clock.monotonic(),
    };
    queued.writes.set(write.subresource, write);
    if (known === undefined) this.#objects.set(locator, queued);
    else if (priority < known.priority) {
      this.#ready[known.priority]?.delete(locator);
      known.priority = priority;
    }
    if (!this.#held.has(locator)) this.#ready[queued.priority]?.add(locator);
  }

  /** Takes the next object that nothing holds back; `undefined` if there is none. */
  take(): QueuedObject<W> | undefined {
    for (const ready of this.#ready) {
      for (const locator of ready) {
        ready.delete(locator);
        const queued = this.#objects.get(locator);
        if (queued === undefined) continue;
        const kind = kindKeyOf(queued);
        if (kind !== undefined && this.#held.has(kind)) {
          this.#waitAmong(kind).add(locator);
          continue;
        }
        this.#objects.delete(locator);
        return queued;
      }
    }
    return undefined;
  }

  /** Removes the writes of an object. */
  remove(locator: string): QueuedObject<W> | undefined {
    const queued = this.#objects.get(locator);
    this.#objects.delete(locator);
    if (queued !== undefined) this.#ready[queued.priority]?.delete(locator);
    return queued;
  }

  /** Removes all writes and ends all holds. Returns the objects. */
  clear(): readonly QueuedObject<W>[] {
    const all = [...this.#objects.values()];
    this.#objects.clear();
    for (const ready of this.#ready) ready.clear();
    for (const cancel of this.#held.values()) cancel();
    this.#held.clear();
    this.#waitingForKind.clear();
    return all;
  }

  /**
   * Holds an object back.
   *
   * @param locator The object.
   * @param ms How long, in milliseconds.
   * @param onEnd Called at the end, if no write is queued by then.
   */
  holdObject(locator: string, ms: number, onEnd: () => void): void {
    this.#hold(locator, ms, () => {
      const queued = this.#objects.get(locator);
      if (queued === undefined) onEnd();
      else this.#ready[queued.priority]?.add(locator);
    });
    const queued = this.#objects.get(locator);
    if (queued !== undefined) this.#ready[queued.priority]?.delete(locator);
  }

  /** Holds all objects of a kind back, for some milliseconds. */
  holdKind(kind: string, ms: number): void {
    this.#hold(kind, ms, () => {
      for (const locator of this.#waitAmong(kind)) {
        const queued = this.#objects.get(locator);
        if (queued !== undefined && !this.#held.has(locator)) this.#ready[queued.priority]?.add(locator);
      }
      this.#waitingForKind.delete(kind);
    });
  }

  #hold(key: string, ms: number, end: () => void): void {
    this.#held.get(key)?.();
    const cancel = this.#clock.setTimeout(() => {
      this.#held.delete(key);
      end();
      this.#onReady();
    }, ms);
    this.#held.set(key, cancel);
  }

  #waitAmong(kind: string): Set<string> {
    const waiting = this.#waitingForKind.get(kind) ?? new Set();
    this.#waitingForKind.set(kind, waiting);
    return waiting;
  }
}

function kindKeyOf({ writes }: QueuedObject): string | undefined {
  const [first] = writes.values();
  return first === undefined ? undefined : groupKindKey(first.ref);
}
