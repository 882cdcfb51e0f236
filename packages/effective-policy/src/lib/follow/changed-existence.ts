import type { ChangeRecord, Topology } from '@policy-machinery/topology';
import { emptySet } from '../support/nothing.ts';
import type { ChangedExistence } from './effective-delta.ts';

/** The answer for changes that are too large to follow. */
export const unknownExistence: ChangedExistence = { came: emptySet, gone: emptySet };

/** Returns the targets and policies that changes have added and removed. O(result). */
export function changedExistence(topology: Topology, records: readonly ChangeRecord[]): ChangedExistence {
  const came = new Set<string>();
  const gone = new Set<string>();
  const note = (locator: string, wasThere: boolean): void => {
    if (!wasThere && !gone.has(locator)) came.add(locator); // A locator that was removed earlier existed before.
    if (wasThere) gone.add(locator);
  };
  for (const record of records) {
    for (const { locator } of record.gone) note(locator, true);
    for (const { locator } of record.came) note(locator, false);
    for (const [locator, { was, now }] of record.policies) {
      if (was === undefined || now === undefined) note(locator, was !== undefined);
    }
  }
  const isThere = (locator: string) => topology.get(locator) !== undefined || topology.policy(locator) !== undefined;
  return { came, gone: new Set([...gone].filter((locator) => !isThere(locator))) };
}
