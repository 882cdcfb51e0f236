import type { CellState } from '@policy-machinery/guarantees/coverage';
import { type ConcernName, concernNames } from '@policy-machinery/policy-kind';
import { locatorOf, type ResourceRef } from '@policy-machinery/resource';
import type { Colors } from '@policy-machinery/text';
import { formatTarget } from '@policy-machinery/topology';
import type { Table } from '../model/answer.ts';
import { firstOf } from '../model/first-of.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import type { World } from '../model/world.ts';
import { nameOf } from './accepted.ts';
import { type AssessedRow, type Assessment, type AssessOptions, assess, cellIn } from './assess.ts';
import { headerOf } from './concern-columns.ts';
import { groupings } from './groups.ts';
import { reasonText } from './reasons.ts';
import { remedyOf, replacedText } from './remedies.ts';
import { paintOf, type Status, signs } from './status.ts';
import { worldCoverage } from './world-coverage.ts';

/** Requests that a change covers or uncovers. */
export interface CoverageChange {
  readonly concern: ConcernName;
  readonly change: 'uncovered' | 'covered' | 'unknown';
  readonly route: string;
  readonly ref: ResourceRef;
  readonly rules: readonly string[];
  /** The requests, by hostname and path. */
  readonly requests: readonly string[];
  /** `undefined` if nothing took the requests before. */
  readonly before: Status | undefined;
  readonly after: Status;
  readonly state: CellState;
  /** The kind of the policy that decides; `undefined` if none does. */
  readonly kind: string | undefined;
  /** Why the requests are covered, or no longer are. */
  readonly reason: string;
  /** The remedy for requests that are no longer covered; `''` if that is not known. */
  readonly remedy: string;
  /** Whether another policy replaces the policy that covered the requests, or switches it off. */
  readonly isReplaced: boolean;
}

/** The coverages that protect for certain, or do not need protection. */
const fine: ReadonlySet<Status> = new Set(['covered', 'accepted', 'not-needed']);

/**
 * Returns the coverage before and after a change. Acceptances that the change adds do not count, and requirements that it removes still do.
 *
 * @param asked The required concerns, and the entries of files.
 */
export function assessedSides(
  { before, after }: { readonly before: World; readonly after: World },
  asked: Pick<AssessOptions, 'required' | 'accepted'>,
): readonly [Assessment, Assessment] {
  const { scope } = before;
  const base = new Map(before.objects.map((object) => [locatorOf(object), object]));
  return [
    assess(worldCoverage(before), { ...asked, scope }),
    assess(worldCoverage({ ...after, scope }), { ...asked, scope, base }),
  ];
}

/**
 * Returns the requests that a change covers and uncovers. The rules of a route with the same reason are one entry.
 *
 * @param before The requests before the change.
 * @param after The requests after it. Requests that nothing took before are uncovered if a requirement is unmet.
 * @param concerns The concerns. Default: all.
 */
export function coverageChanges(
  before: Assessment,
  after: Assessment,
  concerns: readonly ConcernName[] = concernNames,
): readonly CoverageChange[] {
  const known = new Map(before.rows.flatMap((row) => [byPort(row), byName(row)].map((place) => [place, row] as const)));
  const changes = new Map<string, CoverageChange>();
  for (const row of after.rows) {
    const old = known.get(byName(row)) ?? known.get(byPort(row));
    for (const concern of concerns) {
      const found = changeOf(old, row, concern);
      if (found === undefined) continue;
      const key = JSON.stringify([concern, found.route, found.before, found.after, found.reason]);
      const same = changes.get(key);
      const rules = [...new Set([...(same?.rules ?? []), ...found.rules])];
      const requests = [...new Set([...(same?.requests ?? []), ...found.requests])];
      changes.set(key, { ...found, rules, requests });
    }
  }
  const order = ['uncovered', 'unknown', 'covered'];
  return [...changes.values()].sort(
    (a, b) => order.indexOf(a.change) - order.indexOf(b.change) || (a.route < b.route ? -1 : Number(a.route > b.route)),
  );
}

/** Requests are the same if they take the same way, with the same matches: rules without names may move. */
function byName({ row }: AssessedRow): string {
  return JSON.stringify([row.listener.locator, ...ruleOf(row)]);
}

/** A listener with another name takes the same requests if its port and its hostname are the same. */
function byPort({ row }: AssessedRow): string {
  const { object, section } = row.listener;
  return JSON.stringify([object.locator, section?.value.port ?? '', section?.value.hostname ?? '', ...ruleOf(row)]);
}

function ruleOf({ route, rule }: AssessedRow['row']): readonly unknown[] {
  return [route.locator, rule?.section?.value.matches ?? rule?.ref.section ?? ''];
}

function changeOf(old: AssessedRow | undefined, row: AssessedRow, concern: ConcernName): CoverageChange | undefined {
  const was = old?.statuses.get(concern);
  const is = row.statuses.get(concern) ?? 'absent';
  if (was === is || (old !== undefined && fine.has(was ?? 'absent') === fine.has(is) && is !== 'unknown'))
    return undefined;
  if (old === undefined && is !== 'uncovered' && is !== 'weak') return undefined;
  const { route, rule = route, gateway } = row.row;
  const cell = cellIn(row, concern);
  const { state, by, to, replaces } = cell;
  const isCovered = fine.has(is);
  return {
    concern,
    change: isCovered ? 'covered' : is === 'unknown' ? 'unknown' : 'uncovered',
    route: formatTarget(route),
    ref: route.ref,
    rules: [formatTarget(rule)],
    requests: groupings.class(row),
    before: was,
    after: is,
    state,
    kind: (to ?? by)?.kind,
    reason: replacedText(cell, concern) ?? reasonText(cell),
    remedy: isCovered ? '' : remedyOf(cell, nameOf(gateway), to?.name),
    isReplaced: !isCovered && (state === 'lost' || state === 'off' || replaces !== undefined),
  };
}

/** Returns the effect of a change in one sentence. */
export function changesSummary(changes: readonly CoverageChange[]): string {
  const countOf = (change: CoverageChange['change']): number =>
    new Set(changes.filter((it) => it.change === change).map(({ route }) => route)).size;
  const routes = (count: number): string => `${count} ${count === 1 ? 'route' : 'routes'}`;
  const [lost, gained, unclear] = [countOf('uncovered'), countOf('covered'), countOf('unknown')];
  if (changes.length === 0) return 'The change covers and uncovers no requests.';
  const more = unclear === 0 ? '' : `, and the coverage of ${routes(unclear)} is not known any more`;
  return `The change uncovers requests of ${routes(lost)} and covers requests of ${routes(gained)}${more}.`;
}

export function changesTable(changes: readonly CoverageChange[], colors: Colors): Table {
  const sign = (status: Status | undefined): string => (status === undefined ? 'new' : signs[status]);
  const columns: readonly ColumnOf<CoverageChange>[] = [
    {
      name: 'CHANGE',
      cell: ({ before, after }) => [`${sign(before)} → ${sign(after)}`, paintOf(after, colors)],
    },
    { name: 'CONCERN', cell: ({ concern }) => headerOf(concern, false) },
    { name: 'REQUESTS', cell: ({ requests }) => firstOf(requests, 2) },
    { name: 'ROUTE', cell: ({ route }) => route },
    { name: 'REASON', cell: ({ reason, remedy }) => (remedy === '' ? reason : `${reason}; ${remedy}`) },
  ];
  return tableOf(changes, columns, { layout: 'detail' });
}
