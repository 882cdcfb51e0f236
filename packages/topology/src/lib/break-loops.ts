import type { Issue } from '@policy-machinery/resource';
import type { LinkOrigin } from './links.ts';
import { formatLoop, loopIn } from './loop-error.ts';
import { type Position, rootPositions } from './position.ts';
import { type PositionGraph, positionGraph } from './position-graph.ts';
import { PositionSet } from './position-set.ts';
import { loopingComponents } from './scc.ts';
import type { RefusedReference } from './snapshot.ts';
import type { MutableTargetNode, TargetNode } from './target-node.ts';

/** How many steps of a loop a message tells. */
const maxTold = 10;

/** Links while they are being made: from above to beneath, with the references that make them. */
export type MutableLinks = Map<MutableTargetNode, Map<MutableTargetNode, LinkOrigin[]>>;

/**
 * Takes out of `links` those that would make a loop and that all their references let give way. First the ones that lead
 * back to the only place where paths come into a loop, which no path can miss; of the loops that are still there, all.
 *
 * @param connect Links the targets anew.
 * @returns What was taken out. O(targets + links), and as much again for each round, mostly one.
 */
export function breakLoops(
  nodes: readonly MutableTargetNode[],
  links: MutableLinks,
  connect: (nodes: readonly MutableTargetNode[], links: MutableLinks) => void,
): readonly RefusedReference[] {
  if (![...links.values()].some((beneath) => [...beneath.values()].some(givesWay))) return [];
  const dropped: RefusedReference[] = [];
  for (let leadBack = true; ; leadBack = false) {
    const found = loopLinks(positionGraph(nodes), links, leadBack);
    for (const { above, beneath, loop } of found) {
      for (const { from, reference } of links.get(above)?.get(beneath) ?? []) {
        const message = `it leads back to where it comes from, by ${loop}`;
        dropped.push({ from, reference, to: beneath.locator, reason: 'Loop', message });
      }
      links.get(above)?.delete(beneath);
    }
    // Links to sections may show that one to the whole has covered.
    if (found.length > 0) connect(nodes, links);
    else if (!leadBack) return dropped;
  }
}

/** The issues of links that were left out, one for each reference. */
export function loopWarnings(dropped: readonly RefusedReference[]): readonly Issue[] {
  const byReference = new Map(dropped.toReversed().map((it) => [it.reference, it]));
  return [...byReference.values()].map(({ from, reference, to, message }) => ({
    code: 'loop',
    severity: 'warning',
    message: `makes no link to ${to}, for ${message}; remove one of the references`,
    resource: from.object.locator,
    pointer: reference.pointer,
  }));
}

interface LoopLink {
  readonly above: MutableTargetNode;
  readonly beneath: MutableTargetNode;
  /** A loop of the same tangle. */
  readonly loop: string;
}

/** The links that give way, of all loops: those that lead back to the only way in, or all. Some may come twice. */
function loopLinks(graph: PositionGraph, links: MutableLinks, leadBack: boolean): readonly LoopLink[] {
  const { all, after } = graph;
  const components = loopingComponents(all, after);
  const entries = components.length === 0 ? new Set<Position>() : entriesOf(graph, components);
  return components.flatMap((component) => {
    const inside = new Set(component);
    const ways = component.filter((position) => entries.has(position));
    if (leadBack && ways.length !== 1) return [];
    const [start] = (leadBack ? ways : component) as [Position];
    const loop = shorten(loopIn(start, inside, after));
    return component.flatMap((position) =>
      after(position)
        .filter((next) => next.entered && (leadBack ? next === start : inside.has(next)))
        .flatMap(({ node }) => holdersOf(position, node, links))
        .map((link) => ({ ...link, loop })),
    );
  });
}

/** Each link of a long loop is told of, so each of these must be short. */
function shorten(loop: readonly Position[]): string {
  if (loop.length <= maxTold) return formatLoop(loop);
  return `${formatLoop(loop.slice(0, maxTold - 1))} → ${loop.length - maxTold} more → ${formatLoop(loop.slice(-1))}`;
}

/** The links by which a path goes on from a position: of a section that it has entered, also those of the object. */
function holdersOf(position: Position, next: TargetNode, links: MutableLinks): readonly Omit<LoopLink, 'loop'>[] {
  const { node, entered } = position as Position & { readonly node: MutableTargetNode };
  const beneath = next as MutableTargetNode;
  const holders = [...new Set(entered ? [node, node.object] : [node])];
  return holders.flatMap((above) => {
    const origins = links.get(above)?.get(beneath);
    return origins !== undefined && givesWay(origins) ? { above, beneath } : [];
  });
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

function givesWay(origins: readonly LinkOrigin[]): boolean {
  return origins.every(({ reference }) => reference.breaksLoops === true);
}
