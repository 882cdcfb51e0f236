import type { Policy } from '@policy-machinery/policy-kind';
import type { Level } from '../levels/level.ts';
import { levelsOf, type Stack, type Stacks } from './stack.ts';

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
  /** The levels with fewer policies, by the locators of these. */
  readonly #fewer = new Map<Level<Spec>, Map<string, Level<Spec>>>();

  constructor(stacks: Stacks<Spec>, levelWith: LevelWith) {
    this.#stacks = stacks;
    this.#levelWith = levelWith;
  }

  /** What of a stack is merged; the very stack where nothing is barred on the way. */
  of(stack: Stack<Spec>): Stack<Spec> {
    if (!stack.hasBars) return stack;
    const known = this.#held.get(stack);
    if (known !== undefined) return known;
    const levels = levelsOf(stack);
    const barred = new Set(levels.flatMap((level) => [...level.barred]));
    let held = this.#stacks.empty;
    for (const level of levels) {
      const left = this.#without(level, barred);
      if (left !== undefined) held = this.#stacks.push(held, left);
    }
    this.#held.set(stack, held);
    return held;
  }

  /** Forgets a level that is no more, and what was made of it. */
  forget(level: Level<Spec>): void {
    for (const fewer of this.#fewer.get(level)?.values() ?? []) this.#stacks.forget(fewer);
    this.#fewer.delete(level);
    this.#stacks.forget(level);
  }

  #without(level: Level<Spec>, barred: ReadonlySet<string>): Level<Spec> | undefined {
    const left = level.policies.filter(({ locator }) => !barred.has(locator));
    if (left.length === 0) return undefined;
    if (left.length === level.policies.length) return level;
    const fewer = this.#fewer.get(level) ?? new Map<string, Level<Spec>>();
    this.#fewer.set(level, fewer);
    const key = left.map(({ locator }) => locator).join('\n');
    const known = fewer.get(key) ?? this.#levelWith(level, left);
    fewer.set(key, known);
    return known;
  }
}
