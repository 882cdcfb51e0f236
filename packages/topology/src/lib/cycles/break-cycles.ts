// cycles/: takes links, gives those that must give way so that no path goes round, or the error that names each cycle. A component is a set
// of positions that all lead to each other; kinds between which no cycle is possible are never searched.

import type { Issue } from '@policy-machinery/resource';
import { ageOf } from '../model/age.ts';
import type { RefusedReference } from '../model/dangling-references.ts';
import type { Position } from '../model/path.ts';
import type { TargetNode } from '../model/target-node.ts';
import { rootPositions } from '../paths/position.ts';
import { type PositionGraph, positionGraph, remembered } from '../paths/position-graph.ts';
import { PositionSet } from '../paths/position-set.ts';
import { sortedBy } from '../support/sorted-by.ts';
import { cycleIn, formatCycle } from './cycle-error.ts';
import type { LinkOrigin } from './link-origin.ts';
import { cyclicComponents } from './scc.ts';

/** How many steps of a cycle a message lists. */
const maxListed = 10;

/** Of how many links of a component it is found out which ones alone must go; of larger ones all do. */
const maxWeighed = 500;
/** For each of these links all targets of the component are gone through: so many together. */
const maxSteps = 1_000_000;

/** The links among some targets, which can be taken out and put back. */
export interface Links<Node extends TargetNode> {
  /** The targets: with all that is above them. */
  readonly nodes: readonly Node[];
  /** The references that make a link from above to below; none where there is none. */
  readonly origins: (above: Node, below: Node) => readonly LinkOrigin[];
  readonly drop: (above: Node, below: Node) => void;
  readonly restore: (above: Node, below: Node) => void;
}

/**
 * Takes out links that would make a cycle and that all their references let give way. First the ones that lead back to the only
 * place where paths come into a cycle, which no path can miss. Of what goes round still, the ones whose holders are the youngest:
 * no one loses a link because of a resource that someone else has made later.
 *
 * @returns What was taken out. O(targets + links), and as much again for each round and for each link that is weighed.
 */
export function breakCycles<Node extends TargetNode>(links: Links<Node>): readonly RefusedReference[] {
  const refused: RefusedReference[] = [];
  const drop = ({ above, below, cycle }: CycleLink<Node>): void => {
    for (const { from, reference } of links.origins(above, below)) {
      const message = `it leads back to where it comes from, by ${cycle}`;
      refused.push({ from, reference, to: below.locator, reason: 'Cycle', message });
    }
    links.drop(above, below);
  };
  leadingBack(links).forEach(drop);
  // Links to sections may show that one to the whole has covered.
  for (let found = youngest(links); found.length > 0; found = youngest(links)) found.forEach(drop);
  return refused;
}

/** The issues of links that were left out, one for each reference. */
export function cycleWarnings(dropped: readonly RefusedReference[]): readonly Issue[] {
  const byReference = new Map(
    dropped.toReversed().map((it) => [`${it.from.locator} ${it.reference.pointer}`, it] as const),
  );
  return [...byReference.values()].map(({ from, reference, to, message }) => ({
    code: 'cycle',
    severity: 'warning',
    message: `makes no link to ${to}, for ${message}; remove one of the references`,
    resource: from.object.locator,
    pointer: reference.pointer,
  }));
}

interface CycleLink<Node> {
  readonly above: Node;
  readonly below: Node;
  /** A cycle of the same component. */
  readonly cycle: string;
}

/** The links that give way among those that lead back to the only way into a cycle. */
function leadingBack<Node extends TargetNode>(links: Links<Node>): readonly CycleLink<Node>[] {
  const graph = remembered(positionGraph(links.nodes));
  const components = cyclicComponents(graph.all, graph.after);
  const entries = components.length === 0 ? new Set<Position>() : entriesOf(graph, components);
  return components.flatMap((component) => {
    const [start, ...others] = component.filter((position) => entries.has(position));
    if (start === undefined || others.length > 0) return [];
    return givingWay(component, graph, links, (next) => next === start, start);
  });
}

