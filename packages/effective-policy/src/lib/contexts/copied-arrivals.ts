import { type Arrivals, type ArrivalsId, tooMany } from './arrivals.ts';
import type { StackId } from './stacks.ts';

/** Copies lists of arrivals to other tables, each once, so that lists without a use stay behind. */
export class CopiedArrivals<Spec> {
  readonly #from: Arrivals<Spec>;
  readonly #to: Arrivals<Spec>;
  readonly #lists = new Map<ArrivalsId, ArrivalsId>();
  readonly #stacks = new Map<StackId, StackId>();

  constructor(from: Arrivals<Spec>, to: Arrivals<Spec>) {
    this.#from = from;
    this.#to = to;
  }

  /** Returns the copy of a list. O(list) at first. */
  list(list: ArrivalsId): ArrivalsId {
    if (list === tooMany) return tooMany;
    const copied = this.#lists.get(list);
    if (copied !== undefined) return copied;
    const copy = this.#to.of(
      this.#from.items(list).map((arrival) => ({
        stack: this.#copy(this.#from.stackOf(arrival)),
        ancestors: this.#to.ancestors.of(this.#from.ancestors.inOrder(this.#from.ancestorsOf(arrival))),
      })),
    );
    this.#lists.set(list, copy);
    return copy;
  }

  /** Returns the copy of a stack; `undefined` if no copied list has the stack. */
  stack(stack: StackId): StackId | undefined {
    return this.#stacks.get(stack);
  }

  #copy(stack: StackId): StackId {
    const copied = this.#stacks.get(stack);
    if (copied !== undefined) return copied;
    const copy = this.#to.stacks.pushAll(this.#to.stacks.empty, this.#from.stacks.slotsOf(stack));
    this.#stacks.set(stack, copy);
    return copy;
  }
}
