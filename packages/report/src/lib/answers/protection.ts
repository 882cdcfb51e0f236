import type { Report } from '../data/report.ts';
import type { CauseRow, CoverageData, CoveredRow, NodeId } from '../data/report-data.ts';

/** How a route or its requests are colored: the statuses of requests, with those that are covered by who covers them. The worst one first. */
export const shades = ['uncovered', 'weak', 'unknown', 'accepted', 'absent', 'inherited', 'own', 'not-needed'] as const;

/** One of the {@link shades}. */
export type Shade = (typeof shades)[number];

/** How many routes have which shade. */
export type ShadeCounts = Readonly<Record<Shade, number>>;

/** How requests meet a concern. */
export interface ProtectionCell {
  readonly shade: Shade;
  readonly state: string;
  /** Who decides, in short. */
  readonly source: string;
  readonly reason: string;
}

/** A route, with the worst cell of its requests for each concern. */
export interface ProtectedRoute {
  readonly id: NodeId;
  readonly gateways: readonly NodeId[];
  readonly hostnames: readonly string[];
  readonly cells: readonly number[];
}

/** Routes with the same cells at the same Gateways. */
export interface AlikeRoutes {
  readonly routes: readonly ProtectedRoute[];
  readonly cells: readonly number[];
  readonly gateways: readonly NodeId[];
}

/** Some routes under one name, such as a namespace. */
export interface RouteGroup {
  readonly name: string;
  readonly routes: readonly ProtectedRoute[];
}

/** The ways to group routes. */
export const groupings = ['Namespace', 'Hostname', 'Gateway'] as const;

/** A name of {@link groupings}. */
export type GroupedBy = (typeof groupings)[number];

const nothing: CoverageData = { concerns: [], cells: [], answers: [], rows: [] };

/** Answers which routes are protected. */
export class Protection {
  readonly routes: readonly ProtectedRoute[];
  readonly cells: readonly ProtectionCell[];
  readonly concerns: readonly {
    readonly title: string;
    readonly isRequired: boolean;
    readonly causes: readonly CauseRow[];
  }[];
  readonly #report: Report;
  /** The rank of each cell: its shade's. */
  readonly #ranks: readonly number[];
  readonly #ofNode: ReadonlyMap<NodeId, readonly ProtectedRoute[]>;

