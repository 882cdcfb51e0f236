import type { Report } from '../data/report.ts';
import type { ContextRow, NodeId } from '../data/report-data.ts';

/** The policies that apply at a target on one or more ways. */
export interface Card {
  readonly view: number;
  /** The group; -1 if no policy of the kind applies there. */
  readonly group: number;
  /** The targets on each listed way, without the target itself; none for targets that nothing leads to. */
  readonly ways: readonly (readonly NodeId[])[];
  /** How many ways there are beyond those that are listed. */
  readonly more: bigint;
}

/** Returns the cards of a target: one for all contexts where the same applies. */
export function cardsFor(report: Report, view: number, contexts: readonly ContextRow[]): readonly Card[] {
  const byGroup = new Map<number, ContextRow[]>();
  for (const context of contexts) {
    const [group] = context;
    const groupRows = byGroup.get(group);
    if (groupRows === undefined) byGroup.set(group, [context]);
    else groupRows.push(context);
  }
  return Array.from(byGroup, ([group, rows]): Card => {
    const ways = rows.flatMap(([, , ...listed]) => listed.map((way) => report.wayOf(way)));
    const pathCount = rows.reduce((sum, [, paths]) => sum + BigInt(paths), 0n);
    const more = pathCount - BigInt(Math.max(ways.length, 1));
    return { view, group, ways, more: more > 0n ? more : 0n };
  });
}
