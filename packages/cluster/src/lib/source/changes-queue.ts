import type { KubernetesObject } from '@policy-machinery/resource';
import type { SourceState } from './source-state.ts';

/** The changes of all sources after the last call. You can pass them to `topology.apply`. */
export interface SourceChanges {
  /** Objects that are new or different. */
  readonly upsert: readonly KubernetesObject[];
  /** The locators of deleted objects. */
  readonly remove: readonly string[];
  /** The sources with another state, by `groupKindKey` of their kind. */
  readonly states: ReadonlyMap<string, SourceState>;
}

/**
 * Collects changes until they are taken. An object that changes several times is passed on once, so that the queue never
 * holds more than the objects of the cluster.
 */
export class ChangesQueue implements AsyncIterableIterator<SourceChanges> {
  readonly #read: (locator: string) => KubernetesObject | undefined;
  /** Locators that have changed, with whether the object was there when it was taken last. */
  #changed = new Map<string, boolean>();
  #states = new Map<string, SourceState>();
  #waiting: (() => void)[] = [];
  #isClosed = false;

  /** @param read Returns the present object of a locator. */
  constructor(read: (locator: string) => KubernetesObject | undefined) {
    this.#read = read;
  }

  addChange(locator: string, was: KubernetesObject | undefined): void {
    if (!this.#changed.has(locator)) this.#changed.set(locator, was !== undefined);
    this.#wake();
  }

  addState(key: string, state: SourceState): void {
    this.#states.set(key, state);
    this.#wake();
  }

  /** Ends the iteration, also for callers that wait. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<SourceChanges>> {
    for (;;) {
      if (this.#isClosed) return { done: true, value: undefined };
      if (this.#changed.size > 0 || this.#states.size > 0) return { done: false, value: this.#take() };
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #take(): SourceChanges {
    const upsert: KubernetesObject[] = [];
    const remove: string[] = [];
    for (const [locator, wasThere] of this.#changed) {
      const object = this.#read(locator);
      if (object !== undefined) upsert.push(object);
      else if (wasThere) remove.push(locator);
    }
    const states = this.#states;
    this.#changed = new Map();
    this.#states = new Map();
    return { upsert, remove, states };
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
