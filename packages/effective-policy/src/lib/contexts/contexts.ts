/*
 * contexts/ takes the slots of targets and gives the contexts of effective targets: the ways in which paths come to them that differ in where
 * policies are attached. A place is a position of the topology's graph; a stack is the slots that paths have met on the way to it; a spot is a
 * place with one of its stacks. All of that stays the same when policies are edited.
 */
import {
  byPlace,
  canBeEntered,
  type Path,
  type PathOptions,
  positionsAfter,
  positionsBefore,
  type TargetNode,
  type Topology,
} from '@policy-machinery/topology';
import type { LevelSlot } from '../levels/level.ts';
import type { TargetSet } from '../support/target-sets.ts';
import { Ancestors } from './ancestors.ts';
import { pathsTo } from './context-paths.ts';
import { evaluate } from './evaluate.ts';
import { type Found, FoundStacks } from './found-stacks.ts';
import { mayBegin } from './kinds.ts';
import type { Place, Spot } from './place.ts';
import { stackBefore } from './place.ts';
import { Places, type WalkOptions } from './places.ts';
import { isThrough, type Stack } from './stack.ts';

/** A wanted target as paths reach it with one stack. */
export interface PlacedContext<Spec> {
  readonly target: TargetNode;
  readonly stack: Stack<Spec>;
}

const none: readonly never[] = [];

/** The contexts of the wanted targets: the distinct stacks with which paths reach each. */
export class Contexts<Spec> {
  readonly places: Places<Spec>;
  readonly #topology: Topology;
  readonly #options: WalkOptions<Spec>;
  readonly #ancestors: Ancestors<Spec>;
  readonly #found = new FoundStacks<Spec>();
  readonly #leftOut = new Set<TargetNode>();
  #isComplete = false;

  constructor(topology: Topology, options: WalkOptions<Spec>) {
    this.#topology = topology;
    this.#options = options;
    this.places = new Places(topology, options);
    this.#ancestors = new Ancestors(this.places, options.ancestorEntries);
  }

  /** Whether the contexts of a target are wanted. */
  isWanted(target: TargetNode): boolean {
    return this.#options.isWanted(target);
  }

  /** The slots of a target, the less specific one first. */
  slotsAt(target: TargetNode): readonly LevelSlot<Spec>[] {
    return this.#options.slotsAt(target);
  }

  /** The stacks of a wanted target; none if it is left out. */
  of(target: TargetNode): readonly Stack<Spec>[] {
    return this.#find(target) ?? none;
  }

