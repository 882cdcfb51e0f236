import type { KubernetesObject } from '@policy-machinery/resource';
import type { ObjectWrite } from './object-write.ts';

/**
 * The outcome of a write:
 *
 * - `written`: the API server has it.
 * - `conflict`: the object had changed. It is planned again.
 * - `outdated`: the object had changed, which was known before sending. It is planned again.
 * - `gone`: the object was deleted.
 * - `refused`: the API server will never accept it. It is not sent again until the plan is another.
 * - `retried`: it failed for now, and is sent again.
 */
export type WriteResult = 'written' | 'conflict' | 'outdated' | 'gone' | 'refused' | 'retried';

/** The outcome of a write to one object. */
export interface WriteOutcome<W extends ObjectWrite = ObjectWrite> {
  readonly write: W;
  readonly result: WriteResult;
  /** The object after the write, as the API server has answered. */
  readonly object?: KubernetesObject;
  /** From the plan to the last answer, in milliseconds. */
  readonly took: number;
  /** The HTTP status code of a failed write. */
  readonly code?: number;
  /** The message of the API server if the write failed, or the reason why there was no answer. */
  readonly message?: string;
  /** The delay until the next attempt, in milliseconds. */
  readonly retryIn?: number;
  /** After a conflict: the other client that has written to that part of the object last. */
  readonly rival?: string;
  /** After a conflict: how many there were with this object within the last minute. */
  readonly conflictsInMinute?: number;
}
