import type { Policy } from '@policy-machinery/policy-kind';
import { hasSameContent } from '@policy-machinery/resource/inner';
import type { Hierarchies, Hierarchy } from '../answers/hierarchy.ts';
import type { Positions } from '../contexts/positions.ts';
import type { StackId } from '../contexts/stacks.ts';
import type { Level, LevelSlot } from '../levels/level.ts';
import { isEqualList } from '../support/same.ts';

/** The stacks with edited policies, and their hierarchies before the edits. */
export class EditedStacks<Spec> {
  readonly stacks: ReadonlySet<StackId>;
  /** The stacks with results that may differ: those with policies, or targets that choose how, edited in more than the status. */
  readonly changed: ReadonlySet<StackId>;
  /** Whether more than statuses was edited, also where stacks are not known. */
  readonly isChanged: boolean;
  readonly #positions: Positions<Spec>;
  readonly #levels: ReadonlyMap<LevelSlot<Spec>, Level<Spec>>;
  readonly #hierarchies: Hierarchies<Spec>;
  readonly #before = new Map<StackId, Hierarchy<Spec>>();

  /**
   * Takes over the known hierarchies of these stacks, so that new ones are merged on demand.
   *
   * @param levels The slots with edited policies or targets, each with its level before.
   * @param isAsked Whether targets may choose how their policies are merged, so that edits of targets matter.
   */
  constructor(
    positions: Positions<Spec>,
    hierarchies: Hierarchies<Spec>,
    levels: ReadonlyMap<LevelSlot<Spec>, Level<Spec>>,
    isAsked: boolean,
  ) {
    this.#levels = levels;
    this.#hierarchies = hierarchies;
    const { stacks } = positions.arrivals;
    this.#positions = positions;
    this.stacks = stacks.having(levels.keys());
    const changed = [...levels].filter(([{ level }, levelBefore]) => {
      return (
        !haveSameContent(levelBefore.policies, level.policies) ||
        (isAsked && !hasSameContent(levelBefore.resource, level.resource))
      );
    });
    this.isChanged = changed.length > 0;
    this.changed = changed.length === levels.size ? this.stacks : stacks.having(changed.map(([slot]) => slot));
    for (const stack of this.stacks) {
      const hierarchy = hierarchies.known(stack);
      if (hierarchy !== undefined) this.#before.set(stack, hierarchy);
      hierarchies.forget(stack);
    }
  }

  /** Returns whether the same stacks are within the limits of contexts as before. */
  get areWithinSameLimits(): boolean {
    if ([...this.#levels].every(([slot, levelBefore]) => slot.level.fields === levelBefore.fields)) return true;
    return [...this.stacks].every(
      (stack) => this.#positions.hasTooManyFields(stack) === this.#positions.hasTooManyFields(stack, this.#levelBefore),
    );
  }

  before(stack: StackId): Hierarchy<Spec> {
    if (!this.stacks.has(stack)) return this.#hierarchies.of(stack);
    const knownHierarchy =
      this.#before.get(stack) ??
      this.#hierarchies.from(this.#positions.arrivals.stacks.slotsOf(stack).map(this.#levelBefore));
    this.#before.set(stack, knownHierarchy);
    return knownHierarchy;
  }

  readonly #levelBefore = (slot: LevelSlot<Spec>): Level<Spec> => this.#levels.get(slot) ?? slot.level;
}

/** Returns whether two lists have the same policies in the same order, apart from their statuses. O(size of the policies). */
function haveSameContent(some: readonly Policy<unknown>[], others: readonly Policy<unknown>[]): boolean {
  return isEqualList(some, others, (policy, other) => hasSameContent(policy.resource, other.resource));
}
