import type { ChangeRecord, Topology } from '@policy-machinery/topology';
import { none } from '../support/nothing.ts';
import type { ChangeEffects } from './effective-delta.ts';

/** Returns the targets and policies that changes have added and removed; none for changes that are too large to follow. O(result). */
export function changedExistence(
  topology: Topology,
  records: readonly ChangeRecord[] = none,
): Pick<ChangeEffects, 'came' | 'gone'> {
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
