import { PolicyMachineryError } from '@policy-machinery/resource';
import {
  type Path,
  type PathOptions,
  type Position,
  positionsAfter,
  positionsBefore,
  rootPositions,
  type TargetNode,
  type Topology,
  targetsMet,
} from '@policy-machinery/topology';
import { PositionSet, positionsLeadingTo } from './leads-to.ts';
import type { Level } from './level.ts';
import { levelsOf, type Stack, Stacks } from './stack.ts';
import { type TargetSet, TargetSets } from './target-sets.ts';

/** The distinct stacks with which paths come upon a target. */
export type Arrivals<Spec> = ReadonlyMap<Stack<Spec>, Arrival>;

/** The paths that come upon a target with one stack. */
export interface Arrival {
  readonly count: bigint;
  /** The ancestors that they lead through: those that the status of a policy has an entry for. */
  readonly ancestors: TargetSet;
}

/** What the walk needs to know of a policy kind. */
export interface WalkOptions<Spec> {
  /** The targets whose contexts are wanted. */
  readonly targets: ReadonlySet<TargetNode>;
  /** The levels of the targets that have policies, the less specific one first. */
  readonly levels: ReadonlyMap<TargetNode, readonly Level<Spec>[]>;
  /** Whether the namespace of an object is a level above it. */
  readonly hasNamespaceLevel: (object: TargetNode) => boolean;
  /** Whether an object is an ancestor in the statuses of policies (S-11). */
  readonly isAncestor: (object: TargetNode) => boolean;
  /** How many distinct stacks a target may have; one with more is left out, and so is what is beneath it. */
  readonly maxContexts: number;
}

/**
 * The contexts of the wanted targets, found in one walk down to them. It follows stacks, not paths: targets without policies
 * add nothing to a stack, so a graph with 2^40 paths and few policies costs no more than its links.
 */
export class Contexts<Spec> {
  /** Where paths begin. */
  readonly #roots: ReadonlySet<TargetNode>;
  readonly #options: WalkOptions<Spec>;
  readonly #stacks = new Stacks<Spec>();
  readonly #sets = new TargetSets();
  /** The positions from which paths lead to wanted targets, each after all that lead to it. */
  readonly #order: readonly Position[];
  readonly #leadsThere: PositionSet;
  /** By each way of arriving from which paths go on: by a link and by containment. */
  readonly #entered = new Map<TargetNode, Map<Stack<Spec>, Arrival>>();
  readonly #contained = new Map<TargetNode, Map<Stack<Spec>, Arrival>>();
  /** By these, and by passing an object on the way into one of its sections. */
  readonly #all = new Map<TargetNode, Map<Stack<Spec>, Arrival>>();
  /** Where there are too many contexts to go on. */
  readonly #cut = new PositionSet();
  readonly #leftOut = new Set<TargetNode>();

