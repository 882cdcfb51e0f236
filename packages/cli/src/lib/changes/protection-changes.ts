import { groupedBy } from '@policy-machinery/resource/inner';
import type { Colors } from '@policy-machinery/text';
import { assessedSides, type CoverageChange, changesTable, coverageChanges } from '../covering/changes.ts';
import { protections } from '../covering/replaced.ts';
import type { Section } from '../model/answer.ts';
import { firstOf } from '../model/first-of.ts';
import type { Comparison } from './compare.ts';
import { firstRows } from './one-screen.ts';

/** How many reasons are shown one by one; the others are summed up. */
const maxRows = 6;

/** Returns the requests that a change uncovers: requests that lose a protection or may lose it, and new requests without a required protection. */
export function protectionChanges(comparison: Comparison): readonly CoverageChange[] {
  return coverageChanges(...assessedSides(comparison, { required: [], accepted: [] }), protections).filter(
    ({ change, before: was }) => change === 'uncovered' || (change === 'unknown' && was === 'covered'),
  );
}

/** Returns the number of routes with requests that a change uncovers. */
export function uncoveredRoutes(changes: readonly CoverageChange[]): number {
  return new Set(changes.flatMap(({ change, route }) => (change === 'uncovered' ? [route] : []))).size;
}

/** Returns the requests that a change uncovers, for people; no section if there are none. */
export function protectionSections(changes: readonly CoverageChange[], colors: Colors): readonly Section[] {
  if (changes.length === 0) return [];
  const blockOf = (shown: readonly CoverageChange[]) => ({ table: changesTable(shown, colors), indent: 2 });
  return [{ heading: 'Protection', blocks: firstRows(folded(changes), maxRows, ({ ref }) => ref, blockOf) }];
}

/** Returns the changes with routes together that are uncovered for the same reason. */
function folded(changes: readonly CoverageChange[]): readonly CoverageChange[] {
  const byReason = groupedBy(changes, ({ concern, before, after, reason, remedy }) =>
    JSON.stringify([concern, before, after, reason, remedy]),
  );
  return [...byReason.values()].map((same) => {
    const requests = same.flatMap((change) => change.requests);
    return { ...same[0], route: firstOf(same.map(({ route }) => route)), requests };
  });
}
