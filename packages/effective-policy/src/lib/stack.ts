import type { Level } from './level.ts';

/**
 * The levels that a context has passed, from the least specific one down. Stacks are interned: two paths that meet the
 * same levels share one stack, whatever else they pass, and so share all that is computed from it.
 */
export interface Stack<Spec> {
  /** The levels before the last one; `undefined` on the empty stack. */
  readonly above: Stack<Spec> | undefined;
  readonly level: Level<Spec> | undefined;
}

/** Makes stacks, and each only once. */
export class Stacks<Spec> {
  readonly empty: Stack<Spec> = { above: undefined, level: undefined };
  readonly #beneath = new Map<Stack<Spec>, Map<Level<Spec>, Stack<Spec>>>();

  /** The stack with one more level. */
  push(above: Stack<Spec>, level: Level<Spec>): Stack<Spec> {
    const known = this.#beneath.get(above) ?? new Map<Level<Spec>, Stack<Spec>>();
    this.#beneath.set(above, known);
    const stack = known.get(level) ?? { above, level };
    known.set(level, stack);
    return stack;
  }
}

/** The levels of a stack, least specific first. */
export function levelsOf<Spec>(stack: Stack<Spec>): readonly Level<Spec>[] {
  const levels: Level<Spec>[] = [];
  for (let at: Stack<Spec> | undefined = stack; at?.level !== undefined; at = at.above) levels.push(at.level);
  return levels.reverse();
}
