import type { Policy } from '@policy-machinery/policy-kind';
import type { StackId } from '../contexts/stacks.ts';
import type { Level, LevelSlot } from '../levels/level.ts';
import { isEqualList } from '../support/same.ts';
import type { Hierarchy } from './hierarchy.ts';
import type { ViewState } from './view-state.ts';

/** Returns the known hierarchy with the same resources and policies as levels of another view, if there is one. O(levels). */
export function hierarchyLike<Spec>(
  state: ViewState<Spec>,
  levels: readonly Level<Spec>[],
): Hierarchy<Spec> | undefined {
  const { stacks } = state.contexts.positions.arrivals;
  if (levels.some(({ isPart }) => isPart)) return undefined;
  let stack: StackId | undefined = stacks.empty;
  for (const level of levels) {
    const slot = slotLike(state, level);
    stack = stack === undefined || slot === undefined ? undefined : stacks.known(stack, slot);
    if (stack === undefined) return undefined;
  }
  return state.hierarchies.known(stack);
}

function slotLike<Spec>({ topology, levels, own }: ViewState<Spec>, other: Level<Spec>): LevelSlot<Spec> | undefined {
  const target = topology.get(other.target.locator);
  if (target === undefined) return undefined;
  const similarSlot = levels.at(target).find(({ level }) => isLike(level, other, (a, b) => a === b));
  const { slot } = own.of(target);
  return similarSlot ?? (slot && isLike(slot.level, other, (a, b) => a.resource === b.resource) ? slot : undefined);
}

function isLike<Spec>(
  level: Level<Spec>,
  other: Level<Spec>,
  isSamePolicy: (a: Policy<Spec>, b: Policy<Spec>) => boolean,
): boolean {
  return (
    level.via === other.via &&
    level.resource === other.resource &&
    isEqualList(level.policies, other.policies, isSamePolicy)
  );
}
