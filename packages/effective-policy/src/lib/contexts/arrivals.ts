import type { TargetNode } from '@policy-machinery/topology';
import { none } from '../support/nothing.ts';
import { PairMap } from '../tables/pair-map.ts';
import { Sequences } from '../tables/sequences.ts';
import { type AncestorSetId, AncestorSets } from './ancestor-sets.ts';
import { type StackId, Stacks } from './stacks.ts';
import type { WalkOptions } from './walk-options.ts';

/** The stack of some paths to a position, and the ancestors on these paths. */
export type ArrivalId = number & { readonly of: 'arrival' };

/** The arrivals at a position: one for each stack. */
export type ArrivalsId = number & { readonly of: 'arrivals' };

/** In place of arrivals: there are too many. */
export const tooMany = -1 as ArrivalsId;

/** Up to this number of arrivals, a search is faster than an index. */
const few = 64;

/**
 * The arrivals of a view. A link, and the slots at a target, turn a list of arrivals into another list. Each such step is computed once, however many
 * targets it leads to.
 */
export class Arrivals<Spec> {
  readonly stacks = new Stacks<Spec>();
  readonly ancestors: AncestorSets;
  readonly #lists = new Sequences<ArrivalsId, ArrivalId>();
  readonly #stackOf: StackId[] = [];
  readonly #ancestorsOf: AncestorSetId[] = [];
  readonly #known = new PairMap<ArrivalId>();
  readonly #pushed = new PairMap<ArrivalsId>();
  readonly #through = new PairMap<ArrivalsId>();
  readonly #united = new PairMap<ArrivalsId>();
  readonly #stacks = new Map<ArrivalsId, readonly StackId[]>();
  readonly #indexes = new Map<ArrivalsId, ReadonlyMap<StackId, ArrivalId>>();
  readonly #isDirect: boolean;
  readonly #isNearest: boolean;
  readonly #maxContexts: number;

  constructor({ isDirect, isAncestor, ancestorEntries, maxContexts }: WalkOptions<Spec>) {
    this.ancestors = new AncestorSets(isAncestor);
    this.#isDirect = isDirect;
    this.#isNearest = ancestorEntries.reach === 'nearest';
    this.#maxContexts = maxContexts;
  }

  get none(): ArrivalsId {
    return this.#lists.empty;
  }

  /** The number of lists, in use or not. */
  get count(): number {
    return this.#lists.size;
  }

  /** Returns whether no path arrives. */
  isEmpty(list: ArrivalsId): boolean {
    return list === this.none;
  }

  stackOf(arrival: ArrivalId): StackId {
    return this.#stackOf[arrival] ?? this.stacks.empty;
  }

  /** Returns the ancestors of an arrival, and the topmost target of each path that has none. */
  ancestorsOf(arrival: ArrivalId): AncestorSetId {
    return this.#ancestorsOf[arrival] ?? this.ancestors.empty;
  }

  lengthOf(list: ArrivalsId): number {
    return list === tooMany ? 0 : this.#lists.lengthOf(list);
  }

  of(arrivals: readonly { readonly stack: StackId; readonly ancestors: AncestorSetId }[]): ArrivalsId {
    return this.#lists.of(arrivals.map(({ stack, ancestors }) => this.#arrival(stack, ancestors)));
  }

  /** Returns the arrivals of a list; none if there are too many. */
  items(list: ArrivalsId): readonly ArrivalId[] {
    return list === tooMany ? none : this.#lists.items(list);
  }

  /** Returns the stacks of a list; none if there are too many. */
  stacksOf(list: ArrivalsId): readonly StackId[] {
    const knownStacks = this.#stacks.get(list);
    if (knownStacks !== undefined) return knownStacks;
    const stacks = this.items(list).map((arrival) => this.stackOf(arrival));
    this.#stacks.set(list, stacks);
    return stacks;
  }

  /** Returns the arrival with a stack; `undefined` if no path arrives with it. */
  with(list: ArrivalsId, stack: StackId): ArrivalId | undefined {
    if (this.lengthOf(list) <= few) return this.items(list).find((arrival) => this.stackOf(arrival) === stack);
    const index = this.#indexes.get(list) ?? new Map(this.items(list).map((it) => [this.stackOf(it), it]));
    this.#indexes.set(list, index);
    return index.get(stack);
  }

  /** Returns the arrival of a path that begins at a target, which stands in for the ancestors that the path does not have. */
  beginningAt({ object }: TargetNode, isAncestor: boolean): ArrivalsId {
    const ancestors = isAncestor ? this.ancestors.empty : this.ancestors.of([object]);
    return this.of([{ stack: this.stacks.empty, ancestors }]);
  }

