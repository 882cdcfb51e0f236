import { breakCycles, cycleWarnings, type Links, noCycles } from '../cycles/break-cycles.ts';
import { cycleError, type LinkOrigin } from '../cycles/cycle-error.ts';
import { cyclicComponents } from '../cycles/scc.ts';
import type { ResolvedReference } from '../model/resolved-reference.ts';
import { byTopologyOrder, type TargetNode } from '../model/target-node.ts';
import { positionGraph } from '../paths/position-graph.ts';
import { closureOf } from '../support/closure.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { sortedBy } from '../support/sorted-by.ts';
import type { Target, WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import { resolvedReferences } from './renew-links.ts';
import { renewLinksBetween, reopen } from './renew-links-between.ts';
import type { TopologyState } from './topology-state.ts';

/**
 * Finds the cycles that a change may have formed, and drops links. O(targets and links below new links, of kinds that can form cycles): usually
 * none.
 *
 * @throws {PolicyMachineryError} `cycle` with one issue for each cycle that shares no target with the others.
 */
export function renewCycles(change: ChangeInProgress): void {
  const { state } = change;
  const membersBefore = state.cycles.members;
  let seeds = seedsOf(change);
  if (seeds.size === 0) return;
  let region = belowIn(state, seeds);
  if (intersects(region, membersBefore)) {
    restoreAll(change);
    seeds = new Set([...seeds, ...membersBefore]);
    region = belowIn(state, seeds);
  }
  const components = cyclicComponents([...region], (object) => nextObjects(state, object, region));
  if (components.length === 0) return;
  for (const holder of [...state.closed.keys()]) reopen(change, holder); // The choice of links to drop does not depend on relayed values.
  const members = new Set(components.flat());
  const objects = [...aboveAll(members)].filter((it) => state.holds(it)).sort(byTopologyOrder);
  const links = linksAmong(change, objects);
  const refused = breakCycles(links);
  const graph = positionGraph(links.nodes);
  if (cyclicComponents(graph.positions, graph.successors).length > 0) {
    const error = cycleError(graph, links.origins);
    restoreAll(change);
    throw error;
  }
  if (refused.length === 0) return;
  const { cycles } = state; // Cycles elsewhere may exist already.
  state.cycles = {
    dropped: cycles.dropped,
    refused: sortedBy([...cycles.refused, ...refused], ({ from, reference, to }) =>
      [from.locator, reference.pointer, to].join(' '),
    ),
    members: new Set([...cycles.members, ...members]),
  };
  change.setIssues('cycles', state, cycleWarnings(state.cycles.refused));
}

/** Returns the whole resources with cycles below that may be new, or existed before. */
function seedsOf(change: ChangeInProgress): Set<Target> {
  const { kindLinks, cycles, namespaces } = change.state;
  const { suspects, hasNewKindCycles, came, stale } = change;
  const seeds = new Set(suspects.map(([, below]) => below.object));
  if (hasNewKindCycles) for (const object of namespaces.of(kindLinks.kindsInCycles)) seeds.add(object);
  if (cycles.members.size === 0) return seeds;
  for (const targets of [came, stale, change.touched()]) {
    for (const { object } of targets) if (cycles.members.has(object)) seeds.add(object);
  }
  return seeds;
}

function belowIn(state: TopologyState, seeds: ReadonlySet<Target>): Set<Target> {
  const kinds = new Set(state.kindLinks.kindsInCycles);
  const mayBeIn = ({ object }: Target): boolean => kinds.has(object.kind);
  return closureOf<Target>([...seeds].filter(mayBeIn), (object) => [...nextObjects(state, object)].filter(mayBeIn));
}

/** Returns the resources that a resource or its sections link to, including closed links, each once. */
function nextObjects({ closed }: TopologyState, object: Target, among?: ReadonlySet<Target>): ReadonlySet<WholeTarget> {
  const next = new Set<WholeTarget>();
  const add = (targets: Iterable<Target>): void => {
    for (const target of targets) if (among?.has(target.object) !== false) next.add(target.object);
  };
  for (const target of [object, ...object.sections]) {
    add(target.linksTo);
    if (closed.size > 0) add(closed.get(target) ?? []);
  }
  return next;
}

function aboveAll(objects: Iterable<Target>): Set<Target> {
  return closureOf(objects, ({ linksFrom, sections }) =>
    [linksFrom, ...sections.map((section) => section.linksFrom)].flat().map((above) => above.object),
  );
}

function intersects(a: ReadonlySet<Target>, b: ReadonlySet<Target>): boolean {
  for (const target of b) if (a.has(target)) return true;
  return false;
}

/** Restores all dropped links. */
function restoreAll(change: ChangeInProgress): void {
  const { state } = change;
  const { dropped } = state.cycles;
  state.cycles = noCycles();
  for (const [above, below] of dropped) for (const target of below) renewLinksBetween(change, above, target);
  change.setIssues('cycles', state, []);
}

function linksAmong(change: ChangeInProgress, objects: readonly Target[]): Links {
  const { state } = change;
  const { dropped } = state.cycles;
  const makersByTarget = new Map<TargetNode, ReturnType<typeof makersIn>>();
  const makers = (from: TargetNode, end: TargetNode, way: 'up' | 'down'): readonly LinkOrigin[] => {
    const makersOf = () => makersIn(from, resolvedReferences(state, from as Target));
    return getOrInsert(makersByTarget, from, makersOf)[way].get(end) ?? [];
  };
  return {
    nodes: objects.flatMap((object) => [object, ...object.sections]),
    origins: (above, below) => [...makers(above, below, 'down'), ...makers(below, above, 'up')],
    drop(above, below) {
      getOrInsert(dropped, above, () => new Set<Target>()).add(below);
      renewLinksBetween(change, above, below);
    },
    restore(above, below) {
      dropped.get(above)?.delete(below);
      renewLinksBetween(change, above, below);
    },
  };
}

/** Returns the references of one target, by their ends. */
function makersIn(from: TargetNode, resolutions: readonly ResolvedReference[]) {
  const makers = { up: new Map<TargetNode, LinkOrigin[]>(), down: new Map<TargetNode, LinkOrigin[]>() };
  for (const { reference, ends } of resolutions) {
    if (reference.withoutLink === true) continue;
    const byEnd = makers[reference.direction];
    for (const end of ends) getOrInsert(byEnd, end, (): LinkOrigin[] => []).push({ from, reference });
  }
  return makers;
}
