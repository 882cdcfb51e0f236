/*
 * contexts/ takes the slots of targets and returns the contexts of effective targets: the distinct sets of slots that paths to a target pass. A
 * position is one of the topology's graph; a stack is the list of slots that a path has passed; a node is a position with one of its stacks.
 * All of these stay the same when policies are edited. A wanted target is an effective target of the kind.
 */
import {
  byTopologyOrder,
  canBeEntered,
  formatTarget,
  type Path,
  type PathOptions,
  positionsAfter,
  positionsBefore,
  type Refusal,
  type TargetNode,
  type Topology,
} from '@policy-machinery/topology';
import type { LevelSlot } from '../levels/level.ts';
import { none } from '../support/nothing.ts';
import type { TargetSet } from '../support/target-sets.ts';
import { Ancestors } from './ancestors.ts';
import { ContextGraph } from './context-graph.ts';
import { pathsTo } from './context-paths.ts';
import { type Found, FoundStacks } from './found-stacks.ts';
import { mayBegin } from './kinds.ts';
import type { ContextNode, PositionStacks } from './position-stacks.ts';
import { stackBefore } from './position-stacks.ts';
import type { Stack } from './stack.ts';
import type { WalkOptions } from './walk-options.ts';

/** A link between a section and a target that the section may refuse, since a fact that decides is not known. */
export interface UndecidedLink {
  readonly above: TargetNode;
  readonly below: TargetNode;
  /** The refusal, if the section refuses the target. */
  readonly refusal: Refusal;
}

/** Says why a link is undecided, in a sentence without a full stop: `Gateway infra/public#http may refuse GRPCRoute shop/calls: a route …`. */
export function describeUndecidedLink({ above, below, refusal }: UndecidedLink): string {
  return `${formatTarget(above)} may refuse ${formatTarget(below)}: ${refusal.message}`;
}

/** A context: a wanted target, and one of the stacks with which paths reach it. */
export interface ContextAt<Spec> {
  readonly target: TargetNode;
  readonly stack: Stack<Spec>;
}

/** The contexts of all wanted targets: for each, the distinct stacks with which paths reach it. */
export class Contexts<Spec> {
  readonly graph: ContextGraph<Spec>;
  readonly topology: Topology;
  readonly #options: WalkOptions<Spec>;
  readonly #ancestors: Ancestors<Spec>;
  readonly #found = new FoundStacks<Spec>();
  readonly #leftOut = new Set<TargetNode>();
  #isComplete = false;

  constructor(topology: Topology, options: WalkOptions<Spec>) {
    this.topology = topology;
    this.#options = options;
    this.graph = new ContextGraph(topology, options);
    this.#ancestors = new Ancestors(this.graph, options.ancestorEntries);
  }

  /** Returns whether a target is an effective target of the kind. */
  isWanted(target: TargetNode): boolean {
    return this.#options.isWanted(target);
  }

  /** Returns the slots of a target, the less specific one first. */
  slotsAt(target: TargetNode): readonly LevelSlot<Spec>[] {
    return this.#options.slotsAt(target);
  }

  /** Returns the stacks of a wanted target; none if the target is left out. */
  of(target: TargetNode): readonly Stack<Spec>[] {
    return this.#find(target) ?? none;
  }

