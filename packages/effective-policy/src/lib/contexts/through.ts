import { byTopologyOrder, type TargetNode } from '@policy-machinery/topology';
import { countingAttachments, type DeclaredPolicy } from '../levels/declared-policy.ts';
import { none } from '../support/nothing.ts';
import type { ContextAt, Contexts } from './contexts.ts';
import type { ContextNode } from './position-stacks.ts';
import { isThrough, policiesOf, type Stack } from './stack.ts';

/** Returns the contexts whose paths lead through a target, or through the members of a namespace. */
export function contextsThrough<Spec>(contexts: Contexts<Spec>, target: TargetNode): readonly ContextAt<Spec>[] {
  const found = new Map<TargetNode, Set<Stack<Spec>>>();
  const add = (node: TargetNode, stack: Stack<Spec>): void => {
    if (contexts.isWanted(node)) found.set(node, (found.get(node) ?? new Set()).add(stack));
  };
  const members = membersWithin(contexts, target);
  for (const stack of contexts.of(target)) add(target, stack);
  for (const member of members) {
    // Paths may only pass the member, into one of its sections.
    for (const stack of contexts.of(member)) if (isThrough(stack, target)) add(member, stack);
  }
  for (const at of contextsFrom(contexts, startsAt(contexts, target, members))) add(at.target, at.stack);
  return inOrder(contexts, found);
}

/** Visits the targets with the stacks on the paths from some nodes, the nearest first; some more than once. */
export function* contextsFrom<Spec>(
  contexts: Contexts<Spec>,
  starts: Iterable<ContextNode<Spec>>,
): Iterable<ContextAt<Spec>> {
  const reached = new Set(starts);
  for (const contextNode of reached) {
    yield { target: contextNode.position.node, stack: contextNode.stack };
    yield* contexts.passedFrom(contextNode);
    for (const next of contexts.after(contextNode)) reached.add(next); // The loop visits added nodes, too.
  }
}

/**
 * Returns the contexts with a policy on their levels, in the order of their targets.
 *
 * @param trafficFrom The namespace that traffic comes from; `undefined` for traffic from elsewhere.
 */
export function contextsWith<Spec>(
  contexts: Contexts<Spec>,
  declared: DeclaredPolicy<Spec>,
  trafficFrom: string | undefined,
): readonly ContextAt<Spec>[] {
  const found = new Map<TargetNode, Set<Stack<Spec>>>();
  for (const on of new Set(countingAttachments(declared, trafficFrom).map(({ target }) => target))) {
    for (const { target, stack } of contextsThrough(contexts, on)) {
      if (found.get(target)?.has(stack) || !policiesOf(stack).has(declared.node.locator)) continue;
      found.set(target, (found.get(target) ?? new Set()).add(stack));
    }
  }
  return inOrder(contexts, found);
}

function inOrder<Spec>(
  contexts: Contexts<Spec>,
  found: ReadonlyMap<TargetNode, ReadonlySet<Stack<Spec>>>,
): readonly ContextAt<Spec>[] {
  return [...found]
    .sort(([a], [b]) => byTopologyOrder(a, b))
    .flatMap(([target, stacks]) =>
      contexts.of(target).flatMap((stack) => (stacks.has(stack) ? { target, stack } : none)),
    );
}

/** Returns the nodes with which paths reach a target, or the members of a namespace. */
function* startsAt<Spec>(
  contexts: Contexts<Spec>,
  target: TargetNode,
  members: readonly TargetNode[],
): Iterable<ContextNode<Spec>> {
  if (contexts.graph.leadsThere(target)) for (const { nodes = none } of contexts.arrivalsAt(target)) yield* nodes;
  for (const member of members) {
    for (const { nodes = none } of contexts.arrivalsAt(member)) {
      for (const contextNode of nodes) if (isThrough(contextNode.stack, target)) yield contextNode;
    }
  }
}

/** Returns the members of a namespace with policies that lead to wanted targets. */
function membersWithin<Spec>(contexts: Contexts<Spec>, target: TargetNode): readonly TargetNode[] {
  if (contexts.slotsAt(target).length === 0) return none;
  return [...contexts.topology.membersOf(target)].filter((member) => contexts.graph.leadsThere(member));
}
