import type { WriteOutcome } from '@policy-machinery/cluster';
import { groupKindKey } from '@policy-machinery/resource';
import type { Instruments } from './instruments.ts';

/**
 * Returns a function that records the outcomes and durations of writes.
 *
 * @param instruments Where to record.
 * @returns The function, for `onOutcome` of `createWriter`.
 */
export function countWrites({
  statusWrites,
  statusWriteDuration,
}: Pick<Instruments, 'statusWrites' | 'statusWriteDuration'>): (
  outcome: Pick<WriteOutcome, 'write' | 'result' | 'took'>,
) => void {
  return ({ write, result, took }) => {
    statusWrites.add({ kind: groupKindKey(write.ref), result });
    if (result === 'written') statusWriteDuration.record({}, took / 1000);
  };
}
