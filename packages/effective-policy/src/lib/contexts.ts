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
import { type Level, type Stack, Stacks } from './stack.ts';

/** The distinct stacks with which paths come upon a target, and how many paths come with each. */
export type StackCounts<Spec> = ReadonlyMap<Stack<Spec>, bigint>;

/** What the walk needs to know of a policy kind. */
export interface WalkOptions<Spec> {
  /** The targets that have policies. */
  readonly levels: ReadonlyMap<TargetNode, Level<Spec>>;
  /** Whether the namespace of an object is a level above it. */
  readonly hasNamespaceLevel: (object: TargetNode) => boolean;
  /** How many distinct stacks a target may have. */
  readonly maxContexts: number;
}

/**
 * The contexts of all targets, found in one walk down the topology. It follows stacks, not paths: targets without policies
 * add nothing to a stack, so a graph with 2^40 paths and few policies costs no more than its links.
 */
export class Contexts<Spec> {
  readonly #roots: readonly Position[];
  readonly #options: WalkOptions<Spec>;
  readonly #stacks = new Stacks<Spec>();
  /** For each way of arriving: by a link, by containment, and by passing on the way into a section. */
  readonly #entered = new Map<TargetNode, Map<Stack<Spec>, bigint>>();
  readonly #contained = new Map<TargetNode, Map<Stack<Spec>, bigint>>();
  readonly #passing = new Map<TargetNode, Map<Stack<Spec>, bigint>>();

  constructor(topology: Topology, options: WalkOptions<Spec>) {
    this.#options = options;
    this.#roots = [...rootPositions(topology.targets)];
    for (const root of this.#roots) this.#arrive(root, this.#stacks.empty, 1n);
    for (const position of topology.positions) {
      for (const [stack, count] of this.#at(position) ?? []) this.#advance(position, stack, count);
    }
  }

  /** The stacks of a target, with the number of paths of each. */
  of(target: TargetNode): StackCounts<Spec> {
    const all = new Map<Stack<Spec>, bigint>();
    for (const arrivals of [this.#entered, this.#contained, this.#passing]) {
      for (const [stack, count] of arrivals.get(target) ?? []) all.set(stack, (all.get(stack) ?? 0n) + count);
    }
    return all;
  }

  /** The paths that come upon a target with a stack, made one by one as they are asked for. */
  *paths(target: TargetNode, stack: Stack<Spec>, { limit = 10_000 }: PathOptions = {}): Iterable<Path> {
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

  #advance(position: Position, stack: Stack<Spec>, count: bigint): void {
    const passed = new Set<TargetNode>();
    for (const next of positionsAfter(position)) {
      this.#arrive(next, stack, count);
      const [object, section] = targetsMet(next);
      if (section === undefined || object === undefined || passed.has(object)) continue;
      passed.add(object); // Once, however many of its sections are entered from here.
      this.#add(this.#passing, object, this.#pushObject(stack, object), count);
    }
  }

  #arrive(position: Position, stack: Stack<Spec>, count: bigint): void {
    this.#add(position.entered ? this.#entered : this.#contained, position.node, this.#after(position, stack), count);
  }

  /** The stack after arriving: namespace, object and section, as far as each is new on the path and has policies. */
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
    const level = this.#options.levels.get(target);
    return level === undefined ? stack : this.#stacks.push(stack, level);
  }

  #add(
    arrivals: Map<TargetNode, Map<Stack<Spec>, bigint>>,
    target: TargetNode,
    stack: Stack<Spec>,
    count: bigint,
  ): void {
    const counts = arrivals.get(target) ?? new Map<Stack<Spec>, bigint>();
    arrivals.set(target, counts);
    counts.set(stack, (counts.get(stack) ?? 0n) + count);
    if (counts.size > this.#options.maxContexts) {
      const message = `${target.locator} is reached in more than ${this.#options.maxContexts} contexts that differ in their policies; attach fewer policies above it, or raise maxContexts`;
      throw new PolicyMachineryError('too-many-contexts', message);
    }
  }

  #at({ node, entered }: Position): Map<Stack<Spec>, bigint> | undefined {
    return (entered ? this.#entered : this.#contained).get(node);
  }

  *#pathsTo(target: TargetNode, stack: Stack<Spec>): Iterable<Path> {
    const roots = new Set(this.#roots.map(({ node }) => node));

    /** All ways to have come to a position with a stack; `tail` is what follows. */
    const back = function* (this: Contexts<Spec>, position: Position, wanted: Stack<Spec>, tail: Path): Iterable<Path> {
      const path = [...targetsMet(position), ...tail];
      if (position.entered && roots.has(position.node) && this.#after(position, this.#stacks.empty) === wanted)
        yield path;
      for (const previous of positionsBefore(position)) {
        for (const before of this.#at(previous)?.keys() ?? []) {
          if (this.#after(position, before) === wanted) yield* back(previous, before, path);
        }
      }
    }.bind(this);

    const ends: Position[] = target.section === undefined ? [] : [{ node: target, entered: false }];
    for (const end of [...ends, { node: target, entered: true }]) {
      if (this.#at(end)?.has(stack)) yield* back(end, stack, []);
    }
    const passedBy = new Set<string>();
    for (const section of this.#passing.get(target)?.has(stack) ? target.sections : []) {
      for (const previous of positionsBefore({ node: section, entered: true })) {
        const from = `${previous.node.locator} ${previous.entered}`;
        if (passedBy.has(from)) continue;
        passedBy.add(from);
        for (const before of this.#at(previous)?.keys() ?? []) {
          if (this.#pushObject(before, target) === stack) yield* back(previous, before, [target]);
        }
      }
    }
  }
}
