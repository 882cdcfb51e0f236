import { PolicyMachineryError } from '@policy-machinery/resource';
import { type Path, type PathOptions, type TargetNode, targetsPassed } from '@policy-machinery/topology';
import type { ContextNode } from './position-stacks.ts';

type ContextNodesBefore<Spec> = (contextNode: ContextNode<Spec>) => readonly ContextNode<Spec>[];

/** A step of a path that is followed back from its end. */
interface StepBack<Spec> {
  readonly contextNode: ContextNode<Spec>;
  readonly tail: Path;
}

/**
 * Returns the paths of a context, computed one by one.
 *
 * @param ends The nodes at which the paths end, or from which they pass the target into one of its sections.
 * @param before Returns the nodes right above a node.
 * @throws {PolicyMachineryError} `too-many-paths`, on the first path above the limit.
 */
export function* pathsTo<Spec>(
  target: TargetNode,
  ends: readonly ContextNode<Spec>[],
  before: ContextNodesBefore<Spec>,
  { limit = 10_000 }: PathOptions = {},
): Iterator<Path> {
  let count = 0;
  for (const path of followedBack(target, ends, before)) {
    count += 1;
    if (count > limit) {
      const message = `More than ${limit} paths lead to ${target.locator}; stop earlier, or raise the limit`;
      throw new PolicyMachineryError('too-many-paths', message);
    }
    yield path;
  }
}

/** Follows paths back from the target, through the nodes that lead to it with the stack. */
function* followedBack<Spec>(
  target: TargetNode,
  ends: readonly ContextNode<Spec>[],
  before: ContextNodesBefore<Spec>,
): Iterable<Path> {
  const steps = ends.map(
    (contextNode): StepBack<Spec> => ({ contextNode, tail: contextNode.position.node === target ? [] : [target] }),
  );
  steps.reverse();
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { contextNode, tail } = step;
    const path = [...targetsPassed(contextNode.position), ...tail];
    if (contextNode.position.isRoot) yield path;
    for (const earlier of before(contextNode).toReversed()) steps.push({ contextNode: earlier, tail: path });
  }
}
