import type { TargetNode } from '@policy-machinery/topology';
import { type Level, type LevelSlot, policiesIn } from '../levels/level.ts';

/**
 * The slots that the paths of a context pass, from the least specific target down. Stacks are interned: two paths that pass the same slots
 * share one stack, whatever other targets they pass, and share all that is computed for the stack. A stack stays when policies are edited; its
 * levels change.
 */
export interface Stack<Spec> {
  /** The stack before the last slot; `undefined` on the empty stack. */
  readonly above: Stack<Spec> | undefined;
  readonly slot: LevelSlot<Spec> | undefined;
  /** The number of policies of its levels. */
  readonly size: number;
  /** Whether a verdict bars policies from the stack, so that not all of its levels are merged. */
  readonly hasBars: boolean;
  /** Its hierarchy, which `Hierarchies` keeps here: in a map with weak keys, each would cost the collector time. */
  hierarchy: unknown;
}

interface Interned<Spec> extends Stack<Spec> {
  readonly above: Interned<Spec> | undefined;
  /** The stacks with one more slot. Usually there is one, and no map. */
  below: Interned<Spec> | Map<LevelSlot<Spec>, Interned<Spec>> | undefined;
  /** The locators of the policies of its levels, computed on demand. An edit does not change them. */
  policies: ReadonlySet<string> | undefined;
}

/** Creates stacks, each only once. */
export class Stacks<Spec> {
  readonly empty: Stack<Spec>;
  /** The stacks that end with each slot. Usually there is one, and no set. */
  readonly #ending = new Map<LevelSlot<Spec>, Interned<Spec> | Set<Interned<Spec>>>();

  constructor() {
    this.empty = newStack<Spec>(undefined, undefined);
  }

  /** Returns a stack with one more slot. */
  push(above: Stack<Spec>, slot: LevelSlot<Spec>): Stack<Spec> {
    const known = this.known(above, slot);
    if (known !== undefined) return known;
    const parent = interned(above);
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

  /** Returns a stack without the slots of policies: with the targets' own values, and what bars policies. */
  withoutPolicies(stack: Stack<Spec>): Stack<Spec> {
    if (!hasPolicies(stack)) return stack;
    const others = slotsOf(stack).filter(({ level }) => policiesIn(level).length === 0);
    return others.reduce((above, slot) => this.push(above, slot), this.empty);
  }

  /** Returns a stack with one more slot if it was created before. */
  known(above: Stack<Spec>, slot: LevelSlot<Spec>): Stack<Spec> | undefined {
    const { below } = interned(above);
    if (below instanceof Map) return below.get(slot);
    return below?.slot === slot ? below : undefined;
  }

  /** Finds the stacks with any of some slots, one by one, each once. O(result), less if you stop before the end. */
  having(slots: Iterable<LevelSlot<Spec>>): Iterable<Stack<Spec>> {
    return this.#having(slots);
  }

  *#having(slots: Iterable<LevelSlot<Spec>>): Iterable<Interned<Spec>> {
    const found = new Set<Interned<Spec>>();
    const add = (stack: Interned<Spec>): unknown => found.add(stack);
    for (const slot of slots) visit(this.#ending.get(slot), add);
    for (const stack of found) {
      visit(stack.below, add); // The loop visits added stacks, too.
      yield stack;
    }
  }

  /** Visits the stacks that end with a slot. */
  visitEnding(slot: LevelSlot<Spec>, visitor: (stack: Stack<Spec>) => unknown): void {
    visit(this.#ending.get(slot), visitor);
  }

  /** Visits a stack and the stacks with more slots, until an answer is `true`. Returns whether one was. */
  someFrom(stack: Stack<Spec>, isMeant: (stack: Stack<Spec>) => boolean): boolean {
    const pending = [stack];
    const add = (below: Stack<Spec>): unknown => pending.push(below);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (isMeant(next)) return true;
      visit(interned(next).below, add);
    }
    return false;
  }

  /** Forgets the stacks with a slot that is gone. */
  forget(slot: LevelSlot<Spec>): void {
    for (const stack of [...this.#having([slot])]) {
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

/** One stack, or several stacks. */
type Some<Spec> = Interned<Spec> | ReadonlySet<Interned<Spec>> | ReadonlyMap<unknown, Interned<Spec>>;

function visit<Spec>(some: Some<Spec> | undefined, visitor: (stack: Interned<Spec>) => unknown): void {
  if (some === undefined) return;
  if (some instanceof Set || some instanceof Map) some.forEach(visitor);
  else visitor(some as Interned<Spec>);
}

/** Returns a stack with all that is known about it: no others are created. */
function interned<Spec>(stack: Stack<Spec>): Interned<Spec> {
  return stack as Interned<Spec>;
}

function newStack<Spec>(above: Interned<Spec> | undefined, slot: LevelSlot<Spec> | undefined): Interned<Spec> {
  return {
    above,
    slot,
    below: undefined,
    hierarchy: undefined,
    policies: undefined,
    size: (above?.size ?? 0) + (slot === undefined ? 0 : policiesIn(slot.level).length),
    hasBars: above?.hasBars === true || (slot !== undefined && slot.level.barred.size > 0),
  };
}

/** Returns whether a stack has policies, barred or not. */
export function hasPolicies({ size }: Stack<unknown>): boolean {
  return size > 0;
}

/** Returns the slots of a stack, the least specific first. */
export function slotsOf<Spec>(stack: Stack<Spec>): readonly LevelSlot<Spec>[] {
  const slots: LevelSlot<Spec>[] = [];
  for (let at: Stack<Spec> | undefined = stack; at?.slot !== undefined; at = at.above) slots.push(at.slot);
  return slots.reverse();
}

/** Returns the levels of a stack, the least specific first. */
export function levelsOf<Spec>(stack: Stack<Spec>): readonly Level<Spec>[] {
  return slotsOf(stack).map(({ level }) => level);
}

/** Returns whether a stack has all slots of another one, and then its own. Paths leave direct policies at their object. */
export function startsWith<Spec>(stack: Stack<Spec>, start: Stack<Spec>): boolean {
  let at: Stack<Spec> | undefined = stack;
  while (at !== undefined && at !== start) at = at.above;
  return at === start;
}

/** Returns whether a stack has a slot at a target. */
export function isThrough<Spec>(stack: Stack<Spec>, target: TargetNode): boolean {
  for (let at: Stack<Spec> | undefined = stack; at?.slot !== undefined; at = at.above) {
    if (at.slot.target === target) return true;
  }
  return false;
}

/** Returns the locators of the policies in a stack. An edit of a policy does not change them. */
export function policiesOf(stack: Stack<unknown>): ReadonlySet<string> {
  const known = interned(stack);
  known.policies ??= new Set(levelsOf(stack).flatMap((level) => policiesIn(level).map(({ locator }) => locator)));
  return known.policies;
}