  /** The wanted targets that have too many contexts, or are below one that has. Finds all contexts when first asked for. */
  get leftOut(): readonly TargetNode[] {
    if (!this.#isComplete) for (const target of this.#topology.targetsOf(this.#options.wanted)) this.#find(target);
    this.#isComplete = true;
    return this.knownLeftOut;
  }

  /** The stacks of a target as far as they have been found already. */
  found(target: TargetNode): readonly Stack<Spec>[] | undefined {
    return this.#found.get(target);
  }

  /** Whether the stacks of a target have been found already. */
  isFound(target: TargetNode): boolean {
    return this.#found.has(target);
  }

  /** The targets that are left out, as far as has been found already. */
  get knownLeftOut(): readonly TargetNode[] {
    return [...this.#leftOut].sort(byPlace);
  }

  /** The targets whose contexts have been found already. */
  get allFound(): readonly TargetNode[] {
    const all = [...this.#found.objects].flatMap((object) => [object, ...object.sections]);
    return all.filter((target) => this.isWanted(target) && this.isFound(target));
  }

  /** The places at which paths stand at a target, as far as they are known. */
  knownPlaces(node: TargetNode): readonly Place<Spec>[] {
    const ways = node.section === undefined ? [true] : [true, false];
    return ways.map((entered) => this.places.known({ node, entered })).filter((place) => place !== undefined);
  }

  /** Forgets sets of targets, which may be gone; those that are in use stay as they are. */
  forgetSets(): void {
    this.#ancestors.forgetSets();
  }

  /** Forgets the contexts of a target, and what is known of its positions. */
  forget(target: TargetNode): void {
    this.#found.forget(target);
    this.#leftOut.delete(target);
    this.places.forget({ node: target, entered: true });
    if (target.section !== undefined) this.places.forget({ node: target, entered: false });
  }

  #find(target: TargetNode): readonly Stack<Spec>[] | undefined {
    if (!this.#options.isWanted(target)) return none;
    const known = this.#found.get(target);
    if (known !== undefined || this.#found.has(target)) return known;
    const { object, section } = target;
    if (section === undefined) this.#found.setObject(object, this.#stacksOf(object));
    else if (this.#found.hasSections(object)) this.#found.setSection(target, this.#stacksOf(target));
    else {
      const wanted = object.sections.filter((it) => this.isWanted(it));
      this.#found.setSections(object, new Map(wanted.map((it) => [it, this.#stacksOf(it)])));
    }
    return this.#found.get(target);
  }

  #stacksOf(target: TargetNode): Found<Spec> {
    const stacks = this.#stacksAt(target);
    if (stacks === undefined) this.#leftOut.add(target);
    return stacks;
  }

  #stacksAt(target: TargetNode): readonly Stack<Spec>[] | undefined {
    if (target.section === undefined ? target.linkedSections === 0 : !canBeEntered(target)) {
      return this.places.stacksByObject(target);
    }
    const places = this.placesOf(target);
    const passing = this.passing(target);
    if (places.some(({ isCut }) => isCut) || passing.some(({ isCut }) => isCut)) return undefined;
    const [first, ...others] = places.filter(({ stacks = none }) => stacks.length > 0);
    if (passing.length + others.length === 0) return first?.stacks ?? none; // Usually paths come in one way only.
    const found = new Set(places.flatMap(({ stacks = none }) => stacks));
    const met = this.places.metAtObject(target.object);
    for (const { stacks = none } of passing) {
      for (const stack of stacks) found.add(this.places.after(stack, met));
    }
    return found.size > this.#options.maxContexts ? undefined : [...found];
  }

  /** The places at which paths stand at a target. */
  placesOf(node: TargetNode): readonly Place<Spec>[] {
    const entered = node.section === undefined || canBeEntered(node) ? [this.places.at({ node, entered: true })] : none;
    const isReachedDown = node.section !== undefined && !this.places.at({ node: node.object, entered: true }).isEmpty;
    return isReachedDown ? [this.places.at({ node, entered: false }), ...entered] : entered;
  }

  /** The places from which paths pass an object on the way into one of its sections; each once, however many they enter. */
  passing(object: TargetNode): readonly Place<Spec>[] {
    if (object.linkedSections === 0) return none;
    const places = new Set<Place<Spec>>();
    for (const section of object.sections) {
      if (section.linksFrom.length === 0) continue;
      for (const before of positionsBefore({ node: section, entered: true })) places.add(this.places.at(before));
    }
    return places.size === 0 ? none : [...places];
  }

  /**
   * Where paths with one stack come from.
   *
   * @param from The places from which paths come to theirs, if these are known already.
   */
  before({ place, stack }: Spot<Spec>, from = this.places.before(place)): readonly Spot<Spec>[] {
    const earlier = stackBefore(stack, place.met);
    if (earlier === undefined) return none;
    const spots: Spot<Spec>[] = [];
    for (const before of from) {
      const spot = before.with(earlier);
      if (spot !== undefined) spots.push(spot);
    }
    return spots;
  }

  /** Where paths with one stack are when they go on to a place right below; `undefined` if there are too many there. */
  spotAfter({ stack }: Spot<Spec>, next: Place<Spec>): Spot<Spec> | undefined {
    return next.isCut ? undefined : next.with(this.places.after(stack, next.met));
  }

  /** Where paths go on from, to wanted targets. */
  after(spot: Spot<Spec>): readonly Spot<Spec>[] {
    const spots: Spot<Spec>[] = [];
    for (const position of positionsAfter(spot.place)) {
      if (!this.places.leadsThere(position.node)) continue;
      const next = this.spotAfter(spot, this.places.at(position));
      if (next !== undefined) spots.push(next);
    }
    return spots;
  }

  /** The wanted objects that are passed on the way from here into one of their sections. */
  passedFrom({ place, stack }: Spot<Spec>): readonly PlacedContext<Spec>[] {
    const objects = new Set<TargetNode>();
    for (const { node, entered } of positionsAfter(place)) {
      if (entered && node.section !== undefined && this.#options.isWanted(node.object)) objects.add(node.object);
    }
    if (objects.size === 0) return none;
    return Array.from(objects, (target) => ({
      target,
      stack: this.places.after(stack, this.places.metAtObject(target)),
    }));
  }

  /** The contexts of wanted targets to which paths lead through a target, or through what a namespace holds. */
  through(target: TargetNode): readonly PlacedContext<Spec>[] {
    const found = new Map<TargetNode, Set<Stack<Spec>>>();
    const add = (node: TargetNode, stack: Stack<Spec>): void => {
      if (this.#options.isWanted(node)) found.set(node, (found.get(node) ?? new Set()).add(stack));
    };
    for (const stack of this.of(target)) add(target, stack);
    const reached = new Set(this.#startsAt(target));
    for (const spot of reached) {
      add(spot.place.node, spot.stack);
      for (const next of this.after(spot)) reached.add(next); // The loop goes on to what is added.
      for (const passed of this.passedFrom(spot)) add(passed.target, passed.stack);
    }
    return [...found.keys()]
      .sort(byPlace)
      .flatMap((node) =>
        this.of(node).flatMap((stack) => (found.get(node)?.has(stack) ? [{ target: node, stack }] : [])),
      );
  }

  /** Where paths reach a target, be it only on the way into a section, or upon what a namespace holds. */
  *#startsAt(target: TargetNode): Iterable<Spot<Spec>> {
    if (this.places.leadsThere(target)) {
      for (const { spots = none } of this.arrivalsAt(target)) yield* spots;
      return;
    }
    if (this.#options.slotsAt(target).length === 0) return;
    for (const member of this.#topology.membersOf(target)) {
      if (!this.places.leadsThere(member)) continue;
      for (const { spots = none } of this.arrivalsAt(member)) {
        for (const spot of spots) if (isThrough(spot.stack, target)) yield spot;
      }
    }
  }

  /** The places at which paths reach a target, be it only on the way into one of its sections. */
  arrivalsAt(target: TargetNode): readonly Place<Spec>[] {
    const entered = target.sections.filter((section) => section.linksFrom.length > 0 || canBeEntered(section));
    return [...this.placesOf(target), ...entered.map((node) => this.places.at({ node, entered: true }))];
  }

  /** Whether any path from a beginning comes upon a target. O(links above) at first. */
  isReached(target: TargetNode): boolean {
    return this.arrivalsAt(target).some(({ isEmpty }) => !isEmpty);
  }

  /** The contexts of the wanted targets on a path from its beginning, each with what the path has met before. O(length). */
  along(path: Path): readonly PlacedContext<Spec>[] {
    let stack = this.places.stacks.empty;
    const met: PlacedContext<Spec>[] = [];
    const [first] = path;
    if (first === undefined || !mayBegin(first)) return none;
    for (const target of path) {
      const slots = target.section === undefined ? this.places.metAtObject(target) : this.#options.slotsAt(target);
      stack = this.places.after(stack, slots);
      if (this.of(target).includes(stack)) met.push({ target, stack });
    }
    return met;
  }

  /** How many paths reach a target with a stack. O(links above) at first. */
  count(target: TargetNode, stack: Stack<Spec>): bigint {
    let count = 0n;
    for (const spot of this.spotsOf(target, stack)) count += this.#countAt(spot);
    return count;
  }

  #countAt(spot: Spot<Spec>): bigint {
    evaluate(
      spot.place,
      ({ spots = none }) => spots.every(({ count }) => count !== undefined),
      (place) => this.places.before(place),
      (place, before) => {
        for (const it of place.spots ?? none) it.count = place.isRoot ? 1n : 0n;
        for (const [it, earlier] of this.arrivals(place, before)) it.count = (it.count ?? 0n) + (earlier.count ?? 0n);
      },
    );
    return spot.count ?? 0n;
  }

  /**
   * The spots of a place, each with those that paths come from; a spot comes once for each. O(spots before).
   *
   * @param from The places that they come from. Default: all before it.
   */
  *arrivals(
    place: Place<Spec>,
    from: Iterable<Place<Spec>> = this.places.before(place),
  ): Iterable<readonly [spot: Spot<Spec>, before: Spot<Spec>]> {
    for (const { spots = none } of from) {
      for (const before of spots) {
        const spot = this.spotAfter(before, place);
        if (spot !== undefined) yield [spot, before];
      }
    }
  }

  /** The ancestors through which paths reach a target with each of some of its stacks. O(links above) at first. */
  ancestorsOf(target: TargetNode, stacks: readonly Stack<Spec>[]): readonly TargetSet[] {
    const places = [...this.placesOf(target), ...this.passing(target)];
    const [place, ...others] = places.filter(({ stacks: there = none }) => there.length > 0);
    const all = place === undefined || others.length > 0 ? undefined : this.#ancestors.ofAll(target, place);
    return stacks.map((stack) => all ?? this.ancestors(target, stack));
  }

  /** The ancestors through which paths reach a target with a stack. O(links above) at first. */
  ancestors(target: TargetNode, stack: Stack<Spec>): TargetSet {
    return this.#ancestors.of(target, this.spotsOf(target, stack));
  }

  /** Where paths stand at a target with a stack, or are right before they pass it on the way into one of its sections. */
  spotsOf(target: TargetNode, stack: Stack<Spec>): readonly Spot<Spec>[] {
    const standing = this.placesOf(target).map((place) => place.with(stack));
    const before = stackBefore(stack, this.places.metAtObject(target.object));
    const passing =
      before === undefined || target.section !== undefined ? none : this.passing(target).map((it) => it.with(before));
    return [...standing, ...passing].filter((spot) => spot !== undefined);
  }

  /** The paths that come upon a target with a stack, made one by one each time they are asked for. */
  paths(target: TargetNode, stack: Stack<Spec>, options?: PathOptions): Iterable<Path> {
    const before = (spot: Spot<Spec>): readonly Spot<Spec>[] => this.before(spot);
    return { [Symbol.iterator]: () => pathsTo(target, this.spotsOf(target, stack), before, options) };
  }
}