  constructor(report: Report) {
    const { concerns, cells } = report.data.coverage ?? nothing;
    this.#report = report;
    this.cells = cells.map(([status, state, source, reason]) => ({
      shade: shadeOf(report.text(status), report.text(state)),
      state: report.text(state),
      source: report.text(source),
      reason: report.text(reason),
    }));
    this.#ranks = this.cells.map(({ shade }) => shades.indexOf(shade));
    this.concerns = concerns.map(([title, isRequired, ...causes]) => ({
      title: report.text(title),
      isRequired: isRequired === 1,
      causes: causes.map(
        ([status, cause, remedy, ...routes]) =>
          [status, cause, remedy, ...routes.filter((id) => this.#isThere(id))] as const,
      ),
    }));
    this.routes = this.#routesOf(report.data.coverage ?? nothing);
    this.#ofNode = byNode(this.routes);
  }

  #routesOf({ rows, answers }: CoverageData): readonly ProtectedRoute[] {
    const byRoute = new Map<NodeId, CoveredRow[]>();
    for (const row of rows) if (this.#isThere(row[0]) && this.#isThere(row[1])) append(byRoute, row[0], row);
    return Array.from(byRoute, ([id, routeRows]) => {
      const [first = [], ...others] = routeRows.map(([, , answer]) => answers[answer] ?? []);
      const hostnames = routeRows.flatMap(([, , , ...names]) => names.map((name) => this.#report.text(name)));
      return {
        id,
        gateways: distinct(routeRows.map(([, gateway]) => gateway)),
        hostnames: distinct(hostnames),
        cells: others.reduce((a, b) => a.map((cell, index) => this.#worse(cell, b[index] ?? cell)), first),
      };
    });
  }

  /** Returns whether a target is not gone: the coverage may be older than the targets. */
  #isThere(id: NodeId): boolean {
    return (this.#report.data.targets[id] ?? null) !== null;
  }

  #worse(a: number, b: number): number {
    return this.#rankOf(a) <= this.#rankOf(b) ? a : b;
  }

  #rankOf(cell: number): number {
    return this.#ranks[cell] ?? shades.indexOf('absent');
  }

  cellOf(route: ProtectedRoute, concern: number): ProtectionCell {
    return this.cells[route.cells[concern] ?? -1] ?? { shade: 'absent', state: 'none', source: '', reason: 'none' };
  }

  /** Returns the routes at a target: a route itself, all routes of a Gateway, and none for other targets. */
  routesAt(id: NodeId): readonly ProtectedRoute[] {
    return this.#ofNode.get(id) ?? [];
  }

  /** Returns how many routes have which shade for a concern. */
  counts(routes: readonly ProtectedRoute[], concern: number): ShadeCounts {
    const counts = Object.fromEntries(shades.map((shade) => [shade, 0])) as Record<Shade, number>;
    for (const route of routes) counts[this.cellOf(route, concern).shade] += 1;
    return counts;
  }

  /** Returns how many of the routes that lack a concern lost it, switch it off, or never had it. */
  lacking(concern: number): Readonly<Record<'lost' | 'off' | 'none', number>> {
    const counts = { lost: 0, off: 0, none: 0 };
    for (const route of this.routes) {
      const { shade, state } = this.cellOf(route, concern);
      if (shade === 'uncovered') counts[state === 'lost' || state === 'off' ? state : 'none'] += 1;
    }
    return counts;
  }

  /**
   * Returns the routes in groups, those with most routes without the concern first.
   *
   * @param by The common property of a group.
   * @param wanted A part of the name of a route, hostname, namespace or Gateway. Default: all routes.
   */
  groups(by: GroupedBy, concern: number, wanted = ''): readonly RouteGroup[] {
    const groups = new Map<string, ProtectedRoute[]>();
    const text = wanted.trim().toLowerCase();
    for (const route of this.routes) {
      if (text !== '' && !this.#namesOf(route).some((name) => name.toLowerCase().includes(text))) continue;
      for (const name of this.#groupsOf(route, by)) append(groups, name, route);
    }
    const ranked = [...groups].map(([name, routes]) => ({ name, routes, counts: this.counts(routes, concern) }));
    return ranked
      .sort((a, b) => byWorst(a.counts, b.counts) || (a.name < b.name ? -1 : Number(a.name > b.name)))
      .map(({ name, routes }) => ({ name, routes }));
  }

  #namesOf({ id, gateways, hostnames }: ProtectedRoute): readonly string[] {
    return [this.#report.node(id).label, ...gateways.map((gateway) => this.#report.node(gateway).label), ...hostnames];
  }

  #groupsOf({ id, gateways, hostnames }: ProtectedRoute, by: GroupedBy): readonly string[] {
    if (by === 'Hostname') return hostnames;
    if (by === 'Gateway') return gateways.map((gateway) => this.#report.node(gateway).name);
    return [this.#report.node(id).namespace ?? ''];
  }

  /** Returns routes with those that look equal together, those that lack a concern first. The reasons of equal ones can name different policies. */
  alike(routes: readonly ProtectedRoute[], concern: number): readonly AlikeRoutes[] {
    const groups = new Map<string, ProtectedRoute[]>();
    for (const route of routes) {
      const looks = route.cells
        .map((_, index) => this.cellOf(route, index))
        .map(({ shade, source }) => [shade, source]);
      append(groups, JSON.stringify([route.gateways, looks]), route);
    }
    return [...groups.values()]
      .map((same) => ({ routes: same, cells: same[0]?.cells ?? [], gateways: same[0]?.gateways ?? [] }))
      .sort(
        (a, b) =>
          this.#rankOf(a.cells[concern] ?? -1) - this.#rankOf(b.cells[concern] ?? -1) ||
          b.routes.length - a.routes.length,
      );
  }
}

function byNode(routes: readonly ProtectedRoute[]): ReadonlyMap<NodeId, readonly ProtectedRoute[]> {
  const routesByNode = new Map<NodeId, ProtectedRoute[]>();
  for (const route of routes) for (const node of [route.id, ...route.gateways]) append(routesByNode, node, route);
  return routesByNode;
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return values.length < 2 ? values : [...new Set(values)];
}

/** Returns how requests with a status are colored. */
function shadeOf(status: string, state: string): Shade {
  if (status === 'covered') return state === 'own' ? 'own' : 'inherited';
  return shades.find((shade) => shade === status) ?? 'unknown';
}

/** Compares by the number of routes with the worst shades. */
function byWorst(a: ShadeCounts, b: ShadeCounts): number {
  for (const shade of shades) {
    if (shade === 'accepted') break;
    if (a[shade] !== b[shade]) return b[shade] - a[shade];
  }
  return 0;
}
