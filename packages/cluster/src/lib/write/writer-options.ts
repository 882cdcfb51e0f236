import type { Clock } from '../time/clock.ts';
import type { Rate } from '../time/token-bucket.ts';
import type { ObjectWrite, WriteForm } from './object-write.ts';
import type { WriteSources } from './send-write.ts';
import type { WriteOutcome } from './write-outcome.ts';

/** Decides whether this process may write. A `Lease` of this package is one. */
export interface WriteGate {
  /** Returns whether this process may write. Called right before each request. */
  isHeld(): boolean;
  /** Calls a function each time that the answer changes. Returns a function that ends the calls. */
  onChange(listener: () => void): () => void;
}

/** The options that all planners of a writer share. */
export interface WriteBudget {
  /** The sources with the objects that were planned from. Answers are added to them: the result of `createSources`. */
  readonly sources: WriteSources;
  /** The name of this controller in managed fields. */
  readonly fieldManager: string;
  /** Whether this process may write. Default: always. */
  readonly gate?: WriteGate | undefined;
  /** The maximum rate of writes. Default: 20 in a second, and 40 at once after a pause. */
  readonly rate?: Rate | undefined;
  /** The maximum number of requests in flight. Writes to one kind take at most three quarters of those that other kinds leave. Default: 16. */
  readonly parallel?: number | undefined;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Returns numbers from 0 up to 1, for delays. Default: `Math.random`. */
  readonly random?: () => number;
}

/** The options of the writes of one planner. */
export interface WriteQueueOptions<W extends ObjectWrite> {
  /**
   * Plans the object of a write again, soon: the write has not been made, because the object has changed or another write came meanwhile.
   * Call `write` with the new write, if there is one.
   */
  planAgain(write: W): void;
  /** How writes are sent. Default: `json-patch`. */
  readonly form?: WriteForm | undefined;
  /** Called before the request of a write, with the time that it has waited in milliseconds. Default: nothing. */
  onStart?(write: W, waited: number): void;
  /** Called with the outcome of each write. Default: none. */
  onOutcome?(outcome: WriteOutcome<W>): void;
}

/** The options of a writer. */
export interface WriterOptions<W extends ObjectWrite> extends WriteBudget, WriteQueueOptions<W> {}
