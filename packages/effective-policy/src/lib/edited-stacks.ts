import type { Level } from './level.ts';
import type { Stack, Stacks } from './stack.ts';

/**
 * The stacks after policies have been edited: where a level has taken the place of another, so have the stacks that have it. All
 * others stay as they are.
 */
export class EditedStacks<Spec> {
  readonly #stacks: Stacks<Spec>;
  readonly #levels: ReadonlyMap<Level<Spec>, Level<Spec>>;
  readonly #known = new Map<Stack<Spec>, Stack<Spec>>();
  readonly #lists = new Map<readonly Stack<Spec>[], readonly Stack<Spec>[]>();

  /** @param levels The levels by those in whose place they are. */
  constructor(stacks: Stacks<Spec>, levels: ReadonlyMap<Level<Spec>, Level<Spec>>) {
    this.#stacks = stacks;
    this.#levels = levels;
  }

  /** Whether another level has taken the place of one. */
  has(level: Level<Spec>): boolean {
    return this.#levels.has(level);
  }

  /** The stack in the place of one. O(levels that it has more than all that have been asked for). */
  of(before: Stack<Spec>): Stack<Spec> {
    const beneath: Stack<Spec>[] = [];
    let top = before;
    while (top.above !== undefined && !this.#known.has(top)) {
      beneath.push(top);
      top = top.above;
    }
    let now = this.#known.get(top) ?? top;
    for (const stack of beneath.reverse()) {
      const { above, level } = stack as Stack<Spec> & { readonly level: Level<Spec> };
      const edited = this.#levels.get(level) ?? level;
      now = now === above && edited === level ? stack : this.#stacks.push(now, edited);
      this.#known.set(stack, now);
    }
    return now;
  }

  /** The list in the place of one: for each list the same one, and the very same where no stack is another. */
  list(before: readonly Stack<Spec>[]): readonly Stack<Spec>[] {
    const known = this.#lists.get(before);
    if (known !== undefined) return known;
    const edited = before.map((stack) => this.of(stack));
    const now = edited.every((stack, index) => stack === before[index]) ? before : edited;
    this.#lists.set(before, now);
    return now;
  }

  /** The stacks that have been asked for and in whose place there is another, each with that. */
  *changed(): Iterable<readonly [before: Stack<Spec>, now: Stack<Spec>]> {
    for (const pair of this.#known) if (pair[0] !== pair[1]) yield pair;
  }
}
