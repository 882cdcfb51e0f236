import { type TargetNode, targetsAboveChanged } from '@policy-machinery/topology';
import type { ViewState } from '../answers/view-state.ts';
import type { ArrivalsId } from '../contexts/arrivals.ts';
import type { ContextAt } from '../contexts/contexts.ts';
import type { StackId } from '../contexts/stacks.ts';
import { isSetBySame } from '../reasons/policy-share.ts';
import type { FollowedTargets, Moves } from './followed.ts';

/** Makes contexts follow edits of policies. All that is known about paths stays. */
export function followEdits<Spec>(
  state: ViewState<Spec>,
  { levels, below, edited }: Moves<Spec>,
): FollowedTargets<Spec> {
  const { topology, contexts } = state;
  const wanted = [...below].filter((target) => contexts.isWanted(target));
  const unknown = new Set(wanted.filter((target) => contexts.found(target) === undefined));
  const targets = new Set<TargetNode>();
  const lookedAt = new Map<TargetNode, ArrivalsId>();
  for (const target of wanted) {
    lookedAt.set(target, contexts.of(target));
    const stacks = contexts.stacksOf(target);
    if (unknown.has(target) ? stacks.length > 0 : stacks.some((stack) => edited.changed.has(stack)))
      targets.add(target);
  }
  if (!edited.isChanged) return { targets, lookedAt, policies: noPolicies, objects: objectsOf(targets) };
  const { contexts: unsettled, isAbove } = unsettledContexts(state, lookedAt, unknown, { below, edited });
  // The policies that set a field below decide which policies count above.
  const objects = [...objectsOnTheWay(unsettled, below), ...(isAbove ? targetsAboveChanged(topology, levels) : [])];
  return { targets, lookedAt, policies: noPolicies, objects: objectsOf(objects) };
}

const noPolicies: ReadonlySet<never> = new Set();

function objectsOf(targets: Iterable<TargetNode>): Set<TargetNode> {
  return new Set(Array.from(targets, ({ object }) => object));
}

/** The contexts with setters that may differ from before, and whether setters above the edited policies may. */
interface Unsettled {
  readonly contexts: readonly ContextAt[];
  readonly isAbove: boolean;
}

/**
 * Returns the contexts with setters that differ from before, in their members or order, and those that were not
 * asked for before.
 *
 * @param unknown The targets with contexts that were not known.
 */
function unsettledContexts<Spec>(
  state: ViewState<Spec>,
  lookedAt: ReadonlyMap<TargetNode, ArrivalsId>,
  unknown: ReadonlySet<TargetNode>,
  { below, edited }: Pick<Moves<Spec>, 'below' | 'edited'>,
): Unsettled {
  let isAbove = unknown.size > 0;
  const isAttachedAbove = (policy: string): boolean =>
    state.levels.slotsWith(policy).some(({ target }) => !below.has(target));
  const isSettledIn = (merged: StackId): boolean => {
    const [previousHierarchy, currentHierarchy] = [edited.before(merged), state.hierarchies.of(merged)];
    if (!previousHierarchy.hasShares) isAbove = true;
    else if (isSetBySame(previousHierarchy, currentHierarchy, state.kind.order.compare)) return true;
    else isAbove ||= differing(previousHierarchy.setters, currentHierarchy.setters).some(isAttachedAbove);
    return false;
  };
  const settled = new Map<StackId, boolean>();
  const contexts: ContextAt[] = [];
  for (const [target, list] of lookedAt) {
    for (const stack of state.contexts.positions.arrivals.stacksOf(list)) {
      const merged = state.merged({ target, stack });
      if (!edited.stacks.has(merged) && !unknown.has(target)) continue;
      const isSettled = !unknown.has(target) && (settled.get(merged) ?? isSettledIn(merged));
      settled.set(merged, isSettled);
      if (!isSettled) contexts.push({ target, stack });
    }
  }
  return { contexts, isAbove };
}

/** Returns the items that are in one of two sets. */
function differing<Item>(a: ReadonlySet<Item>, b: ReadonlySet<Item>): readonly Item[] {
  return [...[...a].filter((item) => !b.has(item)), ...[...b].filter((item) => !a.has(item))];
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
