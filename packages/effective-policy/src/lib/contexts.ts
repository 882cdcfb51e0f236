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
import { Positions, positionsLeadingTo } from './leads-to.ts';
import type { Level } from './level.ts';
import { type Stack, Stacks } from './stack.ts';

/** The distinct stacks with which paths come upon a target, and how many paths come with each. */
export type StackCounts<Spec> = ReadonlyMap<Stack<Spec>, bigint>;

/** What the walk needs to know of a policy kind. */
export interface WalkOptions<Spec> {
  /** The targets whose contexts are wanted. */
  readonly targets: ReadonlySet<TargetNode>;
  /** The levels of the targets that have policies, the less specific one first. */
  readonly levels: ReadonlyMap<TargetNode, readonly Level<Spec>[]>;
  /** Whether the namespace of an object is a level above it. */
  readonly hasNamespaceLevel: (object: TargetNode) => boolean;
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
  /** By each way of arriving from which paths go on: by a link and by containment. */
  readonly #entered = new Map<TargetNode, Map<Stack<Spec>, bigint>>();
  readonly #contained = new Map<TargetNode, Map<Stack<Spec>, bigint>>();
  /** By these, and by passing an object on the way into one of its sections. */
  readonly #all = new Map<TargetNode, Map<Stack<Spec>, bigint>>();
  /** Where there are too many contexts to go on. */
  readonly #cut = new Positions();
  readonly #leftOut = new Set<TargetNode>();

  constructor(topology: Topology, options: WalkOptions<Spec>) {
    this.#options = options;
    const leadsThere = positionsLeadingTo(options.targets);
    const roots = [...rootPositions(topology.targets)].filter((root) => leadsThere.has(root));
    this.#roots = new Set(roots.map(({ node }) => node));
    for (const root of roots) this.#arrive(root, this.#stacks.empty, 1n);
    for (const position of topology.positions) {
      if (!leadsThere.has(position)) continue;
      const onward = [...positionsAfter(position)].filter((next) => leadsThere.has(next) || this.#passes(next));
      if (this.#cut.has(position)) this.#cutOff(onward);
      else for (const [stack, count] of this.#at(position) ?? []) this.#advance(onward, stack, count);
    }
  }

  /** The wanted targets that have too many contexts, or are beneath one that has. */
  get leftOut(): readonly TargetNode[] {
    return [...this.#options.targets].filter((target) => this.#leftOut.has(target));
  }

  /** The stacks of a target, with the number of paths of each. */
  of(target: TargetNode): StackCounts<Spec> {
    return this.#leftOut.has(target) ? new Map() : (this.#all.get(target) ?? new Map());
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

  #advance(onward: readonly Position[], stack: Stack<Spec>, count: bigint): void {
    const passed = new Set<TargetNode>();
    for (const next of onward) {
      this.#arrive(next, stack, count);
      const { object } = next.node;
      if (!this.#passes(next) || passed.has(object)) continue;
      passed.add(object); // Once, however many of its sections are entered from here.
      this.#come(object, this.#pushObject(stack, object), count);
    }
  }

  /** Whether a wanted object is passed by going to a position. */
  #passes({ node, entered }: Position): boolean {
    return entered && node.section !== undefined && this.#options.targets.has(node.object);
  }

  #arrive(position: Position, stack: Stack<Spec>, count: bigint): void {
    const after = this.#after(position, stack);
    const contexts = addCount(position.entered ? this.#entered : this.#contained, position.node, after, count);
    if (contexts.size > this.#options.maxContexts) this.#cut.add(position);
    if (this.#options.targets.has(position.node)) this.#come(position.node, after, count);
  }

  #come(target: TargetNode, stack: Stack<Spec>, count: bigint): void {
    const contexts = addCount(this.#all, target, stack, count);
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

  #at({ node, entered }: Position): Map<Stack<Spec>, bigint> | undefined {
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

function addCount<Spec>(
  arrivals: Map<TargetNode, Map<Stack<Spec>, bigint>>,
  target: TargetNode,
  stack: Stack<Spec>,
  count: bigint,
): ReadonlyMap<Stack<Spec>, bigint> {
  const counts = arrivals.get(target) ?? new Map<Stack<Spec>, bigint>();
  arrivals.set(target, counts);
  return counts.set(stack, (counts.get(stack) ?? 0n) + count);
}
