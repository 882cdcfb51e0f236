import { isRootPosition, type Position, type TargetNode } from '@policy-machinery/topology';
import type { LevelSlot } from '../levels/level.ts';
import type { TargetSet } from '../support/target-sets.ts';
import { mayBegin } from './kinds.ts';
import type { Stack } from './stack.ts';

const none: readonly never[] = [];
const tooMany: readonly never[] = [];

/** Up to so many stacks are gone through faster than looked up. */
const few = 64;

/** The ancestors of the paths to a position: usually the same ones, else those of the paths with each of its stacks. */
export type PositionAncestors = TargetSet | readonly TargetSet[];

/** A position, and the distinct stacks with which paths come to it. */
export class PositionStacks<Spec> implements Position {
  readonly node: TargetNode;
  readonly entered: boolean;
  /** In a fixed order. `undefined` before they have been found. Shared with the position above where nothing is met on the way. */
  stacks: readonly Stack<Spec>[] | undefined = undefined;
  /** Whether the stacks are those of each position that paths come from, in their order, with what is met here. */
  isInOrder = false;
  /** The slots that paths meet on coming here. */
  met: readonly LevelSlot<Spec>[] = none;
  /** The ancestors that paths to here lead through, this included. `undefined` before somebody has asked. */
  ancestors: PositionAncestors | undefined = undefined;
  #contextNodes: readonly ContextNode<Spec>[] | undefined = undefined;
  #indexes: ReadonlyMap<Stack<Spec>, number> | undefined = undefined;

  constructor(node: TargetNode, entered: boolean) {
    this.node = node;
    this.entered = entered;
  }

  /** Whether paths begin here. */
  get isRoot(): boolean {
    return isRootPosition(this) && mayBegin(this.node);
  }

  /** Whether there are too many stacks; then there are none here, nor below. */
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
  get nodes(): readonly ContextNode<Spec>[] | undefined {
    if (this.stacks === undefined) return undefined;
    if (this.stacks.length === 0) return none;
    this.#contextNodes ??= this.stacks.map((_, index) => new ContextNode(this, index));
    return this.#contextNodes;
  }

  /** Where a stack is among those with which paths come here; -1 where none does. */
  indexOf(stack: Stack<Spec>): number {
    const { stacks = none } = this;
    if (stacks.length <= few) return stacks.indexOf(stack);
    this.#indexes ??= new Map(stacks.map((it, index) => [it, index]));
    return this.#indexes.get(stack) ?? -1;
  }

  /** The paths that come here with a stack. */
  with(stack: Stack<Spec>): ContextNode<Spec> | undefined {
    return this.nodes?.[this.indexOf(stack)];
  }
}

/** The paths that come to a position with one stack, and what is known of them. */
export class ContextNode<Spec> {
  readonly position: PositionStacks<Spec>;
  /** Where their stack is among those of the position. */
  readonly index: number;
  /** How many there are. */
  count: bigint | undefined = undefined;
  /** Which of the policies met so far set something here, or further down, by their locators. */
  setters: ReadonlySet<string> | undefined = undefined;

  constructor(position: PositionStacks<Spec>, index: number) {
    this.position = position;
    this.index = index;
  }

  get stack(): Stack<Spec> {
    return this.position.stacks?.[this.index] as Stack<Spec>;
  }
}

/** The stack before some slots were met; `undefined` for one that has not met just these at its end. */
export function stackBefore<Spec>(stack: Stack<Spec>, met: readonly LevelSlot<Spec>[]): Stack<Spec> | undefined {
  let before = stack;
  for (let at = met.length - 1; at >= 0; at -= 1) {
    if (before.slot !== met[at] || before.above === undefined) return undefined;
    before = before.above;
  }
  return before;
}
