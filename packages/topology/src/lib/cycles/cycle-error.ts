import { type Issue, PolicyMachineryError } from '@policy-machinery/resource';
import type { Position } from '../model/path.ts';
import type { Reference } from '../model/reference.ts';
import type { TargetNode } from '../model/target-node.ts';
import type { PositionGraph } from '../paths/position-graph.ts';
import { sortedBy } from '../support/sorted-by.ts';
import { cyclicComponents } from './scc.ts';

/** A reference that makes a link. */
export interface LinkOrigin {
  /** The target that holds the reference. */
  readonly from: TargetNode;
  readonly reference: Reference;
}

export type OriginsOf = (above: TargetNode, below: TargetNode) => readonly LinkOrigin[];

/**
 * Returns the error for cycles: the shortest cycle through the first target of each component, with its references.
 *
 * @param graph Positions in cycles, and possibly others, by locator.
 */
export function cycleError({ positions, successors }: PositionGraph, origins: OriginsOf): PolicyMachineryError {
  const issues = cyclicComponents(positions, successors).map((component) =>
    cycleIssue(cycleIn(component[0] as Position, new Set(component), successors), origins),
  );
  const inOrder = sortedBy(issues, ({ message }) => message);
  return new PolicyMachineryError('cycle', 'The links form a cycle', inOrder);
}

/** Returns the shortest cycle from a position back to it, with the position at both ends. */
export function cycleIn(
  start: Position,
  component: ReadonlySet<Position>,
  successors: PositionGraph['successors'],
): readonly Position[] {
  const predecessors = new Map<Position, Position>();
  const queue = [start];
  for (let index = 0; !predecessors.has(start); index += 1) {
    const position = queue[index] as Position;
    for (const next of successors(position)) {
      if (predecessors.has(next) || !component.has(next)) continue;
      predecessors.set(next, position);
      queue.push(next);
    }
  }
  const cycle = [start];
  for (let place = predecessors.get(start) as Position; place !== start; place = predecessors.get(place) as Position)
    cycle.push(place);
  return [...cycle, start].reverse();
}

/** Returns a cycle as text for people. */
export function formatCycle(cycle: readonly Position[]): string {
  return cycle.map(({ node }) => node.locator).join(' → ');
}

function cycleIssue(cycle: readonly Position[], origins: OriginsOf): Issue {
  const references = cycle.slice(1).flatMap(({ node, entered }, index) => {
    const { node: above } = cycle[index] as Position;
    const [origin] = entered ? [...origins(above, node), ...origins(above.object, node)] : [];
    return origin === undefined ? [] : [`${origin.from.object.locator} ${origin.reference.pointer}`];
  });
  const message = `${formatCycle(cycle)}; remove one of the references ${references.join(', ')}`;
  return { code: 'cycle', severity: 'error', message, resource: (cycle[0] as Position).node.object.locator };
}
