import type { FieldOrigin } from '@policy-machinery/merge';
import type { Policy } from '@policy-machinery/policy-kind';
import type { PlacedLayer } from './layout.ts';
import type { Level } from './level.ts';
import type { PolicyShare } from './policy-share.ts';
import type { Reduced } from './reduce.ts';

/**
 * The levels that a context has passed, from the least specific one down. Stacks are interned: two paths that meet the
 * same levels share one stack, whatever else they pass, and so share all that is computed from it.
 */
export interface Stack<Spec> {
  /** The levels before the last one; `undefined` on the empty stack. */
  readonly above: Stack<Spec> | undefined;
  readonly level: Level<Spec> | undefined;
  /** What it came to, who set what of it, and what became of its policies, when somebody has asked. */
  result: Reduced<Spec> | undefined;
  origins: readonly FieldOrigin<PlacedLayer<Spec>>[] | undefined;
  shares: readonly PolicyShare<Spec>[] | undefined;
  /** The policies of its levels, when somebody has asked. */
  policies: ReadonlySet<Policy<Spec>> | undefined;
}

interface Interned<Spec> extends Stack<Spec> {
  readonly above: Interned<Spec> | undefined;
  beneath: Map<Level<Spec>, Interned<Spec>> | undefined;
}

/** Makes stacks, and each only once. */
export class Stacks<Spec> {
  readonly empty: Stack<Spec>;
  /** The stacks that end with a level. */
  readonly #ending = new Map<Level<Spec>, Set<Interned<Spec>>>();

  constructor() {
    this.empty = newStack<Spec>(undefined, undefined);
  }

  /** The stack with one more level. */
  push(above: Stack<Spec>, level: Level<Spec>): Stack<Spec> {
    const known = this.known(above, level);
    if (known !== undefined) return known;
    const parent = above as Interned<Spec>;
    const stack = newStack(parent, level);
    parent.beneath ??= new Map();
    parent.beneath.set(level, stack);
    const ending = this.#ending.get(level);
    if (ending === undefined) this.#ending.set(level, new Set([stack]));
    else ending.add(stack);
    return stack;
  }

  /** The stack with one more level, if it has been made already. */
  known(above: Stack<Spec>, level: Level<Spec>): Stack<Spec> | undefined {
    return (above as Interned<Spec>).beneath?.get(level);
  }

  /** Forgets the stacks with a level that is no more, and all that were made of these. */
  forget(level: Level<Spec>): void {
    const forgotten = new Set(this.#ending.get(level));
    for (const stack of forgotten) {
      for (const next of stack.beneath?.values() ?? []) forgotten.add(next); // The loop goes on to what is added.
    }
    for (const stack of forgotten) {
      const { above, level: last } = stack;
      if (last === undefined) continue;
      above?.beneath?.delete(last);
      const ending = this.#ending.get(last);
      if (ending?.delete(stack) && ending.size === 0) this.#ending.delete(last);
    }
  }
}

function newStack<Spec>(above: Interned<Spec> | undefined, level: Level<Spec> | undefined): Interned<Spec> {
  return {
    above,
    level,
    beneath: undefined,
    result: undefined,
    origins: undefined,
    shares: undefined,
    policies: undefined,
  };
}

/** The levels of a stack, least specific first. */
export function levelsOf<Spec>(stack: Stack<Spec>): readonly Level<Spec>[] {
  const levels: Level<Spec>[] = [];
  for (let at: Stack<Spec> | undefined = stack; at?.level !== undefined; at = at.above) levels.push(at.level);
  return levels.reverse();
}

/** The policies of the levels of a stack, each once. */
export function policiesOf<Spec>(stack: Stack<Spec>): ReadonlySet<Policy<Spec>> {
  stack.policies ??= new Set(levelsOf(stack).flatMap(({ policies }) => policies));
  return stack.policies;
}
