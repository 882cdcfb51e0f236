import type { SourceFault } from './fault.ts';
import type { RelistReason } from './kind-handlers.ts';

/** The activity of a source when it failed. */
export type Activity = 'locating' | 'watch-listing' | 'listing' | 'watching';

export interface Recovery {
  /** The next step: the same again, reading all objects, or looking up how the kind is served. */
  readonly next: 'retry' | 'relist' | 'locate';
  /** Why all objects must be read after that. */
  readonly reason?: RelistReason;
  /** Whether only the newest state will do. */
  readonly newest?: boolean;
  /** When to wait: not after the first failure of that kind (`once`), after each (`always`), or for up to a minute, if people must act (`long`). */
  readonly wait: 'once' | 'always' | 'long';
}

const retry: Recovery = { next: 'retry', wait: 'always' };
// A definition may have been deleted and created again, with other objects.
const locate: Recovery = { next: 'locate', reason: 'served-again', newest: true, wait: 'always' };
const readNewest: Recovery = { next: 'relist', reason: 'too-large', newest: true, wait: 'once' };

/** The recovery from each fault of a request for all objects. */
const whileListing: Readonly<Record<SourceFault, Recovery>> = {
  expired: { ...readNewest, reason: 'expired' },
  'too-large': readNewest,
  'not-found': locate,
  forbidden: { next: 'retry', wait: 'long' },
  throttled: retry,
  unsupported: retry,
  failed: retry,
};

/** The recovery from each fault of a watch. */
const whileWatching: Readonly<Record<SourceFault, Recovery>> = {
  expired: { next: 'relist', reason: 'expired', wait: 'once' },
  'too-large': retry,
  'not-found': locate,
  forbidden: { next: 'retry', wait: 'long' },
  throttled: retry,
  unsupported: { next: 'relist', reason: 'failed', newest: true, wait: 'always' },
  failed: retry,
};

/**
 * Returns the recovery from a failure. No recovery removes an object.
 *
 * @param activity The activity that failed.
 * @param fault How it failed.
 * @param isStuck Whether a watch could not be read after the same resource version before: then only a list leads on.
 * @returns The recovery.
 */
export function recoveryOf(activity: Activity, fault: SourceFault, isStuck: boolean): Recovery {
  if (activity === 'watching') {
    const recovery = whileWatching[fault];
    if (!isStuck || recovery.next !== 'retry') return recovery;
    if (fault === 'too-large') return { ...readNewest, wait: 'always' };
    return fault === 'failed' ? { next: 'relist', reason: 'failed', wait: 'always' } : recovery;
  }
  return activity === 'locating' && fault !== 'forbidden' ? retry : whileListing[fault];
}
