import type { TargetNode } from '@policy-machinery/topology';
import { type Level, type LevelSlot, policiesIn } from '../levels/level.ts';
import { none } from '../support/nothing.ts';
import { Lists } from '../tables/lists.ts';

/**
 * The slots that the paths of a context pass, from the least specific target down. Two paths that pass the same slots have the same stack, whatever
 * other targets they pass, and share all that is computed for the stack. A stack stays when policies are edited; its levels change.
 */
export type StackId = number & { readonly of: 'stack' };

type SlotId = number & { readonly of: 'slot' };

export class Stacks<Spec> {
  readonly #lists = new Lists<StackId, SlotId>();
  readonly #slots: (LevelSlot<Spec> | undefined)[] = [];
  readonly #ids = new Map<LevelSlot<Spec>, SlotId>();
  readonly #ofSlots = new WeakMap<readonly LevelSlot<Spec>[], StackId>();
  /** The stacks that end with each slot. */
  readonly #ending: StackId[][] = [];
  /** The number of policies of each stack, barred or not. */
  readonly #sizes: number[] = [0];
  /** Whether a verdict bars policies from each stack. */
  readonly #haveBars: boolean[] = [false];
  /** The locators of the policies of each stack, computed on demand. An edit does not change them. */
  readonly #policies = new Map<StackId, ReadonlySet<string>>();

  /** The stack without slots. */
  get empty(): StackId {
    return this.#lists.empty;
  }

  push(above: StackId, slot: LevelSlot<Spec>): StackId {
    return this.#push(above, this.#idOf(slot));
  }

