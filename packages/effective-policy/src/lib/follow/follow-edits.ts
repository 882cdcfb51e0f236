import type { TargetNode } from '@policy-machinery/topology';
import type { PlacedContext } from '../contexts/contexts.ts';
import type { Stack } from '../contexts/stack.ts';
import type { EditedStacks } from './edited-stacks.ts';
import type { Followed, Follower } from './follow.ts';
import { resettleEdited } from './resettle.ts';

/** Makes contexts follow edits of policies: all that is known stays in its place, with other stacks. */
export function followEdits<Spec>(
  follower: Follower<Spec>,
  beneath: ReadonlySet<TargetNode>,
  edited: EditedStacks<Spec>,
): Omit<Followed<Spec>, 'edited'> {
  const { contexts, affected } = follower;
  const lookedAt = new Map<TargetNode, readonly Stack<Spec>[]>();
  for (const target of beneath) if (contexts.isWanted(target)) lookedAt.set(target, contexts.found(target) ?? []);
  for (const target of beneath) contexts.edit(target, edited); // What is known of sections may be kept with their objects.

  const targets = new Set<TargetNode>();
  for (const [target, before] of lookedAt) {
    const isChanged = before.length === 0 ? contexts.of(target).length > 0 : edited.list(before).changed.length > 0;
    if (isChanged) targets.add(target);
  }
  if (!affected.isKnown) return { targets, lookedAt, policies: noPolicies, objects: objectsOf(beneath) };
  const unsettled = unsettledContexts(follower, lookedAt, edited);
  const above = resettleEdited(follower, unsettled, beneath);
  const objects = objectsOnTheWay(unsettled, beneath);
  return { targets, lookedAt, policies: noPolicies, objects: new Set([...objects, ...objectsOf(above)]) };
}

const noPolicies: ReadonlySet<never> = new Set();

function objectsOf(targets: Iterable<TargetNode>): Set<TargetNode> {
  return new Set(Array.from(targets, ({ object }) => object));
}

/**
 * The contexts in which others set something than before, or in another order, and those that nobody has asked for before.
 *
 * @param lookedAt The stacks that targets had before; none where nobody has asked for them.
 */
function unsettledContexts<Spec>(
  { contexts, isSetBySame }: Follower<Spec>,
  lookedAt: ReadonlyMap<TargetNode, readonly Stack<Spec>[]>,
  edited: EditedStacks<Spec>,
): readonly PlacedContext<Spec>[] {
  const answers = new Map<Stack<Spec>, boolean>();
  const isSettled = (old: Stack<Spec>, now: Stack<Spec>): boolean => {
    const answer = answers.get(now) ?? isSetBySame(old, now);
    answers.set(now, answer);
    return answer;
  };
  const unsettled: PlacedContext<Spec>[] = [];
  for (const [target, before] of lookedAt) {
    if (before.length === 0) for (const stack of contexts.of(target)) unsettled.push({ target, stack });
    const { now, changed } = edited.list(before);
    for (const index of changed) {
      const stack = now[index] as Stack<Spec>;
      if (!isSettled(before[index] as Stack<Spec>, stack)) unsettled.push({ target, stack });
    }
  }
  return unsettled;
}

/** The objects that are passed on the way to some contexts from where policies have been edited, and theirs. */
function objectsOnTheWay(
  contexts: readonly { readonly target: TargetNode }[],
  beneath: ReadonlySet<TargetNode>,
): ReadonlySet<TargetNode> {
  const objects = new Set(contexts.map(({ target }) => target.object));
  for (const object of objects) {
    for (const node of [object, ...object.sections]) {
      if (!beneath.has(node)) continue;
      for (const parent of node.linksFrom) if (beneath.has(parent)) objects.add(parent.object); // The loop goes on to what is added.
    }
  }
  return objects;
}
