import type { TargetNode } from '@policy-machinery/topology';
import { byTopologyOrder } from '@policy-machinery/topology/inner';
import { countingAttachments, type DeclaredPolicy } from '../levels/declared-policy.ts';
import { none } from '../support/nothing.ts';
import { type ContextNode, reachedFrom } from './context-nodes.ts';
import type { ContextAt, Contexts } from './contexts.ts';
import type { StackId } from './stacks.ts';

/** Returns the contexts with paths through a target, or through the members of a container. */
export function contextsThrough<Spec>(contexts: Contexts<Spec>, target: TargetNode): readonly ContextAt[] {
  const { stacks } = contexts.positions.arrivals;
  const stacksByTarget = new Map<TargetNode, Set<StackId>>();
  const add = (node: TargetNode, stack: StackId): void => {
    if (contexts.isWanted(node)) stacksByTarget.set(node, (stacksByTarget.get(node) ?? new Set()).add(stack));
  };
  const members = membersWithin(contexts, target);
  for (const stack of contexts.stacksOf(target)) add(target, stack);
  for (const member of members) {
    // Paths may only pass the member, into one of its sections.
    for (const stack of contexts.stacksOf(member)) if (stacks.isThrough(stack, target)) add(member, stack);
  }
  for (const context of contextsFrom(contexts, startsAt(contexts, target, members))) add(context.target, context.stack);
  return inOrder(contexts, stacksByTarget);
}

/** Visits the targets with the stacks on the paths from some nodes, the nearest first; some more than once. */
export function* contextsFrom<Spec>(contexts: Contexts<Spec>, starts: Iterable<ContextNode>): Iterable<ContextAt> {
  for (const contextNode of reachedFrom(starts, (it) => contexts.nodes.after(it))) {
    yield { target: contextNode.node, stack: contextNode.stack };
    yield* contexts.passedFrom(contextNode);
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
): readonly ContextAt[] {
  const { stacks } = contexts.positions.arrivals;
  const stacksByTarget = new Map<TargetNode, Set<StackId>>();
  for (const on of new Set(countingAttachments(declared, trafficFrom).map(({ target }) => target))) {
    for (const { target, stack } of contextsThrough(contexts, on)) {
      if (stacksByTarget.get(target)?.has(stack) || !stacks.policiesOf(stack).has(declared.node.locator)) continue;
      stacksByTarget.set(target, (stacksByTarget.get(target) ?? new Set()).add(stack));
    }
  }
  return inOrder(contexts, stacksByTarget);
}

function inOrder<Spec>(
  contexts: Contexts<Spec>,
  stacksByTarget: ReadonlyMap<TargetNode, ReadonlySet<StackId>>,
): readonly ContextAt[] {
  return [...stacksByTarget]
    .sort(([a], [b]) => byTopologyOrder(a, b))
    .flatMap(([target, stacks]) =>
      contexts.stacksOf(target).flatMap((stack) => (stacks.has(stack) ? { target, stack } : none)),
    );
}

/** Returns the nodes where paths reach a target, or the members of a container. */
function* startsAt<Spec>(
  contexts: Contexts<Spec>,
  target: TargetNode,
  members: readonly TargetNode[],
): Iterable<ContextNode> {
  if (contexts.positions.leadsThere(target))
    for (const position of contexts.arrivalsAt(target)) yield* contexts.nodes.at(position);
  for (const member of members) yield* nodesThrough(contexts, member, target);
}

/** Returns the nodes of a member of a container that have the policies of the container. */
export function* nodesThrough<Spec>(
  contexts: Contexts<Spec>,
  member: TargetNode,
  container: TargetNode,
): Iterable<ContextNode> {
  for (const position of contexts.arrivalsAt(member)) {
    for (const contextNode of contexts.nodes.at(position))
      if (contexts.positions.arrivals.stacks.isThrough(contextNode.stack, container)) yield contextNode;
  }
}

/** Returns the members of a container with policies that lead to wanted targets. */
function membersWithin<Spec>(contexts: Contexts<Spec>, target: TargetNode): readonly TargetNode[] {
  if (contexts.slotsAt(target).length === 0) return none;
  return [...contexts.topology.membersOf(target)].filter((member) => contexts.positions.leadsThere(member));
}
