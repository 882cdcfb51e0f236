import { messageOf } from '@policy-machinery/resource';
import { StatusError } from '../transport/status-error.ts';
import type { ObjectWrite } from './object-write.ts';
import type { Sent } from './send-write.ts';
import type { WriteOutcome, WriteResult } from './write-outcome.ts';

export interface OutcomeDetails
  extends Pick<Sent, 'error' | 'object'>,
    Pick<WriteOutcome, 'retryIn' | 'rival' | 'restorations'> {}

/** Returns the result of a write in the terms of {@link WriteOutcome}. */
export function resultOf({ result }: Pick<Sent, 'result'>): WriteResult {
  return result === 'written' || result === 'gone' || result === 'refused' || result === 'conflict'
    ? result
    : 'retried';
}

/** Returns the outcome of a write that took a number of milliseconds. */
export function outcomeOf<W extends ObjectWrite>(
  write: W,
  result: WriteResult,
  took: number,
  { error, object, rival, retryIn, restorations = 0 }: OutcomeDetails,
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
    ...(restorations === 0 ? {} : { restorations }),
  };
}