/** The links of cycles that give way, without which there is no cycle, and with each of which there is. */
function youngest<Node extends TargetNode>(links: Links<Node>): readonly CycleLink<Node>[] {
  const graph = remembered(positionGraph(links.nodes));
  const components = cyclicComponents(graph.all, graph.after);
  return components.flatMap((component) => {
    const inside = new Set(component);
    const found = givingWay(component, graph, links, (next) => inside.has(next), component[0] as Position);
    const steps = found.length * targetsIn(component).length;
    return found.length > maxWeighed || steps > maxSteps ? found : weigh(component, found, links);
  });
}

/** Puts links back one by one, the oldest first, but for those that close a cycle. */
function weigh<Node extends TargetNode>(
  component: readonly Position[],
  found: readonly CycleLink<Node>[],
  links: Links<Node>,
): readonly CycleLink<Node>[] {
  const inOrder = sortedBy(found, ({ above, below }) => ageOfLink(links.origins(above, below)));
  for (const link of inOrder) links.drop(link.above, link.below);
  const nodes = targetsIn(component);
  const closing: CycleLink<Node>[] = [];
  for (const link of inOrder) {
    links.restore(link.above, link.below);
    const { all, after } = positionGraph(nodes);
    if (cyclicComponents(all, after).length === 0) continue;
    links.drop(link.above, link.below);
    closing.push(link);
  }
  for (const { above, below } of closing) links.restore(above, below);
  return closing;
}

/** The targets of a component: whole resources with all of their sections. */
function targetsIn(component: readonly Position[]): readonly TargetNode[] {
  return [...new Set(component.map(({ node }) => node.object))].flatMap((it) => [it, ...it.sections]);
}

/** When the first of the references that make a link was written, as a text to compare by. */
function ageOfLink(origins: readonly LinkOrigin[]): string {
  const ages = origins.map(({ from, reference }) => `${ageOf(from.locator, from.resource)}\u0000${reference.pointer}`);
  return ages.sort()[0] ?? '';
}

/** The links of a component that give way, of those that lead to some of its positions. Each once. */
function givingWay<Node extends TargetNode>(
  component: readonly Position[],
  { after }: PositionGraph,
  links: Links<Node>,
  leadsThere: (next: Position) => boolean,
  start: Position,
): readonly CycleLink<Node>[] {
  const cycle = shorten(cycleIn(start, new Set(component), after));
  const found = new Map<string, CycleLink<Node>>();
  for (const position of component) {
    for (const next of after(position)) {
      if (!next.entered || !leadsThere(next)) continue;
      const { node, entered } = position;
      const below = next.node as Node;
      for (const above of new Set(entered ? [node, node.object] : [node]) as Set<Node>) {
        const origins = links.origins(above, below);
        if (origins.length === 0 || !origins.every(({ reference }) => reference.onCycle === 'drop')) continue;
        found.set(`${above.locator} ${below.locator}`, { above, below, cycle });
      }
    }
  }
  return [...found.values()];
}

/** There is a warning for each link of a long cycle, so each of these must be short. */
function shorten(cycle: readonly Position[]): string {
  if (cycle.length <= maxListed) return formatCycle(cycle);
  return `${formatCycle(cycle.slice(0, maxListed - 1))} → ${cycle.length - maxListed} more → ${formatCycle(cycle.slice(-1))}`;
}

/** The positions in cycles to which paths come from outside of their component. */
function entriesOf({ all, after }: PositionGraph, components: readonly (readonly Position[])[]): ReadonlySet<Position> {
  const component = new Map(components.flatMap((it) => it.map((position) => [position, it] as const)));
  const roots = new PositionSet();
  for (const root of rootPositions(new Set(all.map(({ node }) => node)))) roots.add(root);
  const entries = new Set<Position>();
  const reached = new Set(all.filter((position) => roots.has(position)));
  for (const position of reached) {
    for (const next of after(position)) {
      reached.add(next); // The cycle goes on to what is added.
      if (component.has(next) && component.get(next) !== component.get(position)) entries.add(next);
    }
  }
  return entries;
}
