/*
 * contexts/ takes the slots of targets and returns the contexts of effective targets: the distinct sets of slots that paths to a target pass. A
 * position is one of the topology's graph; a stack is the list of slots that a path has passed; an arrival is a stack with the ancestors that its
 * paths lead through; a node is a position with one of its stacks. All of these stay the same when policies are edited. A wanted target is an
 * effective target of the kind.
 */
import {
  type Path,
  type PathOptions,
  type Position,
  positionsAfter,
  type TargetNode,
  type Topology,
} from '@policy-machinery/topology';
import { byTopologyOrder, canBeEntered, positionsBefore } from '@policy-machinery/topology/inner';
import type { LevelSlot } from '../levels/level.ts';
import { none } from '../support/nothing.ts';
import { type ArrivalId, type ArrivalsId, tooMany } from './arrivals.ts';
import { type ContextNode, ContextNodes, reachedFrom } from './context-nodes.ts';
import { pathsTo } from './context-paths.ts';
import { CopiedArrivals } from './copied-arrivals.ts';
import { mayBegin } from './kinds.ts';
import { Positions } from './positions.ts';
import type { StackId } from './stacks.ts';
import type { UndecidedLink } from './undecided-link.ts';
import type { WalkOptions } from './walk-options.ts';

/** A context: a wanted target, and a stack of paths that reach it. */
export interface ContextAt {
  readonly target: TargetNode;
  readonly stack: StackId;
}

/** The contexts of all wanted targets: for each, the arrivals of its paths. */
export class Contexts<Spec> {
  readonly positions: Positions<Spec>;
  readonly nodes: ContextNodes<Spec>;
  readonly topology: Topology;
  readonly #options: WalkOptions<Spec>;
  readonly #found = new Map<TargetNode, ArrivalsId>();
  readonly #leftOut = new Set<TargetNode>();
  #isComplete = false;

  constructor(topology: Topology, options: WalkOptions<Spec>) {
    this.topology = topology;
    this.#options = options;
    this.positions = new Positions(topology, options);
    this.nodes = new ContextNodes(this.positions);
  }

  /** Returns whether a target is an effective target of the kind. */
  isWanted(target: TargetNode): boolean {
    return this.#options.isWanted(target);
  }

  /** Returns the slots of a target, the less specific one first. */
  slotsAt(target: TargetNode): readonly LevelSlot<Spec>[] {
    return this.#options.slotsAt(target);
  }

  /** Returns the arrivals at a wanted target; none if the target is left out. */
  of(target: TargetNode): ArrivalsId {
    const contextsFound = this.#find(target);
    return contextsFound === tooMany ? this.positions.arrivals.none : contextsFound;
  }

  /** Returns whether paths reach a wanted target, and it is not left out. */
  has(target: TargetNode): boolean {
    return !this.positions.arrivals.isEmpty(this.of(target));
  }

  /** Returns the stacks of a wanted target; none if the target is left out. */
  stacksOf(target: TargetNode): readonly StackId[] {
    return this.positions.arrivals.stacksOf(this.of(target));
  }

  arrivalAt({ target, stack }: ContextAt): ArrivalId | undefined {
    return this.positions.arrivals.with(this.of(target), stack);
  }

  /** Returns the ancestors of a context, and the topmost target of each path that has none, in the order of their locators. */
  ancestorsOf(context: ContextAt): readonly TargetNode[] {
    const { arrivals } = this.positions;
    const arrival = this.arrivalAt(context);
    return arrival === undefined ? none : arrivals.ancestors.inOrder(arrivals.ancestorsOf(arrival));
  }

