import type { TargetNode } from '@policy-machinery/topology';
import type { Contexts } from './contexts.ts';
import { isThrough, type Stack } from './stack.ts';

/**
 * Returns the targets that paths of a context pass, with the target itself, and the namespaces with policies on the way: those through which
 * `contextsThrough` finds the context. O(nodes above).
 */
export function targetsPassedBy<Spec>(
  contexts: Contexts<Spec>,
  target: TargetNode,
  stack: Stack<Spec>,
): ReadonlySet<TargetNode> {
  const passed = new Set([target]);
  const addNamespace = ({ namespace }: TargetNode): void => {
    if (namespace !== undefined && isThrough(stack, namespace)) passed.add(namespace);
  };
  addNamespace(target.object);
  const reached = new Set(contexts.nodesOf(target, stack));
  for (const contextNode of reached) {
    const { node, entered } = contextNode.position;
    passed.add(node);
    if (entered) passed.add(node.object); // The path arrives at the object as well.
    addNamespace(node.object);
    for (const before of contexts.before(contextNode)) reached.add(before); // The loop visits added nodes, too.
  }
  return passed;
}