  #push(above: StackId, id: SlotId): StackId {
    const { size } = this.#lists;
    const stack = this.#lists.push(above, id);
    if (stack < size) return stack;
    const level = this.#slots[id]?.level;
    this.#ending[id]?.push(stack);
    this.#sizes.push(this.sizeOf(above) + (level === undefined ? 0 : policiesIn(level).length));
    this.#haveBars.push(this.hasBars(above) || (level?.barred.size ?? 0) > 0);
    return stack;
  }

  /** Returns the stack of the slots of a target. The list of slots must stay unchanged. */
  of(slots: readonly LevelSlot<Spec>[]): StackId {
    if (slots.length === 0) return this.empty;
    const knownStack = this.#ofSlots.get(slots);
    if (knownStack !== undefined) return knownStack;
    const stack = this.pushAll(this.empty, slots);
    this.#ofSlots.set(slots, stack);
    return stack;
  }

  pushAll(above: StackId, slots: readonly LevelSlot<Spec>[]): StackId {
    let stack = above;
    for (const slot of slots) stack = this.push(stack, slot);
    return stack;
  }

  /** Returns a stack with the slots of another one as well. */
  concat(above: StackId, below: StackId): StackId {
    if (above === this.empty || below === this.empty) return above === this.empty ? below : above;
    return this.#push(this.concat(above, this.#lists.shorter(below)), this.#lists.last(below));
  }

  /** Returns a stack with one more slot if it was created before. */
  known(above: StackId, slot: LevelSlot<Spec>): StackId | undefined {
    const id = this.#ids.get(slot);
    return id === undefined ? undefined : this.#lists.known(above, id);
  }

  #idOf(slot: LevelSlot<Spec>): SlotId {
    const knownId = this.#ids.get(slot);
    if (knownId !== undefined) return knownId;
    const id = this.#slots.length as SlotId;
    this.#slots.push(slot);
    this.#ending.push([]);
    this.#ids.set(slot, id);
    return id;
  }

  /** Returns the number of policies of a stack, barred or not. */
  sizeOf(stack: StackId): number {
    return this.#sizes[stack] ?? 0;
  }

  /** Returns whether a verdict bars policies from a stack, so that not all of its levels are merged. */
  hasBars(stack: StackId): boolean {
    return this.#haveBars[stack] === true;
  }

  /** Returns the slots of a stack, the least specific first. */
  slotsOf(stack: StackId): readonly LevelSlot<Spec>[] {
    const slots: LevelSlot<Spec>[] = [];
    for (let prefix = stack; prefix !== this.empty; prefix = this.#lists.shorter(prefix)) {
      const slot = this.#slots[this.#lists.last(prefix)];
      if (slot !== undefined) slots.push(slot);
    }
    return slots.reverse();
  }

  /** Returns the levels of a stack, the least specific first. */
  levelsOf(stack: StackId): readonly Level<Spec>[] {
    return this.slotsOf(stack).map(({ level }) => level);
  }

  policiesOf(stack: StackId): ReadonlySet<string> {
    const knownPolicies = this.#policies.get(stack);
    if (knownPolicies !== undefined) return knownPolicies;
    const policies = new Set(this.levelsOf(stack).flatMap((level) => policiesIn(level).map(({ locator }) => locator)));
    this.#policies.set(stack, policies);
    return policies;
  }

  isThrough(stack: StackId, target: TargetNode): boolean {
    for (let rest = stack; rest !== this.empty; rest = this.#lists.shorter(rest))
      if (this.#slots[this.#lists.last(rest)]?.target === target) return true;
    return false;
  }

  /** Returns whether a stack has all slots of another one, and then its own. Paths leave direct policies at their object. */
  startsWith(stack: StackId, start: StackId): boolean {
    let prefix = stack;
    while (prefix > start) prefix = this.#lists.shorter(prefix); // A longer stack is created after the stacks that it begins with.
    return prefix === start;
  }

  /** Returns a stack without the slots of another one at its end; `undefined` if it does not end with these. */
  without(stack: StackId, end: StackId): StackId | undefined {
    let rest = stack;
    for (let start = end; start !== this.empty; start = this.#lists.shorter(start)) {
      if (rest === this.empty || this.#lists.last(rest) !== this.#lists.last(start)) return undefined;
      rest = this.#lists.shorter(rest);
    }
    return rest;
  }

  /** Returns a stack without the slots of policies: with the targets' own values, and the verdicts that bar policies. */
  withoutPolicies(stack: StackId): StackId {
    if (this.sizeOf(stack) === 0) return stack;
    return this.pushAll(
      this.empty,
      this.slotsOf(stack).filter(({ level }) => policiesIn(level).length === 0),
    );
  }

  /** Returns the number of fields of the policies in a stack that are merged one by one. */
  fieldsOf(stack: StackId, levelIn = ({ level }: LevelSlot<Spec>): Level<Spec> => level): number {
    let fields = 0;
    for (let prefix = stack; prefix !== this.empty; prefix = this.#lists.shorter(prefix)) {
      const slot = this.#slots[this.#lists.last(prefix)];
      if (slot !== undefined) fields += levelIn(slot).fields;
    }
    return fields;
  }

  endingWith(slot: LevelSlot<Spec>): readonly StackId[] {
    const id = this.#ids.get(slot);
    return (id === undefined ? undefined : this.#ending[id]) ?? none;
  }

  /** Returns the stacks with any of some slots. O(result). */
  having(slots: Iterable<LevelSlot<Spec>>): ReadonlySet<StackId> {
    const stacks = new Set<StackId>();
    const add = (stack: StackId): false => {
      stacks.add(stack);
      return false;
    };
    for (const slot of slots) for (const stack of this.endingWith(slot)) this.#lists.someFrom(stack, add);
    return stacks;
  }

  /** Visits a stack and the stacks with more slots, until an answer is `true`. Returns whether one was. */
  someFrom(stack: StackId, isMeant: (stack: StackId) => boolean): boolean {
    return this.#lists.someFrom(stack, isMeant);
  }

  /** Forgets a slot that is gone. Its stacks keep their numbers, and are not in use. */
  forget(slot: LevelSlot<Spec>): void {
    const id = this.#ids.get(slot);
    if (id === undefined) return;
    for (const stack of this.having([slot])) this.#policies.delete(stack);
    this.#ids.delete(slot);
    this.#slots[id] = undefined;
    this.#ending[id] = [];
  }
}
