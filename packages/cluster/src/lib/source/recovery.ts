import type { Fault } from './fault.ts';
import type { RelistReason } from './kind-handlers.ts';

/** What a source was doing when it failed. */
export type Activity = 'locating' | 'watch-listing' | 'listing' | 'watching';

/** What to do after a failure. */
export interface Recovery {
  /** Where to go on: at the same step, by reading all objects, or by looking up how the kind is served. */
  readonly next: 'retry' | 'relist' | 'locate';
  /** Why all objects must be read after that. */
  readonly reason?: RelistReason;
  /** Whether only the newest state will do. */
  readonly newest?: boolean;
  /** `once`: not after the first failure of that kind; `long`: up to a minute, for what people must mend. */
  readonly wait: 'once' | 'always' | 'long';
}

const retry: Recovery = { next: 'retry', wait: 'always' };
// A definition may have been deleted and created again, with other objects.
const locate: Recovery = { next: 'locate', reason: 'served-again', newest: true, wait: 'always' };
const readNewest: Recovery = { next: 'relist', reason: 'too-large', newest: true, wait: 'once' };

/** What to do after each kind of failure of a request for all objects. */
const whileListing: Readonly<Record<Fault, Recovery>> = {
  expired: { ...readNewest, reason: 'expired' },
  'too-large': readNewest,
  'not-found': locate,
  forbidden: { next: 'retry', wait: 'long' },
  throttled: retry,
  unsupported: retry,
  failed: retry,
};

/** What to do after each kind of failure of a watch. */
const whileWatching: Readonly<Record<Fault, Recovery>> = {
  expired: { next: 'relist', reason: 'expired', wait: 'once' },
  'too-large': retry,
  'not-found': locate,
  forbidden: { next: 'retry', wait: 'long' },
  throttled: retry,
  unsupported: { next: 'relist', reason: 'failed', newest: true, wait: 'always' },
  failed: retry,
};

/**
 * Returns what to do after a failure. Nothing is removed in any case.
 *
 * @param activity What failed.
 * @param fault How it failed.
 * @param isStuck Whether a watch could not be read after the same resource version before: then only a list leads on.
 * @returns What to do.
 */
export function recoveryOf(activity: Activity, fault: Fault, isStuck: boolean): Recovery {
  if (activity === 'watching') {
    const recovery = whileWatching[fault];
    if (!isStuck || recovery.next !== 'retry') return recovery;
    if (fault === 'too-large') return { ...readNewest, wait: 'always' };
    return fault === 'failed' ? { next: 'relist', reason: 'failed', wait: 'always' } : recovery;
  }
  return activity === 'locating' && fault !== 'forbidden' ? retry : whileListing[fault];
}
