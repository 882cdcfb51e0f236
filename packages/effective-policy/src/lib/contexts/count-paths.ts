import type { TargetNode } from '@policy-machinery/topology';
import type { Contexts } from './contexts.ts';
import { evaluate } from './evaluate.ts';
import type { ContextNode } from './position-stacks.ts';
import type { Stack } from './stack.ts';

/** Returns the number of paths that reach a target with a stack. O(links above) at first. */
export function countPaths<Spec>(contexts: Contexts<Spec>, target: TargetNode, stack: Stack<Spec>): bigint {
  return contexts.nodesOf(target, stack).reduce((count, node) => count + countAt(contexts, node), 0n);
}

function countAt<Spec>(contexts: Contexts<Spec>, contextNode: ContextNode<Spec>): bigint {
  evaluate(
    contextNode.position,
    ({ nodes = [] }) => nodes.every(({ count }) => count !== undefined),
    (position) => contexts.graph.before(position),
    (position, before) => {
      for (const it of position.nodes ?? []) it.count = position.isRoot ? 1n : 0n;
      for (const [it, earlier] of contexts.arrivals(position, before))
        it.count = (it.count ?? 0n) + (earlier.count ?? 0n);
    },
  );
  return contextNode.count ?? 0n;
}
