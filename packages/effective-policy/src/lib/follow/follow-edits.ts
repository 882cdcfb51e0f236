import type { TargetNode } from '@policy-machinery/topology';
import type { ViewState } from '../answers/view-state.ts';
import type { ContextAt } from '../contexts/contexts.ts';
import type { Stack } from '../contexts/stack.ts';
import { isSetBySame } from '../reasons/policy-share.ts';
import { aboveChanges } from './above.ts';
import type { EditedStacks } from './edited-stacks.ts';
import type { FollowedTargets, Moves } from './followed.ts';
import { resettleEdited } from './resettle.ts';

/** Makes contexts follow edits of policies. All that is known about paths stays. */
export function followEdits<Spec>(
  state: ViewState<Spec>,
  { levels, below, edited }: Moves<Spec>,
): FollowedTargets<Spec> {
  const { topology, contexts, affected } = state;
  const wanted = [...below].filter((target) => contexts.isWanted(target));
  const unknown = new Set(wanted.filter((target) => !contexts.isFound(target))); // A question about one section finds all.
  const targets = new Set<TargetNode>();
  const lookedAt = new Map<TargetNode, readonly Stack<Spec>[]>();
  for (const target of wanted) {
    const stacks = contexts.of(target);
    lookedAt.set(target, stacks);
    if (unknown.has(target) ? stacks.length > 0 : stacks.some((stack) => edited.changed.has(stack)))
      targets.add(target);
  }
  if (!affected.isKnown) {
    // What sets a field below decides which policies count above.
    const objects = objectsOf(edited.isChanged ? [...below, ...aboveChanges(topology, [], levels)] : targets);
    return { targets, lookedAt, policies: noPolicies, objects };
  }
  const unsettled = unsettledContexts(state, lookedAt, unknown, edited);
  const above = resettleEdited(state, unsettled, below);
  const objects = objectsOnTheWay(unsettled, below);
  return { targets, lookedAt, policies: noPolicies, objects: new Set([...objects, ...objectsOf(above)]) };
}

const noPolicies: ReadonlySet<never> = new Set();

function objectsOf(targets: Iterable<TargetNode>): Set<TargetNode> {
  return new Set(Array.from(targets, ({ object }) => object));
}

/**
 * Returns the contexts whose setters differ from before, in their members or order, and those that were not known before.
 *
 * @param unknown The targets whose contexts were not known.
 */
function unsettledContexts<Spec>(
  state: ViewState<Spec>,
  lookedAt: ReadonlyMap<TargetNode, readonly Stack<Spec>[]>,
  unknown: ReadonlySet<TargetNode>,
  edited: EditedStacks<Spec>,
): readonly ContextAt<Spec>[] {
  const settled = new Map<Stack<Spec>, boolean>();
  const isSettled = (context: ContextAt<Spec>): boolean => {
    const merged = state.merged(context);
    if (!edited.stacks.has(merged)) return true;
    const answer =
      settled.get(merged) ?? isSetBySame(edited.before(merged), state.hierarchies.of(merged), state.kind.order.compare);
    settled.set(merged, answer);
    return answer;
  };
  const unsettled: ContextAt<Spec>[] = [];
  for (const [target, stacks] of lookedAt) {
    for (const stack of stacks) {
      const context = { target, stack };
      if (unknown.has(target) || !isSettled(context)) unsettled.push(context);
    }
  }
  return unsettled;
}

/** Returns the objects on the paths from edited policies to some contexts, and the objects of these. */
function objectsOnTheWay(
  contexts: readonly { readonly target: TargetNode }[],
  below: ReadonlySet<TargetNode>,
): ReadonlySet<TargetNode> {
  const objects = new Set(contexts.map(({ target }) => target.object));
  for (const object of objects) {
    for (const node of [object, ...object.sections]) {
      if (!below.has(node)) continue;
      for (const parent of node.linksFrom) if (below.has(parent)) objects.add(parent.object); // The loop visits added targets, too.
    }
  }
  return objects;
}
