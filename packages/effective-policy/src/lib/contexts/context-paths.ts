import { PolicyMachineryError } from '@policy-machinery/resource';
import { type Path, type PathOptions, type TargetNode, targetsPassed } from '@policy-machinery/topology';
import type { ContextNode } from './position-stacks.ts';

type ContextNodesBefore<Spec> = (contextNode: ContextNode<Spec>) => readonly ContextNode<Spec>[];

/** Where a path that is being followed back has come to, and what comes after it. */
interface StepBack<Spec> {
  readonly contextNode: ContextNode<Spec>;
  readonly tail: Path;
}

/**
 * Makes the paths of a context, one by one.
 *
 * @param ends Where they stand at the target, or are right before they pass it on the way into one of its sections.
 * @param before Where the paths at a node come from.
 * @throws {PolicyMachineryError} `too-many-paths`, on making one more than the limit.
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

/** Goes back from the target, by those positions and stacks only from which it is reached with the stack. */
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