  constructor(topology: Topology, options: WalkOptions<Spec>) {
    this.#options = options;
    this.#leadsThere = positionsLeadingTo(options.targets);
    this.#order = topology.positions.filter((position) => this.#leadsThere.has(position));
    const roots = [...rootPositions(topology.targets)].filter((root) => this.#leadsThere.has(root));
    this.#roots = new Set(roots.map(({ node }) => node));
    for (const root of roots) this.#arrive(root, this.#stacks.empty, { count: 1n, ancestors: this.#sets.empty });
    for (const position of this.#order) {
      const onward = this.#onward(position);
      if (this.#cut.has(position)) this.#cutOff(onward);
      else for (const [stack, arrival] of this.#at(position) ?? []) this.#advance(onward, stack, arrival);
    }
  }

  /** All that paths go through on their way to wanted targets, the last ones first. */
  *backwards(): Iterable<Visit<Spec>> {
    for (let at = this.#order.length - 1; at >= 0; at -= 1) {
      const position = this.#order[at] as Position;
      if (this.#cut.has(position)) continue;
      const onward = this.#onward(position);
      for (const stack of this.#at(position)?.keys() ?? []) yield this.#visit(position, stack, onward);
    }
  }

  /** The contexts of wanted targets to which paths lead through a target, or through what a namespace holds. */
  through(target: TargetNode): readonly PlacedContext<Spec>[] {
    const found = new Map<TargetNode, Set<Stack<Spec>>>();
    const add = (node: TargetNode, stack: Stack<Spec>): void => {
      if (!this.of(node).has(stack)) return;
      found.set(node, (found.get(node) ?? new Set()).add(stack));
    };
    const seen = new Map<Stack<Spec>, PositionSet>();
    const queue = [...this.#startsAt(target)];
    for (const [stack] of this.of(target)) add(target, stack);
    for (let visit = queue.pop(); visit !== undefined; visit = queue.pop()) {
      const { position, stack } = visit;
      const there = seen.get(stack) ?? new PositionSet();
      seen.set(stack, there);
      if (!there.add(position) || this.#cut.has(position)) continue;
      if (this.#options.targets.has(position.node)) add(position.node, stack);
      const { next, passed } = this.#visit(position, stack, this.#onward(position));
      queue.push(...next);
      for (const it of passed) add(it.target, it.stack);
    }
    return [...this.#options.targets].flatMap((node) =>
      [...(found.get(node) ?? [])].map((stack) => ({ target: node, stack })),
    );
  }

  /** The positions and stacks with which paths come upon a target, or upon what a namespace holds. */
  *#startsAt(target: TargetNode): Iterable<PlacedPosition<Spec>> {
    const positions = [
      { node: target, entered: true },
      { node: target, entered: false },
      ...target.sections.map((node) => ({ node, entered: true })),
    ].filter((position) => this.#at(position) !== undefined);
    for (const position of positions) for (const stack of this.#at(position)?.keys() ?? []) yield { position, stack };
    if (positions.length > 0 || !this.#options.levels.has(target)) return;
    for (const position of this.#order) {
      for (const stack of this.#at(position)?.keys() ?? []) {
        if (levelsOf(stack).some((level) => level.target === target)) yield { position, stack };
      }
    }
  }

  #visit(position: Position, stack: Stack<Spec>, onward: readonly Position[]): Visit<Spec> {
    const next = onward
      .filter((following) => this.#leadsThere.has(following))
      .map((following) => ({ position: following, stack: this.#after(following, stack) }));
    const objects = new Set(onward.filter((following) => this.#passes(following)).map(({ node }) => node.object));
    const passed = [...objects].map((object) => ({ target: object, stack: this.#pushObject(stack, object) }));
    return { position, stack, next, passed, isWanted: this.#options.targets.has(position.node) };
  }

  /** The wanted targets that have too many contexts, or are beneath one that has. */
  get leftOut(): readonly TargetNode[] {
    return [...this.#options.targets].filter((target) => this.#leftOut.has(target));
  }

  /** The stacks of a target, with the paths of each. */
  of(target: TargetNode): Arrivals<Spec> {
    return this.#leftOut.has(target) ? new Map() : (this.#all.get(target) ?? new Map());
  }

  /** The contexts of the wanted targets on a path from its beginning, each with what the path has met before. O(length). */
  along(path: Path): readonly PlacedContext<Spec>[] {
    let stack = this.#stacks.empty;
    const met: PlacedContext<Spec>[] = [];
    for (const target of path) {
      stack = target.section === undefined ? this.#pushObject(stack, target) : this.#push(stack, target);
      if (this.of(target).has(stack)) met.push({ target, stack });
    }
    return met;
  }

  /** The paths that come upon a target with a stack, made one by one each time they are asked for. */
  paths(target: TargetNode, stack: Stack<Spec>, { limit = 10_000 }: PathOptions = {}): Iterable<Path> {
    return { [Symbol.iterator]: () => this.#limited(target, stack, limit) };
  }

  *#limited(target: TargetNode, stack: Stack<Spec>, limit: number): Iterator<Path> {
    let count = 0;
    for (const path of this.#pathsTo(target, stack)) {
      count += 1;
      if (count > limit) {
        const message = `More than ${limit} paths lead to ${target.locator}; stop earlier, or raise the limit`;
        throw new PolicyMachineryError('too-many-paths', message);
      }
      yield path;
    }
  }

  #onward(position: Position): readonly Position[] {
    return [...positionsAfter(position)].filter((next) => this.#leadsThere.has(next) || this.#passes(next));
  }

  #advance(onward: readonly Position[], stack: Stack<Spec>, arrival: Arrival): void {
    const passed = new Set<TargetNode>();
    for (const next of onward) {
      this.#arrive(next, stack, arrival);
      const { object } = next.node;
      if (!this.#passes(next) || passed.has(object)) continue;
      passed.add(object); // Once, however many of its sections are entered from here.
      this.#come(object, this.#pushObject(stack, object), this.#met(object, arrival));
    }
  }

  /** The same paths after they have come upon an object. */
  #met(object: TargetNode, { count, ancestors }: Arrival): Arrival {
    return { count, ancestors: this.#options.isAncestor(object) ? this.#sets.with(ancestors, object) : ancestors };
  }

  /** Whether a wanted object is passed by going to a position. */
  #passes({ node, entered }: Position): boolean {
    return entered && node.section !== undefined && this.#options.targets.has(node.object);
  }

  #arrive(position: Position, stack: Stack<Spec>, before: Arrival): void {
    const after = this.#after(position, stack);
    const arrival = this.#met(position.node.object, before);
    const contexts = this.#add(position.entered ? this.#entered : this.#contained, position.node, after, arrival);
    if (contexts.size > this.#options.maxContexts) this.#cut.add(position);
    if (this.#options.targets.has(position.node)) this.#come(position.node, after, arrival);
  }

  #come(target: TargetNode, stack: Stack<Spec>, arrival: Arrival): void {
    const contexts = this.#add(this.#all, target, stack, arrival);
    if (contexts.size > this.#options.maxContexts) this.#leftOut.add(target);
  }

  /** What cannot be reached with all its contexts is not reached at all. */
  #cutOff(onward: readonly Position[]): void {
    for (const next of onward) {
      this.#cut.add(next);
      for (const target of targetsMet(next)) this.#leftOut.add(target);
    }
  }

  /** The stack after arriving: namespace, object and section, as far as the path comes upon them here and they have policies. */
  #after({ node, entered }: Position, stack: Stack<Spec>): Stack<Spec> {
    if (!entered) return this.#push(stack, node);
    const object = this.#pushObject(stack, node.object);
    return node.section === undefined ? object : this.#push(object, node);
  }

  #pushObject(stack: Stack<Spec>, object: TargetNode): Stack<Spec> {
    const { namespace } = object;
    const hasLevel = namespace !== undefined && this.#options.hasNamespaceLevel(object);
    return this.#push(hasLevel ? this.#push(stack, namespace) : stack, object);
  }

  #push(stack: Stack<Spec>, target: TargetNode): Stack<Spec> {
    const levels = this.#options.levels.get(target) ?? [];
    return levels.reduce((above, level) => this.#stacks.push(above, level), stack);
  }

  #add(
    arrivals: Map<TargetNode, Map<Stack<Spec>, Arrival>>,
    target: TargetNode,
    stack: Stack<Spec>,
    { count, ancestors }: Arrival,
  ): ReadonlyMap<Stack<Spec>, Arrival> {
    const there = arrivals.get(target) ?? new Map<Stack<Spec>, Arrival>();
    arrivals.set(target, there);
    const known = there.get(stack);
    const all = known === undefined ? ancestors : this.#sets.union(known.ancestors, ancestors);
    return there.set(stack, { count: (known?.count ?? 0n) + count, ancestors: all });
  }

  #at({ node, entered }: Position): Map<Stack<Spec>, Arrival> | undefined {
    return (entered ? this.#entered : this.#contained).get(node);
  }

  /** Goes back from the target, by those positions and stacks only from which it is reached with the stack. */
  *#pathsTo(target: TargetNode, stack: Stack<Spec>): Iterable<Path> {
    const steps = [...this.#ends(target, stack)];
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      const { position, stack: wanted, tail } = step;
      const path = [...targetsMet(position), ...tail];
      const isRoot = position.entered && this.#roots.has(position.node);
      if (isRoot && this.#after(position, this.#stacks.empty) === wanted) yield path;
      for (const previous of positionsBefore(position)) {
        for (const before of this.#at(previous)?.keys() ?? []) {
          if (this.#after(position, before) === wanted) steps.push({ position: previous, stack: before, tail: path });
        }
      }
    }
  }

  /** The last steps of the paths to a target: those that stay there, and those that pass it on the way into a section. */
  *#ends(target: TargetNode, stack: Stack<Spec>): Iterable<StepBack<Spec>> {
    for (const entered of target.section === undefined ? [true] : [false, true]) {
      const position = { node: target, entered };
      if (this.#at(position)?.has(stack)) yield { position, stack, tail: [] };
    }
    const passedFrom = new Set<string>();
    for (const section of target.sections) {
      for (const position of positionsBefore({ node: section, entered: true })) {
        const key = `${position.node.locator} ${position.entered}`;
        if (passedFrom.has(key)) continue;
        passedFrom.add(key);
        for (const before of this.#at(position)?.keys() ?? []) {
          if (this.#pushObject(before, target) === stack) yield { position, stack: before, tail: [target] };
        }
      }
    }
  }
}

/** A position on a path that is being followed back, and what comes after it. */
interface StepBack<Spec> {
  readonly position: Position;
  readonly stack: Stack<Spec>;
  readonly tail: Path;
}

/** A position as paths come to it with one stack. */
export interface PlacedPosition<Spec> {
  readonly position: Position;
  readonly stack: Stack<Spec>;
}

/** A wanted target as paths come upon it with one stack. */
export interface PlacedContext<Spec> {
  readonly target: TargetNode;
  readonly stack: Stack<Spec>;
}

/** What paths go through with one stack, and where they go on. */
export interface Visit<Spec> extends PlacedPosition<Spec> {
  /** Whether contexts are wanted here. */
  readonly isWanted: boolean;
  readonly next: readonly PlacedPosition<Spec>[];
  /** Wanted objects that are passed on the way into one of their sections. */
  readonly passed: readonly PlacedContext<Spec>[];
}
