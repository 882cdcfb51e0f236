import type { Issue } from '@policy-machinery/resource';
import type { LinkOrigin } from './links.ts';
import { formatLoop, loopIn } from './loop-error.ts';
import { type Position, rootPositions } from './position.ts';
import { type PositionGraph, positionGraph } from './position-graph.ts';
import { PositionSet } from './position-set.ts';
import { loopingComponents } from './scc.ts';
import type { RefusedReference } from './snapshot.ts';
import type { MutableTargetNode, TargetNode } from './target-node.ts';

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
    if (found.length > 0)
      connect(nodes, links); // Links to sections may show that one to the whole has covered.
    else if (!leadBack) return dropped;
  }
}

/** The issue of a link that was left out. */
export function loopWarning({ from, reference, message }: RefusedReference): Issue {
  return {
    code: 'loop',
    severity: 'warning',
    message: `makes no link, for ${message}; remove one of the references`,
    resource: from.object.locator,
    pointer: reference.pointer,
  };
}

interface LoopLink {
  readonly above: MutableTargetNode;
  readonly beneath: MutableTargetNode;
  /** A loop of the same tangle. */
  readonly loop: string;
}

/** The links that give way, of all loops: those that lead back to the only way in, or all. */
function loopLinks({ all, after }: PositionGraph, links: MutableLinks, leadBack: boolean): readonly LoopLink[] {
  const components = loopingComponents(all, after);
  if (components.length === 0) return [];
  const entries = entriesOf({ all, after }, components);
  const found = new Map<TargetNode, Map<TargetNode, LoopLink>>();
  for (const component of components) {
    const inside = new Set(component);
    const ways = component.filter((position) => entries.has(position));
    if (leadBack && ways.length !== 1) continue;
    const [start] = leadBack ? ways : component;
    const loop = formatLoop(loopIn(start as Position, inside, after));
    for (const position of component) {
      for (const next of after(position)) {
        if (!next.entered || !inside.has(next) || (leadBack && next !== start)) continue;
        const { node, entered } = position as { node: MutableTargetNode; entered: boolean };
        for (const above of new Set(entered ? [node, node.object] : [node])) {
          const beneath = next.node as MutableTargetNode;
          const origins = links.get(above)?.get(beneath);
          if (origins === undefined || !givesWay(origins)) continue;
          const there = found.get(above) ?? new Map<TargetNode, LoopLink>();
          found.set(above, there.set(beneath, { above, beneath, loop }));
        }
      }
    }
  }
  return [...found.values()].flatMap((there) => [...there.values()]);
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
