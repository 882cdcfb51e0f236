import type { Issue } from '@policy-machinery/resource';
import type { RefusedReference } from '../model/dangling-references.ts';
import type { Position } from '../model/path.ts';
import type { TargetNode } from '../model/target-node.ts';
import { rootPositions } from '../paths/position.ts';
import { type PositionGraph, positionGraph, remembered } from '../paths/position-graph.ts';
import { PositionSet } from '../paths/position-set.ts';
import { formatLoop, loopIn } from './cycle-error.ts';
import type { LinkOrigin } from './link-origin.ts';
import { loopingComponents } from './scc.ts';

/** How many steps of a loop a message tells. */
const maxTold = 10;

/** Of how many links of a tangle it is found out which ones alone must go; of larger ones all do. */
const maxWeighed = 500;
/** For each of these links all targets of the tangle are gone through: so many together. */
const maxSteps = 1_000_000;

/** The links among some targets, which can be taken out and put back. */
export interface Links<Node extends TargetNode> {
  /** The targets: with all that is above them. */
  readonly nodes: readonly Node[];
  /** The references that make a link from above to beneath; none where there is none. */
  readonly origins: (above: Node, beneath: Node) => readonly LinkOrigin[];
  readonly drop: (above: Node, beneath: Node) => void;
  readonly restore: (above: Node, beneath: Node) => void;
}

/**
 * Takes out links that would make a loop and that all their references let give way. First the ones that lead back to the only
 * place where paths come into a loop, which no path can miss. Of what goes round still, the ones whose holders are the youngest:
 * nobody loses a link because of a resource that someone else has made later.
 *
 * @returns What was taken out. O(targets + links), and as much again for each round and for each link that is weighed.
 */
export function breakLoops<Node extends TargetNode>(links: Links<Node>): readonly RefusedReference[] {
  const refused: RefusedReference[] = [];
  const drop = ({ above, beneath, loop }: LoopLink<Node>): void => {
    for (const { from, reference } of links.origins(above, beneath)) {
      const message = `it leads back to where it comes from, by ${loop}`;
      refused.push({ from, reference, to: beneath.locator, reason: 'Loop', message });
    }
    links.drop(above, beneath);
  };
  leadingBack(links).forEach(drop);
  // Links to sections may show that one to the whole has covered.
  for (let found = youngest(links); found.length > 0; found = youngest(links)) found.forEach(drop);
  return refused;
}

/** The issues of links that were left out, one for each reference. */
export function loopWarnings(dropped: readonly RefusedReference[]): readonly Issue[] {
  const byReference = new Map(
    dropped.toReversed().map((it) => [`${it.from.locator} ${it.reference.pointer}`, it] as const),
  );
  return [...byReference.values()].map(({ from, reference, to, message }) => ({
    code: 'loop',
    severity: 'warning',
    message: `makes no link to ${to}, for ${message}; remove one of the references`,
    resource: from.object.locator,
    pointer: reference.pointer,
  }));
}

interface LoopLink<Node> {
  readonly above: Node;
  readonly beneath: Node;
  /** A loop of the same tangle. */
  readonly loop: string;
}

/** The links that give way among those that lead back to the only way into a loop. */
function leadingBack<Node extends TargetNode>(links: Links<Node>): readonly LoopLink<Node>[] {
  const graph = remembered(positionGraph(links.nodes));
  const components = loopingComponents(graph.all, graph.after);
  const entries = components.length === 0 ? new Set<Position>() : entriesOf(graph, components);
  return components.flatMap((component) => {
    const [start, ...others] = component.filter((position) => entries.has(position));
    if (start === undefined || others.length > 0) return [];
    return givingWay(component, graph, links, (next) => next === start, start);
  });
}

