import type { SourceObserver } from '@policy-machinery/cluster';
import { groupKindKey } from '@policy-machinery/resource';
import { errorCode } from './error-code.ts';
import type { Instruments } from './instruments.ts';

/**
 * Returns an observer that counts the incidents of sources: events, relists, failures and malformed objects.
 *
 * @param instruments Where to count.
 * @returns The observer, for `createSources`.
 */
export function countSources(
  instruments: Pick<Instruments, 'watchEvents' | 'relists' | 'sourceFailures' | 'malformedObjects'>,
): SourceObserver {
  const { watchEvents, relists, sourceFailures, malformedObjects } = instruments;
  return {
    onWatchEvent: (kind, type) => watchEvents.add({ kind: groupKindKey(kind), type }),
    onRelist: (kind, reason) => relists.add({ kind: groupKindKey(kind), reason }),
    onFailure: (kind, error) => sourceFailures.add({ kind: groupKindKey(kind), code: errorCode(error) }),
    onMalformed: (kind) => malformedObjects.add({ kind: groupKindKey(kind) }),
  };
}
