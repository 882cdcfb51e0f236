import type { TargetNode } from '@policy-machinery/topology';
import { targetsBelow } from '@policy-machinery/topology/inner';
import type { ViewState } from '../answers/view-state.ts';
import type { ArrivalsId } from '../contexts/arrivals.ts';
import { contextsThrough } from '../contexts/through.ts';
import type { EditedStacks } from './edited-stacks.ts';
import { touchDifferent, touchPolicies } from './touched-policies.ts';

/** Receives the locators of policies that may need a status update. */
export type Touch = (policy: string) => void;

/**
 * Finds the scopes on a target again.
 *
 * @param listBefore The known contexts of the target before.
 * @param hasUndecidedLinks Whether the topology has undecided links, or had some before the change.
 */
export function renewScopes<Spec>(
  state: ViewState<Spec>,
  target: TargetNode,
  listBefore: ArrivalsId,
  touch: Touch,
  hasUndecidedLinks: boolean,
): void {
  const different = state.scopes.renew(target);
  // Whether a link is undecided depends on the path to the target, not on the scope.
  if (different !== undefined && !hasUndecidedLinks) {
    touchPolicies(state, different, touch);
    return;
  }
  const isThere = state.topology.get(target) === target;
  for (const list of isThere ? [listBefore, state.contexts.of(target)] : [listBefore]) {
    for (const stack of state.contexts.positions.arrivals.stacksOf(list))
      for (const locator of state.stacks.policiesOf(stack)) touch(locator);
  }
}

/** Compares the shares of policies in the scopes of stacks with edited policies. */
export function compareScopes<Spec>(state: ViewState<Spec>, edited: EditedStacks<Spec>, touch: Touch): void {
  const scopes = state.scopes.known;
  if (scopes === undefined) return;
  for (const stack of edited.stacks) {
    if (!scopes.hasStack(stack)) continue;
    scopes.edit(stack);
    touchDifferent(edited.before(stack).shares, state.hierarchies.of(stack).shares, touch);
  }
}

/** Compares the known shares of the policies on each target among themselves. */
export function renewSharesAt<Spec>(state: ViewState<Spec>, targets: Iterable<TargetNode>, touch: Touch): void {
  for (const target of targets) {
    const sharesBefore = state.forgetSharesAt(target);
    if (sharesBefore === undefined || state.topology.get(target) !== target) continue;
    touchDifferent(sharesBefore, state.sharesAt(target), touch);
  }
}

/**
 * Touches all policies with a status that may depend on a target, or on the targets below.
 *
 * @param objects Receives the objects with a status that may depend on these.
 */
export function touchBelow<Spec>(
  state: ViewState<Spec>,
  target: TargetNode,
  touch: Touch,
  objects: Set<TargetNode>,
): void {
  for (const { stack } of contextsThrough(state.contexts, target))
    for (const locator of state.stacks.policiesOf(stack)) touch(locator);
  for (const below of targetsBelow([target])) {
    objects.add(below.object);
    for (const locator of state.policiesNaming(below)) touch(locator);
  }
}
