import type { ChangeRecord, TargetNode } from '@policy-machinery/topology';
import type { Affected } from '../answers/affected.ts';
import type { ViewState } from '../answers/view-state.ts';
import type { ContextAt, Contexts } from '../contexts/contexts.ts';
import type { ContextNode, PositionStacks } from '../contexts/position-stacks.ts';
import { policiesOf, type Stack } from '../contexts/stack.ts';
import { emptySet } from '../support/nothing.ts';
import { isSameSet } from '../support/same.ts';

/** The known answers of a target before a change. */
export interface KnownBefore<Spec> {
  readonly positions: readonly PositionStacks<Spec>[];
  readonly stacks: readonly Stack<Spec>[] | undefined;
}

/**
 * Finds the known setters of targets again that are above targets whose contexts were found again, upwards for as long as the setters
 * differ.
 *
 * @param before The known answers of the targets whose contexts were found again.
 * @returns The targets with different setters.
 */
export function resettle<Spec>(
  state: ViewState<Spec>,
  records: readonly ChangeRecord[],
  before: ReadonlyMap<TargetNode, KnownBefore<Spec>>,
): ReadonlySet<TargetNode> {
  const { topology, contexts, affected } = state;
  const pending: ContextNode<Spec>[] = [];
  for (const { changed } of records) {
    for (const target of changed) {
      if (before.has(target) || topology.get(target) !== target || !contexts.graph.leadsThere(target)) continue;
      for (const position of contexts.positionsOf(target)) pending.push(...(position.nodes ?? []));
    }
  }
  for (const [target, { positions }] of before) {
    if (topology.get(target) !== target || !contexts.graph.leadsThere(target)) continue;
    for (const now of contexts.positionsOf(target)) {
      const old = positions.find(({ entered }) => entered === now.entered);
      pending.push(...nodesAbove(contexts, affected, { old, now }, before));
    }
  }
  return resettleFrom(state, pending);
}

/**
 * Does the same after edits, which leave contexts as they are but change the setters of some.
 *
 * @param unsettled The contexts with different setters.
 * @param below The targets that are reported as changed anyway.
 */
export function resettleEdited<Spec>(
  state: ViewState<Spec>,
  unsettled: Iterable<ContextAt<Spec>>,
  below: ReadonlySet<TargetNode>,
): ReadonlySet<TargetNode> {
  const { contexts, affected } = state;
  const before = new Map<ContextNode<Spec>, ContextNode<Spec>['setters']>();
  for (const { target, stack } of unsettled) {
    for (const contextNode of contexts.nodesOf(target, stack)) before.set(contextNode, contextNode.setters);
  }
  const beyond: (readonly [below: ContextNode<Spec>, above: readonly ContextNode<Spec>[]])[] = [];
  const positionsBefore = new Map<PositionStacks<Spec>, readonly PositionStacks<Spec>[]>(); // A position has several nodes.
  for (const [contextNode] of before) {
    const from = positionsBefore.get(contextNode.position) ?? contexts.graph.before(contextNode.position);
    positionsBefore.set(contextNode.position, from);
    const above = contexts.before(contextNode, from);
    for (const it of above) if (below.has(it.position.node)) before.set(it, it.setters); // The loop visits added nodes, too.
    beyond.push([contextNode, above.filter(({ position }) => !below.has(position.node))]);
  }
  for (const contextNode of before.keys()) contextNode.setters = undefined;
  const pending = beyond.flatMap(([contextNode, above]) =>
    above.length === 0 || isSame(before.get(contextNode), affected.settersAt(contextNode)) ? [] : above,
  );
  return resettleFrom(state, pending);
}

/** Finds the setters at some nodes again, and further up for as long as they differ. */
function resettleFrom<Spec>(
  { contexts, affected }: ViewState<Spec>,
  pending: ContextNode<Spec>[],
): ReadonlySet<TargetNode> {
  const different = new Set<TargetNode>();
  for (let contextNode = pending.pop(); contextNode !== undefined; contextNode = pending.pop()) {
    const { setters } = contextNode;
    contextNode.setters = undefined;
    if (isSame(setters, affected.settersAt(contextNode))) continue;
    different.add(contextNode.position.node);
    pending.push(...contexts.before(contextNode));
  }
  return different;
}

/** Returns whether the setters are the same as before; `false` if they were not asked for since the last change. */
function isSame<Spec>(before: ContextNode<Spec>['setters'], now: ReadonlySet<string>): boolean {
  return before !== undefined && isSameSet(before, now);
}

/** Returns the nodes above a changed position, outside of all that has changed, whose setters may differ. */
function nodesAbove<Spec>(
  contexts: Contexts<Spec>,
  affected: Affected<Spec>,
  { old, now }: { readonly old: PositionStacks<Spec> | undefined; readonly now: PositionStacks<Spec> },
  before: ReadonlyMap<TargetNode, KnownBefore<Spec>>,
): readonly ContextNode<Spec>[] {
  const { graph } = contexts;
  const { node, entered } = now;
  const passesObject = entered && node.section !== undefined && contexts.isWanted(node.object);
  return graph.before(now).flatMap((above) => {
    if (before.has(above.node)) return [];
    return (above.nodes ?? []).filter((contextNode) => {
      if (contextNode.stack.slot === undefined) return false;
      if (passesObject) return true;
      const [was, is] = [old, now].map((position) => position?.with(graph.arriving(contextNode.stack, position)));
      const setters = is === undefined ? undefined : affected.settersAt(is);
      if (was !== undefined && was.setters === undefined) return true; // The setters were not asked for since the last change.
      if (isSameSet(was?.setters ?? emptySet, setters ?? emptySet)) return false;
      const met = policiesOf(contextNode.stack);
      return !isSameSet(among(was?.setters, met), among(setters, met));
    });
  });
}

function among(setters: ReadonlySet<string> | undefined, met: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...(setters ?? [])].filter((policy) => met.has(policy)));
}