  /** The wanted targets with too many contexts, and those below. The first question finds all contexts. */
  get leftOut(): readonly TargetNode[] {
    if (!this.#isComplete) for (const target of this.topology.targetsOf(this.#options.wanted)) this.#find(target);
    this.#isComplete = true;
    return this.knownLeftOut;
  }

  /** Returns whether some targets are left out. O(targets). */
  areLeftOut(targets: Iterable<TargetNode>): boolean {
    for (const target of targets) {
      this.#find(target);
      if (this.#leftOut.has(target)) return true;
    }
    return false;
  }

  /** Returns the stacks of a target if they have been found. */
  found(target: TargetNode): readonly Stack<Spec>[] | undefined {
    return this.#found.get(target);
  }

  /** Returns whether the stacks of a target have been found. */
  isFound(target: TargetNode): boolean {
    return this.#found.has(target);
  }

  /** The targets that are left out, as far as contexts have been found. */
  get knownLeftOut(): readonly TargetNode[] {
    return [...this.#leftOut].sort(byTopologyOrder);
  }

  /** The targets whose contexts have been found. */
  get allFound(): readonly TargetNode[] {
    const all = [...this.#found.objects].flatMap((object) => [object, ...object.sections]);
    return all.filter((target) => this.isWanted(target) && this.isFound(target));
  }

  /** Forgets the sets of targets, which may be gone. Sets in use stay unchanged. */
  forgetSets(): void {
    this.#ancestors.forgetSets();
  }

  /** Forgets the contexts of a target, with its positions. */
  forget(target: TargetNode): void {
    this.#found.forget(target);
    this.#leftOut.delete(target);
    this.graph.forget({ node: target, entered: true });
    if (target.section !== undefined) this.graph.forget({ node: target, entered: false });
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
      return this.graph.stacksByObject(target);
    }
    const positions = this.positionsOf(target);
    const passing = this.passing(target);
    if (positions.some(({ isCut }) => isCut) || passing.some(({ isCut }) => isCut)) return undefined;
    const [first, ...others] = positions.filter(({ stacks = none }) => stacks.length > 0);
    if (passing.length + others.length === 0) return first?.stacks ?? none; // Usually there is one position.
    const found = new Set(positions.flatMap(({ stacks = none }) => stacks));
    const met = this.graph.metAtObject(target.object);
    for (const { stacks = none } of passing) {
      for (const stack of stacks) found.add(this.graph.after(this.graph.leaving(stack), met));
    }
    return found.size > this.#options.maxContexts ? undefined : [...found];
  }

  /** Returns the positions of a target. */
  positionsOf(node: TargetNode): readonly PositionStacks<Spec>[] {
    const entered = node.section === undefined || canBeEntered(node) ? [this.graph.at({ node, entered: true })] : none;
    const isReachedDown = node.section !== undefined && !this.graph.at({ node: node.object, entered: true }).isEmpty;
    return isReachedDown ? [this.graph.at({ node, entered: false }), ...entered] : entered;
  }

  /** Returns the positions from which paths pass an object into its sections, each once. */
  passing(object: TargetNode): readonly PositionStacks<Spec>[] {
    if (object.linkedSections === 0 || !this.#options.isIncluded(object)) return none;
    const positions = new Set<PositionStacks<Spec>>();
    for (const section of object.sections) {
      if (section.linksFrom.length === 0) continue;
      for (const before of positionsBefore({ node: section, entered: true })) positions.add(this.graph.at(before));
    }
    return positions.size === 0 ? none : [...positions];
  }

  /**
   * Returns the nodes right above a node.
   *
   * @param from The positions right above, if you know them.
   */
  before({ position, stack }: ContextNode<Spec>, from = this.graph.before(position)): readonly ContextNode<Spec>[] {
    const earlier = stackBefore(stack, position.met);
    if (earlier === undefined) return none;
    if (position.entered && this.#options.isDirect) return this.#leavingWith(earlier, from);
    const contextNodes: ContextNode<Spec>[] = [];
    for (const before of from) {
      const contextNode = before.with(earlier);
      if (contextNode !== undefined) contextNodes.push(contextNode);
    }
    return contextNodes;
  }

  /** Returns the nodes of some positions whose paths leave the object with a stack. */
  #leavingWith(stack: Stack<Spec>, from: readonly PositionStacks<Spec>[]): readonly ContextNode<Spec>[] {
    return from.flatMap(({ nodes = none }) => nodes.filter((it) => this.graph.leaving(it.stack) === stack));
  }

  /** Returns the node of a position right below that paths at a node go on to; `undefined` if there are too many stacks. */
  nodeAfter({ index, stack }: ContextNode<Spec>, next: PositionStacks<Spec>): ContextNode<Spec> | undefined {
    if (next.isCut) return undefined;
    return next.isInOrder ? next.nodes?.[index] : next.with(this.graph.arriving(stack, next));
  }

  /** Returns the nodes right below a node that lead to wanted targets. */
  after(contextNode: ContextNode<Spec>): readonly ContextNode<Spec>[] {
    const contextNodes: ContextNode<Spec>[] = [];
    for (const position of positionsAfter(contextNode.position)) {
      if (!this.graph.leadsThere(position.node)) continue;
      const next = this.nodeAfter(contextNode, this.graph.at(position));
      if (next !== undefined) contextNodes.push(next);
    }
    return contextNodes;
  }

  /** Returns the contexts of the wanted objects that paths at a node pass into their sections. */
  passedFrom({ position, stack }: ContextNode<Spec>): readonly ContextAt<Spec>[] {
    const objects = new Set<TargetNode>();
    for (const { node, entered } of positionsAfter(position)) {
      if (entered && node.section !== undefined && this.#options.isWanted(node.object)) objects.add(node.object);
    }
    if (objects.size === 0) return none;
    return Array.from(objects, (target) => ({
      target,
      stack: this.graph.after(this.graph.leaving(stack), this.graph.metAtObject(target)),
    }));
  }

  /** Returns the positions of a target, and those of the sections that paths enter directly: these pass the target. */
  arrivalsAt(target: TargetNode): readonly PositionStacks<Spec>[] {
    const entered = target.sections.filter((section) => section.linksFrom.length > 0 || canBeEntered(section));
    return [...this.positionsOf(target), ...entered.map((node) => this.graph.at({ node, entered: true }))];
  }

  /** Returns whether a path from a root reaches a target. O(links above) at first. */
  isReached(target: TargetNode): boolean {
    return this.arrivalsAt(target).some(({ isEmpty }) => !isEmpty);
  }

  /** Returns the contexts of the wanted targets on a path from its root. O(length). */
  along(path: Path): readonly ContextAt<Spec>[] {
    let stack = this.graph.stacks.empty;
    const met: ContextAt<Spec>[] = [];
    const [first] = path;
    if (first === undefined || !mayBegin(first)) return none;
    for (const target of path) {
      if (!this.#options.isIncluded(target.object)) return met;
      const isObject = target.section === undefined;
      const slots = isObject ? this.graph.metAtObject(target) : this.#options.slotsAt(target);
      stack = this.graph.after(isObject ? this.graph.leaving(stack) : stack, slots);
      if (this.of(target).includes(stack)) met.push({ target, stack });
    }
    return met;
  }

  /**
   * Returns pairs of a node of a position and a node right above that leads to it. O(nodes above).
   *
   * @param from The positions above. Default: all that are right above.
   */
  *arrivals(
    position: PositionStacks<Spec>,
    from: Iterable<PositionStacks<Spec>> = this.graph.before(position),
  ): Iterable<readonly [contextNode: ContextNode<Spec>, before: ContextNode<Spec>]> {
    for (const { nodes = none } of from) {
      for (const before of nodes) {
        const contextNode = this.nodeAfter(before, position);
        if (contextNode !== undefined) yield [contextNode, before];
      }
    }
  }

  /** Returns, for each of some stacks of a target, the ancestors that paths lead through. O(links above) at first. */
  ancestorsOf(target: TargetNode, stacks: readonly Stack<Spec>[]): readonly TargetSet[] {
    const positions = [...this.positionsOf(target), ...this.passing(target)];
    const [position, ...others] = positions.filter(({ stacks: there = none }) => there.length > 0);
    const all = position === undefined || others.length > 0 ? undefined : this.#ancestors.ofAll(target, position);
    return stacks.map((stack) => all ?? this.ancestors(target, stack));
  }

  /** Returns whether entries of statuses name a section itself as an ancestor, so that the sections of its object differ. */
  isNamedByItself(section: TargetNode): boolean {
    const { isAncestor, ancestorEntries } = this.graph.options;
    return ancestorEntries.naming === 'sections' && isAncestor(section.object);
  }

  /** Returns the ancestors that paths to a target with a stack lead through. O(links above) at first. */
  ancestors(target: TargetNode, stack: Stack<Spec>): TargetSet {
    return this.#ancestors.of(target, this.nodesOf(target, stack));
  }

  /** Returns the nodes of a target with a stack, and the nodes from which paths pass the target into its sections. */
  nodesOf(target: TargetNode, stack: Stack<Spec>): readonly ContextNode<Spec>[] {
    const standing = this.positionsOf(target).map((position) => position.with(stack));
    const before = stackBefore(stack, this.graph.metAtObject(target.object));
    const from = before === undefined || target.section !== undefined ? none : this.passing(target);
    const passing =
      this.#options.isDirect && before !== undefined
        ? this.#leavingWith(before, from)
        : from.map((it) => before && it.with(before));
    return [...standing, ...passing].filter((contextNode) => contextNode !== undefined);
  }

  /**
   * Returns an undecided link on the way to a target with a stack.
   *
   * @returns The link; `undefined` if some path has no undecided link, so that there is such a context for certain. O(links above), and O(1) without any
   * undecided link in the topology.
   */
  undecidedLink(target: TargetNode, stack: Stack<Spec>): UndecidedLink | undefined {
    if (!this.topology.hasUndecidedLinks) return undefined;
    let link: UndecidedLink | undefined;
    const reached = new Set(this.nodesOf(target, stack));
    for (const contextNode of reached) {
      const { position } = contextNode;
      if (position.isRoot) return undefined;
      for (const before of this.before(contextNode)) {
        const [above, below] = [before.position.node, position.node];
        const refusal = this.topology.undecidedRefusal(above, below);
        if (refusal === undefined)
          reached.add(before); // The loop visits added nodes, too.
        else link = { above, below, refusal };
      }
    }
    return link;
  }

  /** Returns the paths that reach a target with a stack. Each iteration computes them one by one. */
  paths(target: TargetNode, stack: Stack<Spec>, options?: PathOptions): Iterable<Path> {
    const before = (contextNode: ContextNode<Spec>): readonly ContextNode<Spec>[] => this.before(contextNode);
    return { [Symbol.iterator]: () => pathsTo(target, this.nodesOf(target, stack), before, options) };
  }
}