  /** The wanted targets with too many contexts, and those below. The first question finds all contexts. */
  get leftOut(): readonly TargetNode[] {
    if (!this.#isComplete) for (const target of this.topology.targetsOf(this.#options.wanted)) this.#find(target);
    this.#isComplete = true;
    return this.knownLeftOut;
  }

  /** Returns whether some targets are left out. O(targets). */
  areLeftOut(targets: Iterable<TargetNode>): boolean {
    for (const target of targets) if (this.#find(target) === tooMany) return true;
    return false;
  }

  found(target: TargetNode): ArrivalsId | undefined {
    return this.#found.get(target);
  }

  /** The targets that are left out, as far as contexts have been found. */
  get knownLeftOut(): readonly TargetNode[] {
    return [...this.#leftOut].sort(byTopologyOrder);
  }

  /** The targets with known contexts. */
  get allFound(): Iterable<TargetNode> {
    return this.#found.keys();
  }

  /** The number of lists of arrivals in use, as far as contexts have been found. O(positions). */
  get listsInUse(): number {
    return new Set([...this.positions.lists, ...this.#found.values()]).size;
  }

  /** Returns the same contexts in tables without unused lists, and the copied lists. O(lists in use, and positions). */
  compacted(): { readonly contexts: Contexts<Spec>; readonly copied: CopiedArrivals<Spec> } {
    const contexts = new Contexts(this.topology, this.#options);
    const copied = new CopiedArrivals(this.positions.arrivals, contexts.positions.arrivals);
    contexts.positions.takeOver(this.positions, copied);
    for (const [target, list] of this.#found) contexts.#found.set(target, copied.list(list));
    for (const target of this.#leftOut) contexts.#leftOut.add(target);
    contexts.#isComplete = this.#isComplete;
    return { contexts, copied };
  }

  forget(target: TargetNode): void {
    this.#found.delete(target);
    this.#leftOut.delete(target);
    this.positions.forget(target);
    this.nodes.forgetCounts();
  }

  #find(target: TargetNode): ArrivalsId {
    const knownList = this.#found.get(target);
    if (knownList !== undefined) return knownList;
    const { arrivals } = this.positions;
    if (!this.#options.isWanted(target)) return arrivals.none;
    const list = arrivals.union(this.#listsAt(target));
    const limited = arrivals.lengthOf(list) > this.#options.maxContexts ? tooMany : this.#withOwn(target, list);
    if (limited === tooMany) this.#leftOut.add(target);
    this.#found.set(target, limited);
    return limited;
  }

  #listsAt(target: TargetNode): readonly ArrivalsId[] {
    const { arrivals } = this.positions;
    const isPlain = target.section === undefined ? target.linkedSections === 0 : !canBeEntered(target);
    if (isPlain) return [this.positions.at({ node: target, entered: target.section === undefined })];
    const met = this.positions.metAtObject(target.object);
    return [
      ...this.positionsOf(target).map((position) => this.positions.at(position)),
      ...this.passing(target).map((position) => arrivals.push(this.positions.through(position, target), met)),
    ];
  }

  #withOwn(target: TargetNode, list: ArrivalsId): ArrivalsId {
    const { arrivals, options } = this.positions;
    if (list === tooMany || !options.isAncestor(target.object)) return list;
    return arrivals.at(
      list,
      arrivals.ancestors.of([options.ancestorEntries.naming === 'sections' ? target : target.object]),
    );
  }

  positionsOf(node: TargetNode): readonly Position[] {
    const entered: readonly Position[] =
      node.section === undefined || canBeEntered(node) ? [{ node, entered: true }] : none;
    const isReachedDown = node.section !== undefined && this.positions.isReached({ node: node.object, entered: true });
    return isReachedDown ? [{ node, entered: false }, ...entered] : entered;
  }

  /** Returns the positions where paths pass an object into its sections, each once. */
  passing(object: TargetNode): readonly Position[] {
    if (object.linkedSections === 0 || !this.#options.isIncluded(object)) return none;
    const nodes = { contained: new Set<TargetNode>(), entered: new Set<TargetNode>() };
    for (const section of object.sections) {
      if (section.linksFrom.length === 0) continue;
      for (const { node, entered } of positionsBefore({ node: section, entered: true }))
        nodes[entered ? 'entered' : 'contained'].add(node);
    }
    return [
      ...Array.from(nodes.contained, (node) => ({ node, entered: false })),
      ...Array.from(nodes.entered, (node) => ({ node, entered: true })),
    ];
  }

  /** Returns the contexts of the wanted objects that paths at a node pass into their sections. */
  passedFrom(contextNode: ContextNode): readonly ContextAt[] {
    const objects = new Set<TargetNode>();
    for (const { node, entered } of positionsAfter(contextNode)) {
      if (entered && node.section !== undefined && this.#options.isWanted(node.object)) objects.add(node.object);
    }
    return Array.from(objects, (target) => ({ target, stack: this.passedWith(contextNode.stack, target) }));
  }

  /** Returns the stack of a path that passes an object into one of its sections. */
  passedWith(stack: StackId, object: TargetNode): StackId {
    return this.positions.arriving(stack, { node: object, entered: true });
  }

  /** Returns the positions of a target, and of the sections that paths enter directly: these pass the target. */
  arrivalsAt(target: TargetNode): readonly Position[] {
    const entered = target.sections.filter((section) => section.linksFrom.length > 0 || canBeEntered(section));
    return [...this.positionsOf(target), ...entered.map((node) => ({ node, entered: true }))];
  }

  /** Returns whether a path from a root reaches a target. O(links above) at first. */
  isReached(target: TargetNode): boolean {
    return this.arrivalsAt(target).some((position) => this.positions.isReached(position));
  }

  /** Returns the contexts of the wanted targets on a path from its root. O(length). */
  along(path: Path): readonly ContextAt[] {
    const { arrivals } = this.positions;
    let stack = arrivals.stacks.empty;
    const met: ContextAt[] = [];
    const [first] = path;
    if (first === undefined || !mayBegin(first)) return none;
    for (const target of path) {
      if (!this.#options.isIncluded(target.object)) return met;
      const isObject = target.section === undefined;
      const slots = isObject
        ? this.positions.metAtObject(target)
        : this.positions.metAt({ node: target, entered: false });
      stack = arrivals.stacks.concat(isObject ? arrivals.leaving(stack) : stack, slots);
      if (this.arrivalAt({ target, stack }) !== undefined) met.push({ target, stack });
    }
    return met;
  }

  /** Returns the nodes of a target with a stack, and the nodes right above that pass the target into its sections. */
  nodesOf({ target, stack }: ContextAt): readonly ContextNode[] {
    const standing = this.positionsOf(target).flatMap((position) => this.nodes.with(position, stack));
    if (target.section !== undefined) return standing;
    const stackBefore = this.positions.arrivals.stacks.without(stack, this.positions.metAtObject(target));
    return stackBefore === undefined
      ? standing
      : [...standing, ...this.nodes.leavingWith(stackBefore, this.passing(target))];
  }

  /** Returns the number of paths that reach a target with a stack. O(links above) at first. */
  countPaths(context: ContextAt): bigint {
    return this.nodes.countPaths(this.nodesOf(context));
  }

  /** Returns the paths that reach a target with a stack. Each iteration computes them one by one. */
  paths(context: ContextAt, options?: PathOptions): Iterable<Path> {
    const nodesBefore = (contextNode: ContextNode): readonly ContextNode[] => this.nodes.before(contextNode);
    return { [Symbol.iterator]: () => pathsTo(context.target, this.nodesOf(context), nodesBefore, options) };
  }

  /**
   * Returns the targets that paths of a context pass, with the target itself, and the containers with policies on the way: `contextsThrough`
   * finds the context by each of them. O(nodes above).
   */
  passedBy(context: ContextAt): ReadonlySet<TargetNode> {
    const { stacks } = this.positions.arrivals;
    const passed = new Set([context.target]);
    const addContainers = ({ containers }: TargetNode): void => {
      for (const each of containers) if (stacks.isThrough(context.stack, each)) passed.add(each);
    };
    addContainers(context.target.object);
    for (const { node, entered } of reachedFrom(this.nodesOf(context), (it) => this.nodes.before(it))) {
      passed.add(node);
      if (entered) passed.add(node.object); // The path arrives at the object as well.
      addContainers(node.object);
    }
    return passed;
  }

  /**
   * Returns an undecided link on the way to a target with a stack.
   *
   * @returns The link; `undefined` if some path is without an undecided link, so that such a context certainly exists. O(links above), and O(1)
   * without any undecided link in the topology.
   */
  undecidedLink(context: ContextAt): UndecidedLink | undefined {
    if (!this.topology.hasUndecidedLinks) return undefined;
    let link: UndecidedLink | undefined;
    const decidedBefore = (contextNode: ContextNode): readonly ContextNode[] =>
      this.nodes.before(contextNode).filter(({ node: above }) => {
        const refusal = this.topology.undecidedRefusal(above, contextNode.node);
        if (refusal !== undefined) link = { above, below: contextNode.node, refusal };
        return refusal === undefined;
      });
    for (const contextNode of reachedFrom(this.nodesOf(context), decidedBefore)) {
      if (this.nodes.before(contextNode).length === 0) return undefined;
    }
    return link;
  }
}
