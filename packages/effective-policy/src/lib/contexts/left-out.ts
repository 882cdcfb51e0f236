import { type Position, positionsAfter, type TargetNode } from '@policy-machinery/topology';
import { targetsPassed } from '@policy-machinery/topology/inner';
import { none } from '../support/nothing.ts';
import { evaluate } from './evaluate.ts';

/** The maximum number of targets that are kept: one more than messages name. */
const most = 6;

/** The answers for one target, by the way of arriving. */
interface Known {
  entered: readonly number[] | undefined;
  contained: readonly number[] | undefined;
}

/** Finds the targets that are left out below others. Each position is evaluated once: there may be thousands of both. */
export class LeftOut {
  readonly #targets: readonly TargetNode[];
  readonly #order: ReadonlyMap<TargetNode, number>;
  readonly #known = new Map<TargetNode, Known>();

  /** @param targets The targets that are left out, in order. */
  constructor(targets: readonly TargetNode[]) {
    this.#targets = targets;
    this.#order = new Map(targets.map((target, index) => [target, index]));
  }

  get isEmpty(): boolean {
    return this.#targets.length === 0;
  }

  /** Returns the first of them at a target, at some positions, or below. O(positions below) at first. */
  below(target: TargetNode, positions: Iterable<Position>): readonly TargetNode[] {
    let targetsFound = this.#at([target]);
    for (const position of positions) targetsFound = union(targetsFound, this.#find(position));
    return targetsFound.flatMap((position) => this.#targets[position] ?? none);
  }

  #find(start: Position): readonly number[] {
    evaluate<Position>(
      start,
      (position) => this.#knownAt(position) !== undefined,
      (position) => [...positionsAfter(position)],
      (position, nextPositions) => {
        const indexLists = nextPositions.map((it) => this.#knownAt(it) ?? none);
        this.#note(position, indexLists.reduce(union, this.#at(targetsPassed(position))));
      },
    );
    return this.#knownAt(start) ?? none;
  }

  #at(targets: readonly TargetNode[]): readonly number[] {
    const indexes = targets.flatMap((target) => this.#order.get(target) ?? []);
    return indexes.length === 0 ? none : indexes.sort((a, b) => a - b);
  }

  #knownAt({ node, entered }: Position): readonly number[] | undefined {
    return this.#known.get(node)?.[entered ? 'entered' : 'contained'];
  }

  #note({ node, entered }: Position, indexes: readonly number[]): void {
    const marks = this.#known.get(node) ?? { entered: undefined, contained: undefined };
    this.#known.set(node, marks);
    marks[entered ? 'entered' : 'contained'] = indexes;
  }
}

/** Returns the first items of two lists, each once and in order. */
function union(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a === b || b.length === 0) return a;
  if (a.length === 0) return b;
  return [...new Set([...a, ...b])].sort((index, other) => index - other).slice(0, most);
}
