import { isRootPosition, type Position, type TargetNode } from '@policy-machinery/topology';
import type { LevelSlot } from '../levels/level.ts';
import { none } from '../support/nothing.ts';
import type { TargetSet } from '../support/target-sets.ts';
import { mayBegin } from './kinds.ts';
import type { Stack } from './stack.ts';

const tooMany: readonly never[] = [];

/** Up to this number of stacks, a search is faster than an index. */
const few = 64;

/** The ancestors of the paths to a position: usually one set for all paths, else one for each stack. */
export type PositionAncestors = TargetSet | readonly TargetSet[];

/** A position, and the distinct stacks with which paths reach it. */
export class PositionStacks<Spec> implements Position {
  readonly node: TargetNode;
  readonly entered: boolean;
  /** The stacks in a fixed order; `undefined` before they were found. Shared with the position above if this one adds no slots. */
  stacks: readonly Stack<Spec>[] | undefined = undefined;
  /** Whether all positions right above have the same stacks, so that the stacks here are these, in the same order, with the slots here. */
  isInOrder = false;
  /** The slots that paths add on arriving here. */
  met: readonly LevelSlot<Spec>[] = none;
  /** The ancestors above; `undefined` before they were found. */
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

  /** Whether there are too many stacks. Then there are none here, nor below. */
  get isCut(): boolean {
    return this.stacks === tooMany;
  }

  /** Whether no path reaches this position. */
  get isEmpty(): boolean {
    return this.stacks?.length === 0 && !this.isCut;
  }

  /** Records that there are too many stacks. */
  cut(): void {
    this.stacks = tooMany;
  }

  /** The nodes of the stacks; `undefined` before the stacks were found. */
  get nodes(): readonly ContextNode<Spec>[] | undefined {
    if (this.stacks === undefined) return undefined;
    if (this.stacks.length === 0) return none;
    this.#contextNodes ??= this.stacks.map((_, index) => new ContextNode(this, index));
    return this.#contextNodes;
  }

  /** Returns the index of a stack; -1 if no path arrives with the stack. */
  indexOf(stack: Stack<Spec>): number {
    const { stacks = none } = this;
    if (stacks.length <= few) return stacks.indexOf(stack);
    this.#indexes ??= new Map(stacks.map((it, index) => [it, index]));
    return this.#indexes.get(stack) ?? -1;
  }

  /** Returns the node of a stack; `undefined` if no path arrives with the stack. */
  with(stack: Stack<Spec>): ContextNode<Spec> | undefined {
    return this.nodes?.[this.indexOf(stack)];
  }
}

/** A node of the context graph: the paths that reach a position with one stack. */
export class ContextNode<Spec> {
  readonly position: PositionStacks<Spec>;
  /** The index of the stack at the position. */
  readonly index: number;
  /** The number of paths, if it is known. */
  count: bigint | undefined = undefined;

  constructor(position: PositionStacks<Spec>, index: number) {
    this.position = position;
    this.index = index;
  }

  get stack(): Stack<Spec> {
    return this.position.stacks?.[this.index] as Stack<Spec>;
  }
}

/** Returns a stack without some slots at its end; `undefined` if the stack does not end with these slots. */
export function stackBefore<Spec>(stack: Stack<Spec>, met: readonly LevelSlot<Spec>[]): Stack<Spec> | undefined {
  let before = stack;
  for (let at = met.length - 1; at >= 0; at -= 1) {
    if (before.slot !== met[at] || before.above === undefined) return undefined;
    before = before.above;
  }
  return before;
}
