import type { TargetNode } from '@policy-machinery/topology';
import type { Level, LevelSlot } from '../levels/level.ts';

/**
 * Where the paths of a context have met policies, from the least specific target down. Stacks are interned: two paths that meet policies at
 * the same targets share one stack, whatever else they pass, and so share all that is computed for it. A stack stays when policies are
 * edited; what its levels say then is another matter.
 */
export interface Stack<Spec> {
  /** The stack before the last slot; `undefined` on the empty stack. */
  readonly above: Stack<Spec> | undefined;
  readonly slot: LevelSlot<Spec> | undefined;
  /** How many policies its levels have. */
  readonly size: number;
  /** Whether a verdict bars policies on the way, so that not all of it is merged. */
  readonly hasBars: boolean;
}

interface Interned<Spec> extends Stack<Spec> {
  readonly above: Interned<Spec> | undefined;
  /** Those with one slot more. Usually one, and then without a map. */
  below: Interned<Spec> | Map<LevelSlot<Spec>, Interned<Spec>> | undefined;
  /** The locators of the policies of its levels, when somebody has asked: an edit does not change them. */
  policies: ReadonlySet<string> | undefined;
}

/** Makes stacks, and each only once. */
export class Stacks<Spec> {
  readonly empty: Stack<Spec>;
  /** The stacks that end with a slot. Usually one, and then without a set. */
  readonly #ending = new Map<LevelSlot<Spec>, Interned<Spec> | Set<Interned<Spec>>>();

  constructor() {
    this.empty = newStack<Spec>(undefined, undefined);
  }

  /** The stack with one more slot. */
  push(above: Stack<Spec>, slot: LevelSlot<Spec>): Stack<Spec> {
    const known = this.known(above, slot);
    if (known !== undefined) return known;
    const parent = above as Interned<Spec>;
    const stack = newStack(parent, slot);
    const { below } = parent;
    if (below === undefined) parent.below = stack;
    else if (below instanceof Map) below.set(slot, stack);
    else parent.below = new Map([below, stack].map((it) => [it.slot as LevelSlot<Spec>, it]));
    const ending = this.#ending.get(slot);
    if (ending instanceof Set) ending.add(stack);
    else this.#ending.set(slot, ending === undefined ? stack : new Set([ending, stack]));
    return stack;
  }

  /** The stack with one more slot, if it has been made already. */
  known(above: Stack<Spec>, slot: LevelSlot<Spec>): Stack<Spec> | undefined {
    const { below } = above as Interned<Spec>;
    if (below instanceof Map) return below.get(slot);
    return below?.slot === slot ? below : undefined;
  }

  /** The stacks with any of some slots. O(those). */
  having(slots: Iterable<LevelSlot<Spec>>): ReadonlySet<Stack<Spec>> {
    return this.#having(slots);
  }

  #having(slots: Iterable<LevelSlot<Spec>>): ReadonlySet<Interned<Spec>> {
    const found = new Set<Interned<Spec>>();
    for (const slot of slots) for (const stack of each(this.#ending.get(slot))) found.add(stack);
    for (const stack of found) for (const next of each(stack.below)) found.add(next); // The loop goes on to what is added.
    return found;
  }

  /** Forgets the stacks with a slot that is no more, and all that were made of these. */
  forget(slot: LevelSlot<Spec>): void {
    for (const stack of this.#having([slot])) {
      const { above, slot: last } = stack;
      if (last === undefined) continue;
      if (above?.below instanceof Map) above.below.delete(last);
      else if (above?.below === stack) above.below = undefined;
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

function newStack<Spec>(above: Interned<Spec> | undefined, slot: LevelSlot<Spec> | undefined): Interned<Spec> {
  return {
    above,
    slot,
    below: undefined,
    policies: undefined,
    size: (above?.size ?? 0) + (slot?.level.policies.length ?? 0),
    hasBars: above?.hasBars === true || (slot !== undefined && slot.level.barred.size > 0),
  };
}

/** Whether a stack has slots: only the empty one has none. */
export function hasSlots({ slot }: Stack<unknown>): boolean {
  return slot !== undefined;
}

/** The slots of a stack, least specific first. */
export function slotsOf<Spec>(stack: Stack<Spec>): readonly LevelSlot<Spec>[] {
  const slots: LevelSlot<Spec>[] = [];
  for (let at: Stack<Spec> | undefined = stack; at?.slot !== undefined; at = at.above) slots.push(at.slot);
  return slots.reverse();
}

/** The levels of a stack, least specific first. */
export function levelsOf<Spec>(stack: Stack<Spec>): readonly Level<Spec>[] {
  return slotsOf(stack).map(({ level }) => level);
}

/** Whether a stack has a slot at a target. */
export function isThrough<Spec>(stack: Stack<Spec>, target: TargetNode): boolean {
  for (let at: Stack<Spec> | undefined = stack; at?.slot !== undefined; at = at.above) {
    if (at.slot.target === target) return true;
  }
  return false;
}

/** The locators of the policies of the levels of a stack: what stays the same when one is edited. */
export function policiesOf(stack: Stack<unknown>): ReadonlySet<string> {
  const interned = stack as Interned<unknown>;
  interned.policies ??= new Set(levelsOf(stack).flatMap(({ policies }) => policies.map(({ locator }) => locator)));
  return interned.policies;
}