/** The links of loops that give way, without which there is no loop, and with each of which there is. */
function youngest<Node extends TargetNode>(links: Links<Node>): readonly LoopLink<Node>[] {
  const graph = remembered(positionGraph(links.nodes));
  const components = loopingComponents(graph.all, graph.after);
  return components.flatMap((component) => {
    const inside = new Set(component);
    const found = givingWay(component, graph, links, (next) => inside.has(next), component[0] as Position);
    const steps = found.length * targetsIn(component).length;
    return found.length > maxWeighed || steps > maxSteps ? found : weigh(component, found, links);
  });
}

/** Puts links back one by one, the oldest first, but for those that close a loop. */
function weigh<Node extends TargetNode>(
  component: readonly Position[],
  found: readonly LoopLink<Node>[],
  links: Links<Node>,
): readonly LoopLink<Node>[] {
  const inOrder = found
    .map((link) => ({ link, age: ageOf(links.origins(link.above, link.beneath)) }))
    .sort((a, b) => (a.age < b.age ? -1 : 1));
  for (const { link } of inOrder) links.drop(link.above, link.beneath);
  const nodes = targetsIn(component);
  const closing: LoopLink<Node>[] = [];
  for (const { link } of inOrder) {
    links.restore(link.above, link.beneath);
    const { all, after } = positionGraph(nodes);
    if (loopingComponents(all, after).length === 0) continue;
    links.drop(link.above, link.beneath);
    closing.push(link);
  }
  for (const { above, beneath } of closing) links.restore(above, beneath);
  return closing;
}

/** The targets of a tangle: whole resources with all of their sections. */
function targetsIn(component: readonly Position[]): readonly TargetNode[] {
  return [...new Set(component.map(({ node }) => node.object))].flatMap((it) => [it, ...it.sections]);
}

/** When the first of the references that make a link was written, as a text to compare by. */
function ageOf(origins: readonly LinkOrigin[]): string {
  const ages = origins.map(({ from, reference }) => {
    const { creationTimestamp } = from.resource.metadata;
    return [creationTimestamp ?? '~', from.locator, reference.pointer].join('\u0000'); // Without a time: the youngest.
  });
  return ages.sort()[0] ?? '';
}

/** The links of a component that give way, of those that lead to some of its positions. Each once. */
function givingWay<Node extends TargetNode>(
  component: readonly Position[],
  { after }: PositionGraph,
  links: Links<Node>,
  leadsThere: (next: Position) => boolean,
  start: Position,
): readonly LoopLink<Node>[] {
  const loop = shorten(loopIn(start, new Set(component), after));
  const found = new Map<string, LoopLink<Node>>();
  for (const position of component) {
    for (const next of after(position)) {
      if (!next.entered || !leadsThere(next)) continue;
      const { node, entered } = position;
      const beneath = next.node as Node;
      for (const above of new Set(entered ? [node, node.object] : [node]) as Set<Node>) {
        const origins = links.origins(above, beneath);
        if (origins.length === 0 || !origins.every(({ reference }) => reference.breaksLoops === true)) continue;
        found.set(`${above.locator} ${beneath.locator}`, { above, beneath, loop });
      }
    }
  }
  return [...found.values()];
}

/** Each link of a long loop is told of, so each of these must be short. */
function shorten(loop: readonly Position[]): string {
  if (loop.length <= maxTold) return formatLoop(loop);
  return `${formatLoop(loop.slice(0, maxTold - 1))} → ${loop.length - maxTold} more → ${formatLoop(loop.slice(-1))}`;
}

/** The positions in loops to which paths come from outside of their component. */
function entriesOf({ all, after }: PositionGraph, components: readonly (readonly Position[])[]): ReadonlySet<Position> {
  const component = new Map(components.flatMap((it) => it.map((position) => [position, it] as const)));
  const roots = new PositionSet();
  for (const root of rootPositions(new Set(all.map(({ node }) => node)))) roots.add(root);
  const entries = new Set<Position>();
  const reached = new Set(all.filter((position) => roots.has(position)));
  for (const position of reached) {
    for (const next of after(position)) {
      reached.add(next); // The loop goes on to what is added.
      if (component.has(next) && component.get(next) !== component.get(position)) entries.add(next);
    }
  }
  return entries;
}
