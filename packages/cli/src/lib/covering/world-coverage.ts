import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { type Cell, type CoverageRow, coverage, notByCustomCode } from '@policy-machinery/guarantees/coverage';
import type { FoundKind } from '@policy-machinery/known-kinds';
import { concerns, concernsOf, unreadConcerns } from '@policy-machinery/known-kinds/concerns';
import type { ConcernName } from '@policy-machinery/policy-kind';
import { formatLocator, type GroupKind, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { unknownInput } from '../input/unknown-input.ts';
import { unreadInput } from '../input/unread-input.ts';
import type { AssumedGateway, World } from '../model/world.ts';
import { type Status, statusOf } from './status.ts';

/** The basis of the coverage of a world, with the coverage. */
interface Known extends Pick<World, 'objects'> {
  readonly versions: string;
  readonly rows: readonly CoverageRow[];
}

/** The parts of a world that decide about its coverage. */
export interface CoveredWorld extends Pick<World, 'topology' | 'objects'> {
  readonly views: readonly {
    readonly found: Pick<FoundKind, 'merging'>;
    readonly effective: EffectivePolicies<unknown>;
  }[];
  readonly assumed: readonly Pick<AssumedGateway, 'object'>[];
}

const coverages = new WeakMap<World['topologies'], Known>();

/** Returns how the requests of a world meet each concern. Finds it once for each version of the topologies. */
export function worldCoverage(world: World): readonly CoverageRow[] {
  const { topologies, objects } = world;
  const versions = topologies.map(({ version }) => version).join(' ');
  const known = coverages.get(topologies);
  if (known?.versions === versions && known.objects === objects) return known.rows;
  const rows = coverageOf(world);
  coverages.set(topologies, { versions, objects, rows });
  return rows;
}

function coverageOf(world: World): readonly CoverageRow[] {
  const rows = rowsOf(world);
  const [unread] = unreadInput(world);
  return unread === undefined ? rows : withUnread(rows, unread, ['absent']);
}

/**
 * Returns how requests meet each concern, as if all input was read.
 *
 * @param world The topology, the objects, and the policy kinds.
 */
export function rowsOf({ topology, views, objects, assumed }: CoveredWorld): readonly CoverageRow[] {
  let byLocator: ReadonlyMap<string, KubernetesObject> | undefined;
  const supposed = new Set(assumed.map(({ object }) => object));
  return coverage({
    topology,
    kinds: views.map(({ found, effective }) => ({ effective, isMerged: found.merging === 'known' })),
    factsOf: concernsOf,
    mayServe,
    find(ref) {
      byLocator ??= new Map(objects.map((object) => [locatorOf(object), object]));
      return byLocator.get(formatLocator(ref));
    },
    isAssumed: ({ resource }) => supposed.has(resource),
  });
}

/**
 * Returns how the requests of a world meet each concern: unread input leaves undecided what verdicts leave undecided. A certain loss stays one if files
 * alone are unread.
 */
export function coverageAsRead(world: World): readonly CoverageRow[] {
  const [unread] = unknownInput(world);
  const open: readonly Status[] =
    world.gaps.length > 0 ? ['absent', 'covered', 'weak', 'uncovered'] : ['absent', 'covered'];
  return unread === undefined ? worldCoverage(world) : withUnread(worldCoverage(world), unread, open);
}

/** Returns rows where concerns with an open status are not known, because input that is not read may set or change them. */
function withUnread(rows: readonly CoverageRow[], unread: string, open: readonly Status[]): typeof rows {
  const known = new Map<CoverageRow['cells'], CoverageRow['cells']>();
  const completed = (cells: CoverageRow['cells']) =>
    new Map(
      concerns.map(({ name }) => {
        const cell = cells.get(name) ?? ({ state: 'none' } as const);
        return [name, open.includes(statusOf(cell, false)) ? unreadCell(cell, unread) : cell] as const;
      }),
    );
  return rows.map((row) => {
    const cells = known.get(row.cells) ?? completed(row.cells);
    known.set(row.cells, cells);
    return { ...row, cells };
  });
}

function unreadCell({ state, by }: Cell, unread: string): Cell {
  if (state === 'none' || by === undefined)
    return { state: 'unknown', because: `nothing that was read sets it, and ${unread}` };
  return { state: 'unknown', by, because: `${by.kind} ${by.name} decides as far as the input is read, but ${unread}` };
}

/** The concerns that policies of unknown kinds and filters of routes may serve. */
const security = concerns.filter(({ name, isSecurity }) => isSecurity && !notByCustomCode.has(name));

function mayServe({ group, kind }: GroupKind): readonly ConcernName[] {
  const unread = unreadConcerns.find((it) => it.group === group && it.kinds.includes(kind));
  return unread?.concerns ?? security.map(({ name }) => name);
}
