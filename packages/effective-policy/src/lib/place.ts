import type { Policy } from '@policy-machinery/policy-kind';
import { isRootPosition, type Position, type TargetNode } from '@policy-machinery/topology';
import { editedAncestors, type PlaceAncestors } from './ancestors.ts';
import type { EditedStacks } from './edited-stacks.ts';
import type { Level } from './level.ts';
import type { Stack } from './stack.ts';

const none: readonly never[] = [];
const tooMany: readonly never[] = [];

/** Up to so many stacks are gone through faster than looked up. */
const few = 64;

/** A position, and the distinct stacks with which paths come to it. */
export class Place<Spec> implements Position {
  readonly node: TargetNode;
  readonly entered: boolean;
  /** In a fixed order. `undefined` before they have been found. Shared with the place above where nothing is met on the way. */
  stacks: readonly Stack<Spec>[] | undefined = undefined;
  /** The levels that paths meet on coming here. */
  met: readonly Level<Spec>[] = none;
  /** Of an object: the sections that have the very list of stacks, and that somebody has asked for. */
  asked: readonly TargetNode[] = none;
  /** The ancestors that paths to here lead through, this included. `undefined` before somebody has asked. */
  ancestors: PlaceAncestors<Spec> | undefined = undefined;
  #spots: readonly Spot<Spec>[] | undefined = undefined;
  #byStack: ReadonlyMap<Stack<Spec>, Spot<Spec>> | undefined = undefined;

  constructor(node: TargetNode, entered: boolean) {
    this.node = node;
    this.entered = entered;
  }

  /** Whether paths begin here. */
  get isRoot(): boolean {
    return isRootPosition(this);
  }

  /** Whether there are too many stacks; then there are none here, nor beneath. */
  get isCut(): boolean {
    return this.stacks === tooMany;
  }

  /** Whether no path comes here. */
  get isEmpty(): boolean {
    return this.stacks?.length === 0 && !this.isCut;
  }

  /** There are too many stacks. */
  cut(): void {
    this.stacks = tooMany;
  }

  /** The paths that come here, by their stacks. `undefined` before these have been found. */
  get spots(): readonly Spot<Spec>[] | undefined {
    if (this.stacks === undefined) return undefined;
    if (this.stacks.length === 0) return none;
    this.#spots ??= this.stacks.map((stack) => new Spot(this, stack));
    return this.#spots;
  }

  /** Follows edits of policies. All else that is known stays. */
  edit(edited: EditedStacks<Spec>): void {
    if (this.stacks === undefined) return;
    const [before, now] = [this.stacks, edited.list(this.stacks)];
    if (now === before) return;
    this.stacks = now;
    this.met = edited.levels(this.met);
    this.ancestors = this.ancestors && editedAncestors(this.ancestors, edited);
    if (this.#spots === undefined) return;
    for (let at = 0; at < now.length; at += 1) {
      const stack = now[at] as Stack<Spec>;
      if (stack !== before[at]) this.#spots[at]?.edit(stack, edited);
    }
    this.#byStack = undefined;
  }

  /** The paths that come here with a stack. */
  with(stack: Stack<Spec>): Spot<Spec> | undefined {
    const { stacks = none, spots = none } = this;
    if (stacks.length <= few) return spots[stacks.indexOf(stack)];
    this.#byStack ??= new Map(spots.map((spot) => [spot.stack, spot]));
    return this.#byStack.get(stack);
  }
}

/** The paths that come to a position with one stack, and what is known of them. */
export class Spot<Spec> {
  readonly place: Place<Spec>;
  stack: Stack<Spec>;
  /** How many there are. */
  count: bigint | undefined = undefined;
  /** Who of the policies met so far sets something here, or further down. */
  setters: ReadonlySet<Policy<Spec>> | undefined = undefined;

  constructor(place: Place<Spec>, stack: Stack<Spec>) {
    this.place = place;
    this.stack = stack;
  }

  /** Follows edits of policies: as if these set the same as before. */
  edit(stack: Stack<Spec>, edited: EditedStacks<Spec>): void {
    this.stack = stack;
    if (this.setters !== undefined) this.setters = edited.policies(this.setters);
  }
}

/** The stack before some levels were met; `undefined` for one that has not met just these at its end. */
export function stackBefore<Spec>(stack: Stack<Spec>, met: readonly Level<Spec>[]): Stack<Spec> | undefined {
  let before = stack;
  for (let at = met.length - 1; at >= 0; at -= 1) {
    if (before.level !== met[at] || before.above === undefined) return undefined;
    before = before.above;
  }
  return before;
}
