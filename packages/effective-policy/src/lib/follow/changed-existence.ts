import type { ChangeRecord, Topology } from '@policy-machinery/topology';
import type { ChangedExistence } from './effective-delta.ts';

const none: ReadonlySet<string> = new Set();

/** What has come and gone where nobody can say. */
export const unknownExistence: ChangedExistence = { came: none, gone: none };

/** Returns which targets and policies have come and gone with some changes. O(what has). */
export function changedExistence(topology: Topology, records: readonly ChangeRecord[]): ChangedExistence {
  const came = new Set<string>();
  const gone = new Set<string>();
  const note = (locator: string, wasThere: boolean): void => {
    if (!wasThere && !gone.has(locator)) came.add(locator); // What has gone before was there.
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
