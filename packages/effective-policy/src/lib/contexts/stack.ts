import type { FieldOrigin } from '@policy-machinery/merge';
import type { TargetNode } from '@policy-machinery/topology';
import type { PlacedLayer } from '../fold/layout.ts';
import type { Reduced } from '../fold/reduce.ts';
import type { Level } from '../levels/level.ts';
import type { PolicyShare } from '../reasons/policy-share.ts';

/**
 * The levels that a context has passed, from the least specific one down. Stacks are interned: two paths that meet the
 * same levels share one stack, whatever else they pass, and so share all that is computed from it.
 */
export interface Stack<Spec> {
  /** The levels before the last one; `undefined` on the empty stack. */
  readonly above: Stack<Spec> | undefined;
  readonly level: Level<Spec> | undefined;
  /** How many policies its levels have. */
  readonly size: number;
  /** How many fields of theirs are merged one by one. */
  readonly fields: number;
  /** What it came to, who set what of it, and what became of its policies, when somebody has asked. */
  result: Reduced<Spec> | undefined;
  origins: readonly FieldOrigin<PlacedLayer<Spec>>[] | undefined;
  shares: readonly PolicyShare<Spec>[] | undefined;
  /** The locators of the policies of its levels, when somebody has asked. */
  policies: ReadonlySet<string> | undefined;
  /** Whether a verdict bars policies on the way, so that not all of it is merged. */
  readonly hasBars: boolean;
  /** Whether another has taken its place, since one of its policies has been edited. */
  isPast: boolean;
}

interface Interned<Spec> extends Stack<Spec> {
  readonly above: Interned<Spec> | undefined;
  /** Those with one level more. As a rule one, and then without a map. */
  beneath: Interned<Spec> | Map<Level<Spec>, Interned<Spec>> | undefined;
}

/** Makes stacks, and each only once. */
export class Stacks<Spec> {
  readonly empty: Stack<Spec>;
  /** The stacks that end with a level. As a rule one, and then without a set. */
  readonly #ending = new Map<Level<Spec>, Interned<Spec> | Set<Interned<Spec>>>();

  constructor() {
    this.empty = newStack<Spec>(undefined, undefined);
  }

  /** The stack with one more level. */
  push(above: Stack<Spec>, level: Level<Spec>): Stack<Spec> {
    const known = this.known(above, level);
    if (known !== undefined) return known;
    const parent = above as Interned<Spec>;
    const stack = newStack(parent, level);
    const { beneath } = parent;
    if (beneath === undefined) parent.beneath = stack;
    else if (beneath instanceof Map) beneath.set(level, stack);
    else parent.beneath = new Map([beneath, stack].map((it) => [it.level as Level<Spec>, it]));
    const ending = this.#ending.get(level);
    if (ending instanceof Set) ending.add(stack);
    else this.#ending.set(level, ending === undefined ? stack : new Set([ending, stack]));
    return stack;
  }

  /** The stack with one more level, if it has been made already. */
  known(above: Stack<Spec>, level: Level<Spec>): Stack<Spec> | undefined {
    const { beneath } = above as Interned<Spec>;
    if (beneath instanceof Map) return beneath.get(level);
    return beneath?.level === level ? beneath : undefined;
  }

  /** The stacks with any of some levels. O(those). */
  having(levels: Iterable<Level<Spec>>): ReadonlySet<Stack<Spec>> {
    return this.#having(levels);
  }

  #having(levels: Iterable<Level<Spec>>): ReadonlySet<Interned<Spec>> {
    const found = new Set<Interned<Spec>>();
    for (const level of levels) for (const stack of each(this.#ending.get(level))) found.add(stack);
    for (const stack of found) for (const next of each(stack.beneath)) found.add(next); // The loop goes on to what is added.
    return found;
  }

  /** Forgets the stacks with a level that is no more, and all that were made of these. */
  forget(level: Level<Spec>): void {
    for (const stack of this.#having([level])) {
      const { above, level: last } = stack;
      if (last === undefined) continue;
      if (above?.beneath instanceof Map) above.beneath.delete(last);
      else if (above?.beneath === stack) above.beneath = undefined;
      const ending = this.#ending.get(last);
      if (ending === stack) this.#ending.delete(last);
      else if (ending instanceof Set && ending.delete(stack) && ending.size === 0) this.#ending.delete(last);
    }
  }
}

/** One stack, or several. */
type Some<Spec> = Interned<Spec> | ReadonlySet<Interned<Spec>> | ReadonlyMap<unknown, Interned<Spec>>;

function each<Spec>(some: Some<Spec> | undefined): Iterable<Interned<Spec>> {
  if (some === undefined) return [];
  return some instanceof Set || some instanceof Map ? some.values() : [some as Interned<Spec>];
}

function newStack<Spec>(above: Interned<Spec> | undefined, level: Level<Spec> | undefined): Interned<Spec> {
  return {
    above,
    level,
    size: (above?.size ?? 0) + (level?.policies.length ?? 0),
    fields: (above?.fields ?? 0) + (level?.fields ?? 0),
    beneath: undefined,
    result: undefined,
    origins: undefined,
    shares: undefined,
    policies: undefined,
    hasBars: above?.hasBars === true || (level !== undefined && level.barred.size > 0),
    isPast: false,
  };
}

/** How many levels a stack has. */
export function depthOf<Spec>(stack: Stack<Spec>): number {
  let depth = 0;
  for (let at: Stack<Spec> | undefined = stack; at?.level !== undefined; at = at.above) depth += 1;
  return depth;
}

/** Whether a stack has levels: only the empty one has none. */
export function hasLevels({ level }: Stack<unknown>): boolean {
  return level !== undefined;
}

/** The levels of a stack, least specific first. */
export function levelsOf<Spec>(stack: Stack<Spec>): readonly Level<Spec>[] {
  const levels: Level<Spec>[] = [];
  for (let at: Stack<Spec> | undefined = stack; at?.level !== undefined; at = at.above) levels.push(at.level);
  return levels.reverse();
}

/** Whether a stack has a level at a target. */
export function isThrough<Spec>(stack: Stack<Spec>, target: TargetNode): boolean {
  for (let at: Stack<Spec> | undefined = stack; at?.level !== undefined; at = at.above) {
    if (at.level.target === target) return true;
  }
  return false;
}

/** The locators of the policies of the levels of a stack: what stays the same when one is edited. */
export function policiesOf(stack: Stack<unknown>): ReadonlySet<string> {
  stack.policies ??= new Set(levelsOf(stack).flatMap(({ policies }) => policies.map(({ locator }) => locator)));
  return stack.policies;
}
