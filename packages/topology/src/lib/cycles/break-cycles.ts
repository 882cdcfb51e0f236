// cycles/: takes links, returns the links to drop so that no cycle remains, or the error that names each cycle. A component is a set of positions
// that all lead to each other; kinds that cannot form a cycle are never searched.

import type { Issue } from '@policy-machinery/resource';
import { ageOf } from '../model/age.ts';
import type { Position } from '../model/path.ts';
import type { RefusedReference } from '../model/resolved-reference.ts';
import type { TargetNode } from '../model/target-node.ts';
import { entryAt, positionsAfter, rootPositions } from '../paths/position.ts';
import { type PositionGraph, positionGraph, remembered } from '../paths/position-graph.ts';
import { PositionSet } from '../paths/position-map.ts';
import { sortedBy } from '../support/sorted-by.ts';
import type { Target } from '../targets/target.ts';
import { cycleIn, formatCycle, type LinkOrigin, type OriginsOf } from './cycle-error.ts';
import { cyclicComponents } from './scc.ts';

/** The maximum number of steps of a cycle in a message. */
const maxListed = 10;

/** The maximum number of links of a component that are weighed one by one; of a larger component, all are dropped. */
const maxWeighed = 500;
/** The maximum number of steps for weighing links: each takes a pass over all targets of the component. */
const maxSteps = 1_000_000;

/** The links among some targets, which can be removed and restored. */
export interface Links {
  /** The targets, with all targets above. */
  readonly nodes: readonly Target[];
  /** Returns the references that make a link from above to below; none without a link. */
  readonly origins: OriginsOf;
  readonly drop: (above: Target, below: Target) => void;
  readonly restore: (above: Target, below: Target) => void;
}

/** The links dropped to break cycles. */
export interface BrokenCycles {
  /** The dropped links, from above to below. */
  readonly dropped: Map<Target, Set<Target>>;
  readonly refused: readonly RefusedReference[];
  /** The whole resources that would be in cycles. */
  readonly members: ReadonlySet<Target>;
}

/** Returns the value for no dropped links. */
export function noCycles(): BrokenCycles {
  return { dropped: new Map(), refused: [], members: new Set() };
}

/**
 * Drops links that form cycles and that all their references allow to be dropped: first the links that lead back to the only entry of a cycle,
 * then, in the cycles that are left, the links of the youngest holders. So no link is lost because of a resource that was created later.
 *
 * @returns The dropped links. O(targets + links) for each round and for each link that is weighed.
 */
export function breakCycles(links: Links): readonly RefusedReference[] {
  const refused: RefusedReference[] = [];
  const drop = ({ above, below, cycle }: CycleLink): void => {
    for (const { from, reference } of links.origins(above, below)) {
      const message = `it is part of a cycle: ${cycle}`;
      refused.push({ from, reference, to: below.locator, reason: 'Cycle', message, isUndecided: false });
    }
    links.drop(above, below);
  };
  leadingBack(links).forEach(drop);
  // A dropped link to a whole object may uncover links to its sections.
  for (let batch = youngest(links); batch.length > 0; batch = youngest(links)) batch.forEach(drop);
  return refused;
}

/** Returns the issues of dropped links, one for each reference. */
export function cycleWarnings(dropped: readonly RefusedReference[]): readonly Issue[] {
  const byReference = new Map(
    dropped.toReversed().map((it) => [`${it.from.locator} ${it.reference.pointer}`, it] as const),
  );
  return [...byReference.values()].map(({ from, reference, to, message }) => ({
    code: 'cycle',
    severity: 'warning',
    message: `makes no link to ${to}, because ${message}; remove one of the references`,
    resource: from.object.locator,
    pointer: reference.pointer,
  }));
}

interface CycleLink {
  readonly above: Target;
  readonly below: Target;
  /** A cycle of the same component, as text. */
  readonly cycle: string;
}

/** Returns the links to drop among those that lead back to the only entry of a cycle. */
function leadingBack(links: Links): readonly CycleLink[] {
  const graph = remembered(positionGraph(links.nodes));
  const components = cyclicComponents(graph.positions, graph.successors);
  const entries = components.length === 0 ? new Set<Position>() : entriesOf(graph, components);
  return components.flatMap((component) => {
    const [start, ...others] = component.filter((position) => entries.has(position));
    if (start === undefined || others.length > 0) return [];
    return givingWay(component, graph, links, (next) => next === start, start);
  });
}

