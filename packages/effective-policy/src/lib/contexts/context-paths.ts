import { PolicyMachineryError } from '@policy-machinery/resource';
import type { Path, PathOptions, TargetNode } from '@policy-machinery/topology';
import { targetsPassed } from '@policy-machinery/topology/inner';
import type { ContextNode } from './context-nodes.ts';

type NodesBefore = (contextNode: ContextNode) => readonly ContextNode[];

/** A step of a path that is followed back from its end. */
interface StepBack {
  readonly contextNode: ContextNode;
  readonly tail: Path;
}

/**
 * Returns the paths of a context, computed one by one.
 *
 * @param ends The nodes where the paths end, or pass the target into one of its sections.
 * @param nodesBefore Returns the nodes right above a node.
 * @throws {PolicyMachineryError} `too-many-paths`, on the first path above the limit.
 */
export function* pathsTo(
  target: TargetNode,
  ends: readonly ContextNode[],
  nodesBefore: NodesBefore,
  { limit = 10_000 }: PathOptions = {},
): Iterator<Path> {
  let count = 0;
  for (const path of followedBack(target, ends, nodesBefore)) {
    count += 1;
    if (count > limit) {
      const message = `More than ${limit} paths lead to ${target.locator}; stop earlier, or raise the limit`;
      throw new PolicyMachineryError('too-many-paths', message);
    }
    yield path;
  }
}

/** Follows paths back from the target, through the nodes that lead to it with the stack. */
function* followedBack(target: TargetNode, ends: readonly ContextNode[], nodesBefore: NodesBefore): Iterable<Path> {
  const steps = ends.map(
    (contextNode): StepBack => ({ contextNode, tail: contextNode.node === target ? [] : [target] }),
  );
  steps.reverse();
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { contextNode, tail } = step;
    const path = [...targetsPassed(contextNode), ...tail];
    const previousNodes = nodesBefore(contextNode);
    if (previousNodes.length === 0) yield path; // Paths begin here: nodes that no path reaches do not exist.
    for (const earlier of previousNodes.toReversed()) steps.push({ contextNode: earlier, tail: path });
  }
}
