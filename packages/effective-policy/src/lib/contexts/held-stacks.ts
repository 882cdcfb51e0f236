import type { Policy } from '@policy-machinery/policy-kind';
import { type Level, LevelSlot } from '../levels/level.ts';
import { type Stack, type Stacks, slotsOf } from './stack.ts';

/** Makes the level of fewer policies on the same target. */
export type LevelWith = <Spec>(level: Level<Spec>, policies: readonly Policy<Spec>[]) => Level<Spec>;

/**
 * What of stacks is merged: their levels without the policies that a verdict bars in contexts through one of the targets on the way, as
 * if these were not there. Contexts that differ in what is barred alone come to the same stack.
 */
export class HeldStacks<Spec> {
  readonly #stacks: Stacks<Spec>;
  readonly #levelWith: LevelWith;
  readonly #held = new WeakMap<Stack<Spec>, Stack<Spec>>();
  /** Slots with fewer policies, by the locators of these. */
  readonly #fewer = new Map<LevelSlot<Spec>, Map<string, LevelSlot<Spec>>>();

  constructor(stacks: Stacks<Spec>, levelWith: LevelWith) {
    this.#stacks = stacks;
    this.#levelWith = levelWith;
  }

  /** What of a stack is merged; the very stack where nothing is barred on the way. */
  of(stack: Stack<Spec>): Stack<Spec> {
    if (!stack.hasBars) return stack;
    const known = this.#held.get(stack);
    if (known !== undefined) return known;
    const slots = slotsOf(stack);
    const barred = new Set(slots.flatMap(({ level }) => [...level.barred]));
    let held = this.#stacks.empty;
    for (const slot of slots) {
      const left = this.#without(slot, barred);
      if (left !== undefined) held = this.#stacks.push(held, left);
    }
    this.#held.set(stack, held);
    return held;
  }

  /** Forgets a slot that is no more, and what was made of it. */
  forget(slot: LevelSlot<Spec>): void {
    this.forgetFewer(slot);
    this.#stacks.forget(slot);
  }

  /** Forgets what was made of a slot whose policies have been edited. */
  forgetFewer(slot: LevelSlot<Spec>): void {
    for (const fewer of this.#fewer.get(slot)?.values() ?? []) this.#stacks.forget(fewer);
    this.#fewer.delete(slot);
  }

  #without(slot: LevelSlot<Spec>, barred: ReadonlySet<string>): LevelSlot<Spec> | undefined {
    const { level } = slot;
    const left = level.policies.filter(({ locator }) => !barred.has(locator));
    if (left.length === 0) return undefined;
    if (left.length === level.policies.length) return slot;
    const fewer = this.#fewer.get(slot) ?? new Map<string, LevelSlot<Spec>>();
    this.#fewer.set(slot, fewer);
    const key = left.map(({ locator }) => locator).join('\n');
    const known = fewer.get(key) ?? new LevelSlot(this.#levelWith(level, left));
    fewer.set(key, known);
    return known;
  }
}