/** Returns a minimal set of links to drop so that no cycle remains. */
function youngest(links: Links): readonly CycleLink[] {
  const graph = remembered(positionGraph(links.nodes));
  const components = cyclicComponents(graph.positions, graph.successors);
  return components.flatMap((component) => {
    const inside = new Set(component);
    const closing = givingWay(component, graph, links, (next) => inside.has(next), component[0] as Position);
    const steps = closing.length * targetsIn(component).length;
    return closing.length > maxWeighed || steps > maxSteps ? closing : weigh(component, closing, links);
  });
}

/** Restores links one by one, the oldest first, except for those that form a cycle. */
function weigh(component: readonly Position[], cycleLinks: readonly CycleLink[], links: Links): readonly CycleLink[] {
  const inOrder = sortedBy(cycleLinks, ({ above, below }) => ageOfLink(links.origins(above, below)));
  for (const link of inOrder) links.drop(link.above, link.below);
  const inside = new Set(component.map(({ node }) => node.object));
  const closing: CycleLink[] = [];
  for (const link of inOrder) {
    links.restore(link.above, link.below);
    if (!leadsBack(entryAt(link.below), inside)) continue;
    links.drop(link.above, link.below);
    closing.push(link);
  }
  for (const { above, below } of closing) links.restore(above, below);
  return closing;
}

/** Returns whether paths among some objects lead from a position back to it. O(positions and steps that paths from there reach). */
function leadsBack(start: Position, objects: ReadonlySet<TargetNode>): boolean {
  const reached = new PositionSet();
  const pending = [start];
  for (let position = pending.pop(); position !== undefined; position = pending.pop()) {
    for (const next of positionsAfter(position)) {
      if (next.entered && next.node === start.node) return true;
      if (objects.has(next.node.object) && reached.add(next)) pending.push(next);
    }
  }
  return false;
}

/** Returns the targets of a component: whole resources with all of their sections. */
function targetsIn(component: readonly Position[]): readonly TargetNode[] {
  return [...new Set(component.map(({ node }) => node.object))].flatMap((it) => [it, ...it.sections]);
}

/** Returns the age of a link's oldest reference, as a text for comparing. */
function ageOfLink(origins: readonly LinkOrigin[]): string {
  const ages = origins.map(({ from, reference }) => `${ageOf(from.locator, from.resource)}\u0000${reference.pointer}`);
  return ages.sort()[0] ?? '';
}

/** Returns the links to some positions of a component that may be dropped, each once. */
function givingWay(
  component: readonly Position[],
  { successors }: PositionGraph,
  links: Links,
  leadsThere: (next: Position) => boolean,
  start: Position,
): readonly CycleLink[] {
  const cycle = shorten(cycleIn(start, new Set(component), successors));
  const edges = new Map<string, CycleLink>();
  for (const position of component) {
    for (const next of successors(position)) {
      if (!next.entered || !leadsThere(next)) continue;
      const { node, entered } = position;
      const below = next.node as Target;
      for (const above of new Set(entered ? [node, node.object] : [node]) as Set<Target>) {
        const origins = links.origins(above, below);
        if (origins.length === 0 || !origins.every(({ reference }) => reference.onCycle === 'drop')) continue;
        edges.set(`${above.locator} ${below.locator}`, { above, below, cycle });
      }
    }
  }
  return [...edges.values()];
}

/** Returns a cycle as a short text: a long cycle has a warning for each of its links. */
function shorten(cycle: readonly Position[]): string {
  if (cycle.length <= maxListed) return formatCycle(cycle);
  return `${formatCycle(cycle.slice(0, maxListed - 1))} → ${cycle.length - maxListed} more → ${formatCycle(cycle.slice(-1))}`;
}

/** Returns the positions in cycles that paths enter from outside of their component. */
function entriesOf(
  { positions, successors }: PositionGraph,
  components: readonly (readonly Position[])[],
): ReadonlySet<Position> {
  const component = new Map(components.flatMap((it) => it.map((position) => [position, it] as const)));
  const roots = new PositionSet();
  for (const root of rootPositions(new Set(positions.map(({ node }) => node)))) roots.add(root);
  const entries = new Set<Position>();
  const reached = new Set(positions.filter((position) => roots.has(position)));
  for (const position of reached) {
    for (const next of successors(position)) {
      reached.add(next); // The loop visits added positions, too.
      if (component.has(next) && component.get(next) !== component.get(position)) entries.add(next);
    }
  }
  return entries;
}
