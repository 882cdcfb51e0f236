import type { Policy } from '@policy-machinery/policy-kind';
import { type Level, LevelSlot } from '../levels/level.ts';
import type { Part } from './part-of-level.ts';
import type { StackId, Stacks } from './stacks.ts';

/** Returns a level of the same target with fewer policies. */
export type LevelWith = <Spec>(level: Level<Spec>, policies: readonly Policy<Spec>[]) => Level<Spec>;

/**
 * Removes barred policies from stacks: a verdict bars them from contexts through one of the targets of the stack. The rest is merged, as if the
 * barred policies did not exist. Contexts that differ only in barred policies share the stack that is left. At some targets, only a part of each
 * policy is merged.
 */
export class HeldStacks<Spec> {
  #stacks: Stacks<Spec>;
  readonly #levelWith: LevelWith;
  readonly #held = new Map<StackId, StackId>();
  /** The slots with fewer policies that were made of each slot, by the locators of the policies that are left. */
  readonly #fewer = new Map<LevelSlot<Spec>, Map<string, LevelSlot<Spec>>>();

  constructor(stacks: Stacks<Spec>, levelWith: LevelWith) {
    this.#stacks = stacks;
    this.#levelWith = levelWith;
  }

  /** Uses other tables with the same slots from now on. */
  moveTo(stacks: Stacks<Spec>): void {
    this.#stacks = stacks;
    this.#held.clear();
  }

  /** Returns a stack without barred policies, with a part of the others. */
  partOf(stack: StackId, part: Part<Spec>): StackId {
    const earlier = part.stacks.get(stack);
    if (earlier !== undefined) return earlier;
    const slots = part.inOrder(this.#stacks.slotsOf(this.of(stack))).flatMap((slot) => {
      const level = part.of(slot.level);
      return level === undefined ? [] : [this.#madeOf(slot, part.key, () => level)];
    });
    const remaining = this.#stacks.pushAll(this.#stacks.empty, slots);
    part.stacks.set(stack, remaining);
    return remaining;
  }

  /** Returns a stack without barred policies; the same stack if there are none. */
  of(stack: StackId): StackId {
    if (!this.#stacks.hasBars(stack)) return stack;
    const knownStack = this.#held.get(stack);
    if (knownStack !== undefined) return knownStack;
    const slots = this.#stacks.slotsOf(stack);
    const barred = new Set(slots.flatMap(({ level }) => [...level.barred]));
    let held = this.#stacks.empty;
    for (const slot of slots) {
      const remainingSlot = this.#without(slot, barred);
      if (remainingSlot !== undefined) held = this.#stacks.push(held, remainingSlot);
    }
    this.#held.set(stack, held);
    return held;
  }

  /** Finds the stacks with a slot, or with a slot made of it that has fewer policies, one by one. O(result), less if you stop before the end. */
  having(slots: readonly LevelSlot<Spec>[]): ReadonlySet<StackId> {
    if (this.#fewer.size === 0) return this.#stacks.having(slots);
    return this.#stacks.having(slots.flatMap((slot) => this.#allOf(slot)));
  }

  /** Returns a slot with those that are made of it. */
  #allOf(slot: LevelSlot<Spec>): readonly LevelSlot<Spec>[] {
    const made = [...(this.#fewer.get(slot)?.values() ?? [])];
    return [slot, ...made.flatMap((it) => this.#allOf(it))];
  }

  /** Forgets a slot that is gone, with all that was made of it. */
  forget(slot: LevelSlot<Spec>): void {
    this.forgetFewer(slot);
    this.#stacks.forget(slot);
  }

  /** Forgets the slots with fewer policies that were made of a slot, after an edit of its policies. */
  forgetFewer(slot: LevelSlot<Spec>): void {
    for (const fewer of this.#fewer.get(slot)?.values() ?? []) this.forget(fewer);
    this.#fewer.delete(slot);
  }

  #without(slot: LevelSlot<Spec>, barred: ReadonlySet<string>): LevelSlot<Spec> | undefined {
    const { level } = slot;
    const remainingPolicies = level.policies.filter(({ locator }) => !barred.has(locator));
    if (remainingPolicies.length === 0) return undefined;
    if (remainingPolicies.length === level.policies.length) return slot;
    const key = remainingPolicies.map(({ locator }) => locator).join('\n');
    return this.#madeOf(slot, key, () => this.#levelWith(level, remainingPolicies));
  }

  /** Returns a slot that is made of another one, which is made once. */
  #madeOf(slot: LevelSlot<Spec>, key: string, make: () => Level<Spec>): LevelSlot<Spec> {
    const fewer = this.#fewer.get(slot) ?? new Map<string, LevelSlot<Spec>>();
    this.#fewer.set(slot, fewer);
    const smallerSlot = fewer.get(key) ?? new LevelSlot(make());
    fewer.set(key, smallerSlot);
    return smallerSlot;
  }
}
