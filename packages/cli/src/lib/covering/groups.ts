import type { ConcernName } from '@policy-machinery/policy-kind';
import { objectIn, objectsIn, stringIn } from '@policy-machinery/resource';
import { formatTarget } from '@policy-machinery/topology';
import { nameOf } from './accepted.ts';
import { type AssessedRow, cellIn } from './assess.ts';
import { sourceOf } from './reasons.ts';
import { type Status, statuses, worse } from './status.ts';

/** The ways to group rows, with the name of the group of a row. A row can be in several groups. */
export const groupings = {
  namespace: ({ row: { route } }) => [route.ref.namespace ?? ''],
  gateway: ({ row: { gateway } }) => [nameOf(gateway)],
  listener: ({ row: { listener } }) => [formatTarget(listener)],
  hostname: ({ row: { hostnames } }) => hostnames,
  route: ({ row: { route } }) => [formatTarget(route)],
  rule: ({ row: { route, rule } }) => [formatTarget(rule ?? route)],
  class: (row) => row.row.hostnames.flatMap((hostname) => pathsOf(row).map((path) => `${hostname}${path}`)),
} as const satisfies Readonly<Record<string, (row: AssessedRow) => readonly string[]>>;

export type Grouping = keyof typeof groupings;

/** Returns the grouping of a name; by namespace for any other name. */
export function groupingNamed(name: string): Grouping {
  const names: readonly Grouping[] = ['gateway', 'listener', 'hostname', 'route', 'rule', 'class'];
  return names.find((each) => each === name) ?? 'namespace';
}

/** Returns the paths of a rule as people write them. */
function pathsOf({ row: { rule } }: AssessedRow): readonly string[] {
  const paths = objectsIn(rule?.section?.value.matches).map(({ path }) => {
    return stringIn(objectIn(path).value) ?? '/';
  });
  return paths.length === 0 ? ['/'] : [...new Set(paths)];
}

/** How the routes of a group meet one concern. */
export interface Count {
  readonly worst: Status;
  readonly routes: ReadonlyMap<Status, number>;
  /** Who decides, in short, for all its requests. Default: sources differ, or are not shown. */
  readonly source?: string | undefined;
}

/** Some requests together. */
export interface Group {
  /** Its name; with others alike, the name of the first one. */
  readonly name: string;
  /** How many groups are alike, besides the first one. */
  readonly alike: number;
  readonly routes: number;
  readonly counts: ReadonlyMap<ConcernName, Count>;
}

/**
 * Returns the groups of some rows, the worst status for the first concerns first. Equal ones are folded.
 *
 * @param concerns The concerns, the most important first.
 * @param required The concerns that decide which status is worst.
 * @param hasSources Whether groups with other sources count as different. Default: no.
 */
export function groupsOf(
  rows: readonly AssessedRow[],
  by: Grouping,
  concerns: readonly ConcernName[],
  required: ReadonlySet<ConcernName>,
  hasSources = false,
): readonly Group[] {
  const groups = new Map<string, AssessedRow[]>();
  for (const row of rows) {
    for (const name of groupings[by](row)) {
      const same = groups.get(name);
      if (same === undefined) groups.set(name, [row]);
      else same.push(row);
    }
  }
  const deciding = concerns.filter((concern) => required.has(concern));
  const sorted = [...groups]
    .map(([name, same]) => groupOf(name, same, concerns, hasSources))
    .sort((a, b) => byWorst(a, b, deciding) || (a.name < b.name ? -1 : 1));
  return folded(sorted, by, deciding);
}

function groupOf(
  name: string,
  rows: readonly AssessedRow[],
  concerns: readonly ConcernName[],
  hasSources: boolean,
): Group {
  const ofRoutes = new Map<unknown, AssessedRow[]>();
  for (const row of rows) {
    const same = ofRoutes.get(row.row.route);
    if (same === undefined) ofRoutes.set(row.row.route, [row]);
    else same.push(row);
  }
  const counts = concerns.map((concern): readonly [ConcernName, Count] => {
    const routes = new Map<Status, number>();
    for (const same of ofRoutes.values()) {
      const status = same.map((row) => row.statuses.get(concern) ?? 'absent').reduce(worse);
      routes.set(status, (routes.get(status) ?? 0) + 1);
    }
    const sources = new Set(hasSources ? rows.map((row) => sourceOf(cellIn(row, concern), row.row.route)) : []);
    const source = sources.size === 1 ? [...sources][0] : undefined;
    return [concern, { worst: [...routes.keys()].reduce(worse), routes, source }];
  });
  return { name, alike: 0, routes: ofRoutes.size, counts: new Map(counts) };
}

function byWorst(a: Group, b: Group, concerns: readonly ConcernName[]): number {
  for (const concern of concerns) {
    const [one, other] = [a.counts.get(concern), b.counts.get(concern)];
    if (one === undefined || other === undefined) continue;
    const difference = statuses.indexOf(one.worst) - statuses.indexOf(other.worst);
    const more = (other.routes.get(other.worst) ?? 0) - (one.routes.get(one.worst) ?? 0);
    if (difference !== 0 || (one.worst === 'uncovered' && more !== 0)) return difference || more;
  }
  return 0;
}

/** How many groups without a hole are listed one by one where groups have several routes. */
const most = 8;

/** Folds groups with the same counts; of those that have several routes also all without a hole, beyond some. */
function folded(groups: readonly Group[], by: Grouping, deciding: readonly ConcernName[]): readonly Group[] {
  const alike = new Map<string, Group>();
  for (const group of groups) {
    const counts = [...group.counts.values()].map(({ routes, source }) => [source, ...[...routes].sort()]);
    const key = JSON.stringify([group.routes, ...counts]);
    const first = alike.get(key);
    alike.set(key, first === undefined ? group : { ...first, alike: first.alike + 1 });
  }
  const all = [...alike.values()];
  const isFine = ({ counts }: Group): boolean =>
    deciding.every((concern) => statuses.indexOf(counts.get(concern)?.worst ?? 'absent') > statuses.indexOf('unknown'));
  const fine = all.filter(isFine);
  if (by !== 'namespace' || fine.length <= most) return all;
  return [...all.filter((group) => !isFine(group)), summedUp(fine)];
}

function summedUp(groups: readonly Group[]): Group {
  const counts = new Map<ConcernName, Count>();
  for (const { counts: own, alike } of groups) {
    for (const [concern, { worst, routes }] of own) {
      const sum = new Map(counts.get(concern)?.routes);
      for (const [status, count] of routes) sum.set(status, (sum.get(status) ?? 0) + count * (alike + 1));
      counts.set(concern, { worst: worse(worst, counts.get(concern)?.worst ?? worst), routes: sum });
    }
  }
  const number = groups.reduce((sum, { alike }) => sum + alike + 1, 0);
  const routes = groups.reduce((sum, { alike, routes: own }) => sum + own * (alike + 1), 0);
  return { name: `${number} others`, alike: 0, routes, counts };
}
