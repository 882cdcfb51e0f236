import type { KubernetesObject } from '@policy-machinery/resource';
import type { ObjectWrite } from './object-write.ts';

/**
 * The outcome of a write:
 *
 * - `written`: the API server has it.
 * - `conflict`: the object had changed. It is planned again.
 * - `outdated`: the object had changed, which was known before sending. It is planned again.
 * - `gone`: the object was deleted, or its namespace does not exist: its kind or its namespace. As long as the sources have it, or it is to be
 *   created, it is planned again, later and later.
 * - `refused`: the API server does not accept it. The same write is not sent again before a minute has passed, then later and later; another
 *   plan is sent at once.
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
  /** How often in a row the same content was written again, because another manager had changed it. Default: 0. */
  readonly restorations?: number;
  /** With the second of such restorations and later ones: the other manager. */
  readonly rival?: string;
}
