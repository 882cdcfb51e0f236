import type { Cell, Cells, CoverageRow } from '@policy-machinery/guarantees/coverage';
import { type ConcernName, concernNames } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import type { Scope } from '../model/world.ts';
import { type Acceptance, type Accepted, type AcceptedIn, acceptedBy, type Base, requiredBy } from './accepted.ts';
import { type Status, statusOf } from './status.ts';

/** Requests of one rule at one listener, with their requirements. */
export interface AssessedRow {
  readonly row: CoverageRow;
  readonly statuses: ReadonlyMap<ConcernName, Status>;
  /** The concerns that are required of the requests. */
  readonly required: ReadonlySet<ConcernName>;
  /** The reasons for accepted findings, by concern. */
  readonly accepted: ReadonlyMap<ConcernName, Accepted>;
}

/** The coverage of a world, by the requirements. */
export interface Assessment {
  readonly rows: readonly AssessedRow[];
  readonly required: ReadonlySet<ConcernName>;
}

/** The concerns that are required by default. */
export const usuallyRequired: readonly ConcernName[] = ['authentication', 'client-tls'];

/** The requirements of requests, and the accepted exceptions. */
export interface AssessOptions {
  readonly required: readonly ConcernName[];
  /** The entries of files. */
  readonly accepted: readonly Acceptance[];
  readonly scope: Scope;
  /** The objects before a change that led to the rows. */
  readonly base?: Base | undefined;
}

/** Returns the status of requests for each concern. */
export function assess(rows: readonly CoverageRow[], { required, accepted, scope, base }: AssessOptions): Assessment {
  const acceptedIn = acceptedBy(accepted, base);
  const general = new Set([...usuallyRequired, ...required]);
  const ofGateways = new Map<TargetNode, ReadonlySet<ConcernName>>();
  const known = new Map<Cells, Map<ReadonlySet<ConcernName>, ReadonlyMap<ConcernName, Status>>>();
  const requiredAt = (gateway: TargetNode): ReadonlySet<ConcernName> => {
    const own = requiredBy(gateway, base);
    const all = ofGateways.get(gateway) ?? (own.length === 0 ? general : new Set([...general, ...own]));
    ofGateways.set(gateway, all);
    return all;
  };
  return {
    required: general,
    rows: rows
      .filter(({ route }) => scope.namespace === undefined || route.ref.namespace === scope.namespace)
      .map((row) => {
        const asked = requiredAt(row.gateway);
        const same = known.get(row.cells) ?? new Map();
        const statuses = same.get(asked) ?? statusesOf(row.cells, asked);
        known.set(row.cells, same.set(asked, statuses));
        return withAccepted({ row, statuses, required: asked, accepted: nothing }, acceptedIn);
      }),
  };
}

function statusesOf(cells: Cells, required: ReadonlySet<ConcernName>): ReadonlyMap<ConcernName, Status> {
  return new Map(concernNames.map((name) => [name, statusOf(cells.get(name), required.has(name))]));
}

const nothing: ReadonlyMap<ConcernName, Accepted> = new Map();

function withAccepted(assessed: AssessedRow, acceptedIn: AcceptedIn): AssessedRow {
  const { row, statuses } = assessed;
  const accepted = new Map<ConcernName, Accepted>();
  for (const [concern, status] of statuses) {
    const found = status === 'uncovered' || status === 'weak' ? acceptedIn(row, concern) : undefined;
    if (found !== undefined) accepted.set(concern, found);
  }
  if (accepted.size === 0) return assessed;
  const all = new Map([...statuses].map(([name, status]) => [name, accepted.has(name) ? 'accepted' : status] as const));
  return { ...assessed, statuses: all, accepted };
}

/** Returns how the requests of a row meet a concern. */
export function cellIn({ row }: AssessedRow, concern: ConcernName): Cell {
  return row.cells.get(concern) ?? { state: 'none' };
}
