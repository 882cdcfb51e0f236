import type { Stack, Stacks } from '../contexts/stack.ts';
import type { Level } from '../levels/level.ts';

/** A list of stacks after policies have been edited: for each one before the same one, or the one in its place. */
export interface EditedList<Spec> {
  /** The very same list where all stacks stay. */
  readonly now: readonly Stack<Spec>[];
  /** Where in the list others have taken their places. */
  readonly changed: readonly number[];
}

const none: readonly never[] = [];

/**
 * The stacks after policies have been edited: where a level has taken the place of another, so have the stacks that have it. All
 * others stay as they are.
 */
export class EditedStacks<Spec> {
  readonly #stacks: Stacks<Spec>;
  readonly #levels: ReadonlyMap<Level<Spec>, Level<Spec>>;
  readonly #now = new Map<Stack<Spec>, Stack<Spec>>();
  readonly #lists = new Map<readonly Stack<Spec>[], EditedList<Spec>>();

  /** @param levels The levels by those in whose place they are. Both are of policies of the same names. */
  constructor(stacks: Stacks<Spec>, levels: ReadonlyMap<Level<Spec>, Level<Spec>>) {
    this.#stacks = stacks;
    this.#levels = levels;
    for (const stack of stacks.having(levels.keys())) stack.isPast = true;
  }

  /** The stack in the place of one. */
  of(before: Stack<Spec>): Stack<Spec> {
    if (!before.isPast) return before;
    const beneath: Stack<Spec>[] = [];
    let top = before;
    while (top.isPast && !this.#now.has(top)) {
      beneath.push(top);
      top = top.above ?? this.#stacks.empty;
    }
    let now = this.#now.get(top) ?? top;
    for (const stack of beneath.reverse()) {
      const level = stack.level as Level<Spec>;
      now = this.#stacks.push(now, this.#levels.get(level) ?? level);
      now.policies = stack.policies; // Of the same names.
      this.#now.set(stack, now);
    }
    return now;
  }

  /** The list in the place of one: for each list the same one. */
  list(before: readonly Stack<Spec>[]): EditedList<Spec> {
    const known = this.#lists.get(before);
    if (known !== undefined) return known;
    const edited = this.#edit(before);
    this.#lists.set(before, edited);
    return edited;
  }

  #edit(before: readonly Stack<Spec>[]): EditedList<Spec> {
    const changed: number[] = [];
    for (let index = 0; index < before.length; index += 1) {
      if (before[index]?.isPast === true) changed.push(index);
    }
    if (changed.length === 0) return { now: before, changed: none };
    const now = before.slice();
    for (const index of changed) now[index] = this.of(before[index] as Stack<Spec>);
    return { now, changed };
  }

  /** The levels in the place of some; the very same list where all stay. */
  levels(before: readonly Level<Spec>[]): readonly Level<Spec>[] {
    const levels = this.#levels;
    return before.some((level) => levels.has(level)) ? before.map((level) => levels.get(level) ?? level) : before;
  }

  /** The stacks that have been asked for and in whose place there are others, each with that. */
  get changed(): Iterable<readonly [before: Stack<Spec>, now: Stack<Spec>]> {
    return this.#now;
  }
}
