import {
  isSectionKind,
  type Position,
  type TargetKind,
  type TargetNode,
  type Topology,
} from '@policy-machinery/topology';
import { isRootPosition, positionsBefore } from '@policy-machinery/topology/inner';
import type { Level, LevelSlot } from '../levels/level.ts';
import { none } from '../support/nothing.ts';
import type { AncestorSetId } from './ancestor-sets.ts';
import { Arrivals, type ArrivalsId, tooMany } from './arrivals.ts';
import type { CopiedArrivals } from './copied-arrivals.ts';
import { evaluate } from './evaluate.ts';
import { mayBegin } from './kinds.ts';
import { namedParents } from './named-ancestors.ts';
import type { StackId } from './stacks.ts';
import type { WalkOptions } from './walk-options.ts';

/**
 * The maximum number of arrivals at a target, and for each link to the target. Usually there are at most as many as links. Chains of links multiply
 * stacks, and each target below has all of them again.
 */
const most = { arrivals: 256, perLink: 64 };

/**
 * Finds the arrivals at positions, from the position in question upwards, and keeps them. The search follows stacks, not paths: targets without
 * policies add nothing to a stack, so a graph with 2^40 paths and few policies costs no more than its links.
 */
export class Positions<Spec> {
  readonly options: WalkOptions<Spec>;
  readonly arrivals: Arrivals<Spec>;
  readonly #topology: Topology;
  /** The arrivals at entered positions. Those at a section that is reached from its object follow from the object's. */
  readonly #entered = new Map<TargetNode, ArrivalsId>();
  readonly #leads = new Map<TargetKind, boolean>();

  constructor(topology: Topology, options: WalkOptions<Spec>) {
    this.#topology = topology;
    this.options = options;
    this.arrivals = new Arrivals(options);
  }

  /** Returns the arrivals at a position. O(links above × stacks) at first. */
  at(position: Position): ArrivalsId {
    const { node } = position;
    if (!position.entered) return this.#contained(node, this.#at(node.object));
    return this.#at(node);
  }

