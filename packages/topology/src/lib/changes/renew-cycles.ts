import { breakLoops, type Links, loopWarnings } from '../cycles/break-cycles.ts';
import { noLoops } from '../cycles/broken-cycles.ts';
import { loopError } from '../cycles/cycle-error.ts';
import type { LinkOrigin } from '../cycles/link-origin.ts';
import { loopingComponents } from '../cycles/scc.ts';
import type { RefusedReference } from '../model/dangling-references.ts';
import type { TargetKind } from '../model/target-kind.ts';
import { byPlace, type TargetNode } from '../model/target-node.ts';
import { positionGraph } from '../paths/position-graph.ts';
import type { Resolution } from '../references/resolve.ts';
import type { Target, WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import { resolvedReferences } from './renew-links.ts';
import { reopenAll, settleLinks } from './settle-links.ts';
import type { World } from './topology-state.ts';

/**
 * Looks for loops that a change may have made, and lets links give way. O(targets and links beneath what was linked anew, of kinds
 * that may hold loops): as a rule none.
 *
 * @throws {PolicyMachineryError} `loop`, with one issue for each loop that shares no target with the others.
 */
export function renewLoops(world: World, record: ChangeInProgress): void {
  const tangled = world.loops.tangled;
  let seeds = seedsOf(world, record);
  if (seeds.size === 0) return;
  let region = beneathIn(world, seeds);
  if (intersects(region, tangled)) {
    restoreAll(world, record);
    seeds = new Set([...seeds, ...tangled]);
    region = beneathIn(world, seeds);
  }
  const looping = loopingComponents([...region], (object) => nextObjects(world, object, region));
  if (looping.length === 0) return;
  reopenAll(world, record); // Which links give way does not depend on what arrives by them.
  const knot = new Set(looping.flat());
  const objects = [...aboveAll(knot)].filter((it) => world.holds(it)).sort(byPlace);
  const links = linksAmong(world, objects, record);
  const refused = breakLoops(links);
  const { all, after } = positionGraph(links.nodes);
  if (loopingComponents(all, after).length > 0) {
    const error = loopError(
      all,
      after,
      links.origins as (above: TargetNode, beneath: TargetNode) => readonly LinkOrigin[],
    );
    restoreAll(world, record);
    throw error;
  }
  if (refused.length === 0) return;
  const { loops } = world; // Others, far away, may be there already.
  world.loops = {
    dropped: loops.dropped,
    refused: [...loops.refused, ...refused].sort(byReference),
    tangled: new Set([...loops.tangled, ...knot]),
  };
  record.report(world.issues.set('loops', world, loopWarnings(world.loops.refused)));
}

function byReference(a: RefusedReference, b: RefusedReference): number {
  const [one, other] = [a, b].map(({ from, reference, to }) => [from.locator, reference.pointer, to].join(' ')) as [
    string,
    string,
  ];
  return one < other ? -1 : Number(one > other);
}

/** The whole resources beneath which loops may have come, or have been. */
function seedsOf({ kindLinks, loops, homes }: World, record: ChangeInProgress): Set<Target> {
  const { suspects, mayLoopAnew, came, stale } = record;
  const seeds = new Set(suspects.map(([, beneath]) => beneath.object));
  if (mayLoopAnew) for (const object of homes.of(kindLinks.looping)) seeds.add(object);
  if (loops.tangled.size === 0) return seeds;
  for (const targets of [came, stale, record.touched()]) {
    for (const { object } of targets) if (loops.tangled.has(object)) seeds.add(object);
  }
  return seeds;
}

function beneathIn(world: World, seeds: ReadonlySet<Target>): Set<Target> {
  const kinds = new Set(world.kindLinks.looping);
  const found = new Set([...seeds].filter(({ kind }) => kinds.has(kind as TargetKind)));
  for (const object of found) {
    for (const next of nextObjects(world, object)) if (kinds.has(next.kind as TargetKind)) found.add(next);
  }
  return found;
}

/** The resources that links of a resource or of its sections lead to, even if they are closed, each once. */
function nextObjects({ closed }: World, object: Target, among?: ReadonlySet<Target>): ReadonlySet<WholeTarget> {
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
  const found = new Set(objects);
  for (const { linksFrom, sections } of found) {
    for (const above of [linksFrom, ...sections.map((section) => section.linksFrom)].flat()) found.add(above.object);
  }
  return found;
}

function intersects(a: ReadonlySet<Target>, b: ReadonlySet<Target>): boolean {
  for (const target of b) if (a.has(target)) return true;
  return false;
}

/** Lets all links be that had to give way. */
function restoreAll(world: World, record: ChangeInProgress): void {
  const { dropped } = world.loops;
  world.loops = noLoops();
  for (const [above, beneath] of dropped) for (const target of beneath) settleLinks(world, above, target, record);
  record.report(world.issues.set('loops', world, []));
}

function linksAmong(world: World, objects: readonly Target[], record: ChangeInProgress): Links<Target> {
  const { dropped } = world.loops;
  const known = new Map<Target, Makers>();
  const makers = (from: Target, end: Target, way: 'up' | 'down'): readonly LinkOrigin[] => {
    const there = known.get(from) ?? makersIn(from, resolvedReferences(world, from));
    known.set(from, there);
    return there[way].get(end) ?? [];
  };
  return {
    nodes: objects.flatMap((object) => [object, ...object.sections]),
    origins: (above, beneath) => [...makers(above, beneath, 'down'), ...makers(beneath, above, 'up')],
    drop(above, beneath) {
      dropped.set(above, (dropped.get(above) ?? new Set<Target>()).add(beneath));
      settleLinks(world, above, beneath, record);
    },
    restore(above, beneath) {
      dropped.get(above)?.delete(beneath);
      settleLinks(world, above, beneath, record);
    },
  };
}

/** The references of one target, by what they lead to. */
type Makers = Readonly<Record<'up' | 'down', ReadonlyMap<Target, readonly LinkOrigin[]>>>;

function makersIn(from: Target, resolutions: readonly Resolution[]): Makers {
  const makers = { up: new Map<Target, LinkOrigin[]>(), down: new Map<Target, LinkOrigin[]>() };
  for (const { reference, ends } of resolutions) {
    if (reference.withoutLink === true) continue;
    const origin = { from, reference };
    const byEnd = makers[reference.direction];
    for (const end of ends) {
      const there = byEnd.get(end);
      if (there === undefined) byEnd.set(end, [origin]);
      else there.push(origin);
    }
  }
  return makers;
}
