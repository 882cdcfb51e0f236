import { type TargetNode, targetsBelow } from '@policy-machinery/topology';
import type { ViewState } from '../answers/view-state.ts';
import { policiesOf, type Stack } from '../contexts/stack.ts';
import { contextsThrough } from '../contexts/through.ts';
import { none } from '../support/nothing.ts';
import type { EditedStacks } from './edited-stacks.ts';
import { touchDifferent, touchPolicies } from './touched-policies.ts';

/** Receives the locators of policies whose status may need updating. */
export type Touch = (policy: string) => void;

/**
 * Finds the scopes on a target again.
 *
 * @param before The known stacks of the target before.
 */
export function renewScopes<Spec>(
  state: ViewState<Spec>,
  target: TargetNode,
  before: readonly Stack<Spec>[],
  touch: Touch,
): void {
  const isThere = state.topology.get(target) === target;
  const { known, growing } = state.scopes;
  if (known !== undefined) {
    const different = known.set(target, isThere ? state.scopes.on(target) : none);
    touchPolicies(different, state.hierarchies, touch);
    return;
  }
  growing?.renew(target, isThere ? state.scopes.on(target) : none);
  for (const stacks of [before, isThere ? state.contexts.of(target) : none]) {
    for (const stack of stacks) for (const locator of policiesOf(stack)) touch(locator);
  }
}

/** Compares the shares of policies in the scopes of stacks with edited policies. */
export function compareScopes<Spec>(state: ViewState<Spec>, edited: EditedStacks<Spec>, touch: Touch): void {
  const { known } = state.scopes;
  if (known === undefined) return;
  for (const stack of edited.stacks) {
    if (!known.hasStack(stack)) continue;
    known.edit(stack);
    touchDifferent(edited.before(stack).shares, state.hierarchies.of(stack).shares, touch);
  }
}

/** Compares the known shares of the policies on each target among themselves. */
export function renewSharesAt<Spec>(state: ViewState<Spec>, targets: Iterable<TargetNode>, touch: Touch): void {
  for (const target of targets) {
    const before = state.forgetSharesAt(target);
    if (before === undefined || state.topology.get(target) !== target) continue;
    touchDifferent(before, state.sharesAt(target), touch);
  }
}

/**
 * Touches all policies whose status may depend on a target, or on the targets below.
 *
 * @param objects Receives the objects whose status may depend on these.
 */
export function touchBelow<Spec>(
  state: ViewState<Spec>,
  target: TargetNode,
  touch: Touch,
  objects: Set<TargetNode>,
): void {
  for (const { stack } of contextsThrough(state.contexts, target))
    for (const locator of policiesOf(stack)) touch(locator);
  for (const below of targetsBelow([target])) {
    objects.add(below.object);
    for (const locator of state.policiesNaming(below)) touch(locator);
  }
}