  #at(target: TargetNode): ArrivalsId {
    const knownList = this.#entered.get(target);
    if (knownList !== undefined) return knownList;
    evaluate<Position>(
      { node: target, entered: true },
      (it) => this.#entered.has(enteredBy(it)),
      (position) =>
        this.options.isIncluded(position.node.object)
          ? positionsBefore({ node: enteredBy(position), entered: true })
          : none,
      (it, previousPositions) => this.#entered.set(enteredBy(it), this.#find(enteredBy(it), previousPositions)),
    );
    return this.#entered.get(target) ?? this.arrivals.none;
  }

  isReached(position: Position): boolean {
    return !this.arrivals.isEmpty(this.at(position));
  }

  /** The lists of arrivals at entered positions. */
  get lists(): Iterable<ArrivalsId> {
    return this.#entered.values();
  }

  /** Takes over the arrivals at positions of the same topology. */
  takeOver(other: Positions<Spec>, copied: CopiedArrivals<Spec>): void {
    for (const [target, list] of other.#entered) this.#entered.set(target, copied.list(list));
  }

  forget(node: TargetNode): void {
    this.#entered.delete(node);
  }

  /** Returns the arrivals by a link from a position right above a target. */
  through(position: Position, child: TargetNode): ArrivalsId {
    return this.arrivals.through(this.at(position), this.#passedBetween(position.node, child));
  }

  /** Returns whether targets of a kind, or those below them, can be effective targets. */
  leadsThere({ object }: TargetNode): boolean {
    const kind = object.kind as TargetKind;
    const kindLeads = this.#leads.get(kind);
    if (kindLeads !== undefined) return kindLeads;
    const leads = this.options.wanted.some((it) => this.#topology.leadsTo(kind, isSectionKind(it) ? it.of : it));
    this.#leads.set(kind, leads);
    return leads;
  }

  /** Forgets which kinds lead to effective targets, because a change may have linked more kinds. */
  forgetKinds(): void {
    this.#leads.clear();
  }

  /** Returns the slots that a path adds on arriving at a position, as a stack: the slots of containers, the object and the section. */
  metAt({ node, entered }: Position): StackId {
    if (!entered) return this.#slotsOf(node);
    const object = this.metAtObject(node.object);
    return node.section === undefined ? object : this.arrivals.stacks.concat(object, this.#slotsOf(node));
  }

  /** Returns the slots that a path adds on arriving at an object, as a stack. */
  metAtObject(object: TargetNode): StackId {
    const { stacks } = this.arrivals;
    let around = stacks.empty;
    for (const container of object.containers) {
      const slots = this.#slotsOf(container);
      if (slots === stacks.empty || !this.options.isLevelAround(container, object)) continue;
      around = stacks.concat(around, slots);
    }
    return stacks.concat(around, this.#slotsOf(object));
  }

  #slotsOf(target: TargetNode): StackId {
    return this.arrivals.stacks.of(this.options.slotsAt(target));
  }

  /** Returns a path's stack on arrival at a position, from its stack right above. */
  arriving(stack: StackId, position: Position): StackId {
    const stackOnward = position.entered ? this.arrivals.leaving(stack) : stack;
    return this.arrivals.stacks.concat(stackOnward, this.metAt(position));
  }

  #find(node: TargetNode, previousPositions: readonly Position[]): ArrivalsId {
    const { arrivals, options } = this;
    if (!options.isIncluded(node.object)) return arrivals.none;
    const position = { node, entered: true };
    const met = this.metAt(position);
    if (previousPositions.length === 0) {
      if (!isRootPosition(position) || !mayBegin(node)) return arrivals.none;
      return arrivals.push(arrivals.beginningAt(node, options.isAncestor(node.object)), met);
    }
    const lists = new Set<ArrivalsId>();
    for (const parent of previousPositions) lists.add(this.through(parent, node));
    const list = arrivals.push(arrivals.union(lists), met);
    return arrivals.lengthOf(list) > this.#mostAt(node) || this.#areTooLarge(list, met) ? tooMany : list;
  }

  #contained(section: TargetNode, atObject: ArrivalsId): ArrivalsId {
    const met = this.#slotsOf(section);
    const list = this.arrivals.push(atObject, met);
    return this.#areTooLarge(list, met) ? tooMany : list;
  }

  /** Returns the ancestors that a link leads through. */
  #passedBetween(parent: TargetNode, child: TargetNode): AncestorSetId {
    const { ancestors } = this.arrivals;
    const { isAncestor, ancestorEntries } = this.options;
    if (!isAncestor(parent.object)) return ancestors.empty;
    return ancestors.of(ancestorEntries.naming === 'sections' ? namedParents(parent, child) : [parent.object]);
  }

  #mostAt({ object, linksFrom }: TargetNode): number {
    const links = Math.max(linksFrom.length, object.linksFrom.length);
    return Math.min(this.options.maxContexts, most.arrivals + most.perLink * links);
  }

  /** Returns whether a stack has too many policies or fields, once slots were added. */
  #areTooLarge(list: ArrivalsId, met: StackId): boolean {
    const { stacks } = this.arrivals;
    if (met === stacks.empty) return false;
    const { maxPolicies } = this.options.stackLimits;
    return this.arrivals
      .stacksOf(list)
      .some((stack) => stacks.sizeOf(stack) > maxPolicies || this.hasTooManyFields(stack));
  }

  /**
   * Returns whether the policies of a stack have more fields than the limit of a context.
   *
   * @param levelIn Returns the level of a slot. Default: its current level.
   */
  hasTooManyFields(stack: StackId, levelIn?: (slot: LevelSlot<Spec>) => Level<Spec>): boolean {
    return this.arrivals.stacks.fieldsOf(stack, levelIn) > this.options.stackLimits.maxFields;
  }
}

/** Returns the target that keeps the arrivals of a position: the object for a section that is reached from its object. */
function enteredBy({ node, entered }: Position): TargetNode {
  return entered ? node : node.object;
}