  /** Returns arrivals with more slots. They stay distinct, and in the same order. */
  push(list: ArrivalsId, met: StackId): ArrivalsId {
    if (met === this.stacks.empty || list === tooMany || this.isEmpty(list)) return list;
    return this.#pushed.get(list, met) ?? this.#pushed.set(list, met, this.#withSlots(list, met));
  }

  /**
   * Returns the arrivals of paths that follow a link.
   *
   * @param passed The ancestors that the link leads through; the empty set if its upper end is not an ancestor.
   */
  through(list: ArrivalsId, passed: AncestorSetId): ArrivalsId {
    const isAlike = passed === this.ancestors.empty && !this.#isDirect;
    if (isAlike || list === tooMany || this.isEmpty(list)) return list;
    return this.#through.get(list, passed) ?? this.#through.set(list, passed, this.#passing(list, passed));
  }

  #passing(list: ArrivalsId, passed: AncestorSetId): ArrivalsId {
    const listAfter = this.#map(list, (stack, ancestors) => [this.leaving(stack), this.#with(ancestors, passed)]);
    return this.#isDirect ? this.#unite([listAfter]) : listAfter;
  }

  #withSlots(list: ArrivalsId, met: StackId): ArrivalsId {
    return this.#map(list, (stack, ancestors) => [this.stacks.concat(stack, met), ancestors]);
  }

  /** Returns a path's stack when it leaves an object. */
  leaving(stack: StackId): StackId {
    return this.#isDirect ? this.stacks.withoutPolicies(stack) : stack;
  }

  /** Returns the arrivals at a target that is an ancestor itself. */
  at(list: ArrivalsId, ownAncestors: AncestorSetId): ArrivalsId {
    return this.#map(list, (stack, ancestors) => [stack, this.#with(ancestors, ownAncestors)]);
  }

  /** Returns the arrivals of a list with other stacks; those without a stack are left out. */
  mapStacks(list: ArrivalsId, stackFor: (stack: StackId) => StackId | undefined): ArrivalsId {
    const arrivals = this.items(list).flatMap((arrival) => {
      const stack = stackFor(this.stackOf(arrival));
      return stack === undefined ? [] : this.#arrival(stack, this.ancestorsOf(arrival));
    });
    return this.#unite([this.#lists.of(arrivals)]);
  }

  /** Returns the arrivals of several lists, in order, and united where they have the same stack; stops above the limit. */
  union(lists: Iterable<ArrivalsId>): ArrivalsId {
    const distinct = [...new Set(lists)].filter((list) => !this.isEmpty(list));
    if (distinct.includes(tooMany)) return tooMany;
    const [first = this.none, second] = distinct;
    if (second === undefined) return first;
    if (distinct.length > 2) return this.#unite(distinct);
    return this.#united.get(first, second) ?? this.#united.set(first, second, this.#unite(distinct));
  }

  #arrival(stack: StackId, ancestors: AncestorSetId): ArrivalId {
    const knownId = this.#known.get(stack, ancestors);
    if (knownId !== undefined) return knownId;
    this.#ancestorsOf.push(ancestors);
    return this.#known.set(stack, ancestors, (this.#stackOf.push(stack) - 1) as ArrivalId);
  }

  /** Returns ancestors with those that paths lead through next. Nothing stands in for an ancestor. */
  #with(ancestors: AncestorSetId, passed: AncestorSetId): AncestorSetId {
    if (passed === this.ancestors.empty) return ancestors;
    return this.#isNearest ? passed : this.ancestors.union([this.ancestors.withoutStandIns(ancestors), passed]);
  }

  #map(
    list: ArrivalsId,
    next: (stack: StackId, ancestors: AncestorSetId) => readonly [StackId, AncestorSetId],
  ): ArrivalsId {
    return this.#lists.of(
      this.items(list).map((arrival) => this.#arrival(...next(this.stackOf(arrival), this.ancestorsOf(arrival)))),
    );
  }

  #unite(lists: readonly ArrivalsId[]): ArrivalsId {
    const setsByStack = new Map<StackId, AncestorSetId | Set<AncestorSetId>>();
    for (const list of lists) {
      for (const arrival of this.items(list)) {
        const [stack, more] = [this.stackOf(arrival), this.ancestorsOf(arrival)];
        const ancestors = setsByStack.get(stack);
        if (ancestors instanceof Set) ancestors.add(more);
        else if (ancestors !== more)
          setsByStack.set(stack, ancestors === undefined ? more : new Set([ancestors, more]));
      }
      if (setsByStack.size > this.#maxContexts) break;
    }
    const arrivals = Array.from(setsByStack, ([stack, sets]) =>
      this.#arrival(stack, sets instanceof Set ? this.ancestors.union(sets) : sets),
    );
    return this.#lists.of(arrivals);
  }
}
