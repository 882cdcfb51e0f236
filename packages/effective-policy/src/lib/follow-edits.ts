import type { TargetNode } from '@policy-machinery/topology';
import type { PlacedContext } from './contexts.ts';
import type { EditedStacks } from './edited-stacks.ts';
import type { Followed, Follower } from './follow.ts';
import { resettleEdited } from './resettle.ts';
import type { Stack } from './stack.ts';

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

  const changed = new Map<TargetNode, Edit<Spec>>();
  for (const [target, before] of lookedAt) {
    const now = before.length === 0 ? contexts.of(target) : edited.list(before);
    if (now !== before && now.length > 0) changed.set(target, { before, now });
  }
  const targets = new Set(changed.keys());
  if (!affected.isKnown) return { targets, lookedAt, policies: none, objects: objectsOf(beneath) };
  const unsettled = unsettledContexts(follower, changed);
  const above = resettleEdited(follower, unsettled, beneath);
  const objects = objectsOnTheWay(unsettled, beneath);
  return { targets, lookedAt, policies: none, objects: new Set([...objects, ...objectsOf(above)]) };
}

/** The stacks of a target, before and after edits; before, there are none where nobody had asked for them. */
interface Edit<Spec> {
  readonly before: readonly Stack<Spec>[];
  readonly now: readonly Stack<Spec>[];
}

const none: ReadonlySet<never> = new Set();

function objectsOf(targets: Iterable<TargetNode>): ReadonlySet<TargetNode> {
  return new Set(Array.from(targets, ({ object }) => object));
}

/** The contexts in which others set something than before, and those that nobody has asked for before. */
function unsettledContexts<Spec>(
  { isSetBySame }: Follower<Spec>,
  changed: ReadonlyMap<TargetNode, Edit<Spec>>,
): readonly PlacedContext<Spec>[] {
  const answers = new Map<Stack<Spec>, boolean>();
  const isSettled = (old: Stack<Spec> | undefined, now: Stack<Spec>): boolean => {
    if (old === undefined || old === now) return old === now;
    const answer = answers.get(now) ?? isSetBySame(old, now);
    answers.set(now, answer);
    return answer;
  };
  const unsettled: PlacedContext<Spec>[] = [];
  for (const [target, { before, now }] of changed) {
    for (const [index, stack] of now.entries()) {
      if (!isSettled(before[index], stack)) unsettled.push({ target, stack });
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
