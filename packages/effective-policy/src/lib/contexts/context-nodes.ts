import { type Position, positionsAfter, type TargetNode } from '@policy-machinery/topology';
import { positionsBefore } from '@policy-machinery/topology/inner';
import { none } from '../support/nothing.ts';
import { evaluate } from './evaluate.ts';
import type { Positions } from './positions.ts';
import type { StackId } from './stacks.ts';

/** A node of the graph of contexts: the paths that reach a position with one stack. */
export interface ContextNode extends Position {
  readonly stack: StackId;
}

/** The nodes of a view, and the links between them. */
export class ContextNodes<Spec> {
  readonly #positions: Positions<Spec>;
  readonly #counts = new Map<TargetNode, Map<number, bigint>>();

  constructor(positions: Positions<Spec>) {
    this.#positions = positions;
  }

  /** Returns the node of a position with a stack; none if no path arrives with the stack. */
  with({ node, entered }: Position, stack: StackId): readonly ContextNode[] {
    const isThere = this.#positions.arrivals.with(this.#positions.at({ node, entered }), stack) !== undefined;
    return isThere ? [{ node, entered, stack }] : none;
  }

  at({ node, entered }: Position): readonly ContextNode[] {
    const list = this.#positions.at({ node, entered });
    return this.#positions.arrivals.stacksOf(list).map((stack) => ({ node, entered, stack }));
  }

  /** Returns the nodes right above a node. */
  before(contextNode: ContextNode): readonly ContextNode[] {
    const earlier = this.#positions.arrivals.stacks.without(contextNode.stack, this.#positions.metAt(contextNode));
    if (earlier === undefined) return none;
    const positions = positionsBefore(contextNode);
    return contextNode.entered
      ? this.leavingWith(earlier, positions)
      : positions.flatMap((position) => this.with(position, earlier));
  }

  /** Returns the nodes of some positions that leave their object with a stack. */
  leavingWith(stack: StackId, positions: readonly Position[]): readonly ContextNode[] {
    if (!this.#positions.options.isDirect) return positions.flatMap((position) => this.with(position, stack));
    return positions.flatMap((position) =>
      this.at(position).filter((it) => this.#positions.arrivals.leaving(it.stack) === stack),
    );
  }

  /** Returns the nodes right below a node that lead to wanted targets. */
  after(contextNode: ContextNode): readonly ContextNode[] {
    const nodes: ContextNode[] = [];
    for (const position of positionsAfter(contextNode)) {
      if (this.#positions.leadsThere(position.node)) nodes.push(...this.nodeAfter(contextNode, position));
    }
    return nodes;
  }

  /** Returns the node of a position right below that paths at a node lead to; none if there are too many stacks. */
  nodeAfter({ stack }: ContextNode, next: Position): readonly ContextNode[] {
    return this.with(next, this.#positions.arriving(stack, next));
  }

  /** Returns the number of paths to some nodes. O(links above) at first. */
  countPaths(ends: readonly ContextNode[]): bigint {
    return ends.reduce((count, node) => count + this.#countAt(node), 0n);
  }

  /** Forgets the numbers of paths, after a change. */
  forgetCounts(): void {
    this.#counts.clear();
  }

  #countAt(end: ContextNode): bigint {
    evaluate(
      end,
      (it) => this.#counts.get(it.node)?.has(keyOf(it)) === true,
      (it) => this.before(it),
      (contextNode, nodesBefore) => {
        const isRoot = nodesBefore.length === 0; // Nodes that no path reaches do not exist.
        const count = isRoot ? 1n : nodesBefore.reduce((sum, above) => sum + (this.#known(above) ?? 0n), 0n);
        const counts = this.#counts.get(contextNode.node) ?? new Map<number, bigint>();
        this.#counts.set(contextNode.node, counts.set(keyOf(contextNode), count));
      },
    );
    return this.#known(end) ?? 0n;
  }

  #known(contextNode: ContextNode): bigint | undefined {
    return this.#counts.get(contextNode.node)?.get(keyOf(contextNode));
  }
}

/** Identifies a node among the nodes of its target. */
function keyOf({ stack, entered }: ContextNode): number {
  return stack * 2 + Number(entered);
}

/**
 * Visits the nodes that follow from others, and these, each once; the nearest first.
 *
 * @param next Returns the nodes that follow from a node.
 */
export function* reachedFrom(
  starts: Iterable<ContextNode>,
  next: (contextNode: ContextNode) => Iterable<ContextNode>,
): Iterable<ContextNode> {
  const visited = new Map<TargetNode, Set<number>>();
  const reached: ContextNode[] = [];
  const add = (contextNode: ContextNode): void => {
    const keys = visited.get(contextNode.node) ?? new Set<number>();
    const { size } = keys;
    visited.set(contextNode.node, keys.add(keyOf(contextNode)));
    if (keys.size > size) reached.push(contextNode);
  };
  for (const start of starts) add(start);
  for (const contextNode of reached) {
    yield contextNode;
    for (const nextNode of next(contextNode)) add(nextNode); // The loop visits added nodes, too.
  }
}
