import { messageOf } from '@policy-machinery/resource';
import { StatusError } from '../transport/status-error.ts';
import type { ObjectWrite } from './object-write.ts';
import type { Sent } from './send-write.ts';
import type { WriteOutcome, WriteResult } from './write-outcome.ts';

/** What is known about the end of a write. */
export interface OutcomeDetails extends Pick<Sent, 'error' | 'object' | 'rival'> {
  readonly retryIn?: number;
  readonly conflictsInMinute?: number;
}

/** Returns what a request has come to, for those who ask what becomes of writes. */
export function resultOf({ result }: Pick<Sent, 'result'>): WriteResult {
  return result === 'written' || result === 'gone' || result === 'refused' || result === 'conflict'
    ? result
    : 'retried';
}

/** Returns what became of a write that took so many milliseconds. */
export function outcomeOf<W extends ObjectWrite>(
  write: W,
  result: WriteResult,
  took: number,
  { error, object, rival, retryIn, conflictsInMinute }: OutcomeDetails,
): WriteOutcome<W> {
  return {
    write,
    result,
    took,
    ...(object === undefined ? {} : { object }),
    ...(error instanceof StatusError ? { code: error.code } : {}),
    ...(error === undefined ? {} : { message: messageOf(error) }),
    ...(retryIn === undefined ? {} : { retryIn }),
    ...(rival === undefined ? {} : { rival }),
    ...(conflictsInMinute === undefined ? {} : { conflictsInMinute }),
  };
}
