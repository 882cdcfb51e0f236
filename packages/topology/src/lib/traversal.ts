import { PolicyMachineryError } from '@policy-machinery/resource';
import {
  entryAt,
  type Position,
  positionsAfter,
  positionsBefore,
  positionsOf,
  rootPositions,
  targetsMet,
} from './position.ts';
import { byLocator, type TargetNode } from './target-node.ts';

/** The targets that a context passes, least specific first; an object stands right before its section. */
export type Path = readonly TargetNode[];

/** How far to go. */
export interface PathOptions {
  /** The number of paths after which to stop with an error. Default 10,000. */
  readonly limit?: number;
}

/** One step down: sections, and targets of links. */
export function childrenOf(node: TargetNode): readonly TargetNode[] {
  return [...node.sections, ...node.linksTo];
}

/** One step up: the object of a section, and where links come from. */
export function parentsOf(node: TargetNode): readonly TargetNode[] {
  return node.section === undefined ? node.linksFrom : [node.object, ...node.linksFrom];
}

/** Every target on a path from this one downwards. O(targets and links beneath). */
export function descendantsOf(node: TargetNode): readonly TargetNode[] {
  const start = node.section === undefined ? entryAt(node) : { node, entered: node.linksFrom.length > 0 };
  return reach([start], positionsAfter, node);
}

/** Every target on a path from above down to this one. O(targets and links above). */
export function ancestorsOf(node: TargetNode): readonly TargetNode[] {
  return reach(arrivalsAt(node), positionsBefore, node);
}

/** The positions at which a path has come upon a target, be it only on the way into one of its sections. */
function arrivalsAt(node: TargetNode): readonly Position[] {
  return [...positionsOf(node), ...node.sections.filter((section) => section.linksFrom.length > 0).map(entryAt)];
}

function reach(
  starts: readonly Position[],
  next: (position: Position) => Iterable<Position>,
  self: TargetNode,
): readonly TargetNode[] {
  const reached = new Set<TargetNode>();
  const seen = new PositionSet();
  const queue = [...starts];
  for (const start of starts) seen.add(start);
  for (let position = queue.pop(); position !== undefined; position = queue.pop()) {
    for (const following of next(position)) {
      if (!seen.add(following)) continue;
      queue.push(following);
      for (const target of targetsMet(following)) reached.add(target);
    }
  }
  reached.delete(self);
  return [...reached].sort(byLocator);
}

/**
 * The paths between two targets, or from all roots. Made one by one, as they are asked for: there can be exponentially
 * many.
 */
export function* pathsBetween(
  starts: Iterable<Position>,
  to: TargetNode,
  { limit = 10_000 }: PathOptions = {},
): Iterable<Path> {
  const leadsThere = new PositionSet();
  const queue = [...arrivalsAt(to)];
  for (const position of queue) leadsThere.add(position);
  for (let position = queue.pop(); position !== undefined; position = queue.pop()) {
    for (const previous of positionsBefore(position)) if (leadsThere.add(previous)) queue.push(previous);
  }

  let count = 0;
  const arrive = (path: Path): Path => {
    count += 1;
    if (count <= limit) return path;
    const message = `More than ${limit} paths lead to ${to.locator}; stop earlier, or raise the limit`;
    throw new PolicyMachineryError('too-many-paths', message);
  };
  function* extend(path: Path, position: Position): Iterable<Path> {
    if (position.node === to) {
      yield arrive(path);
      return;
    }
    let passed = false;
    for (const following of positionsAfter(position)) {
      if (!leadsThere.has(following)) continue;
      const met = targetsMet(following);
      if (met.includes(to) && following.node !== to) {
        if (!passed) yield arrive([...path, to]); // Once, however many of its sections are entered from here.
        passed = true;
      } else {
        yield* extend([...path, ...met], following);
      }
    }
  }
  for (const start of starts) {
    const met = targetsMet(start);
    if (leadsThere.has(start) && (start.node === to || !met.includes(to))) yield* extend(met, start);
  }
}

/** All paths to a target, from wherever they begin. */
export function pathsTo(objects: Iterable<TargetNode>, to: TargetNode, options?: PathOptions): Iterable<Path> {
  return pathsBetween(rootPositions(objects), to, options);
}

class PositionSet {
  readonly #entered = new Set<TargetNode>();
  readonly #contained = new Set<TargetNode>();

  has({ node, entered }: Position): boolean {
    return (entered ? this.#entered : this.#contained).has(node);
  }

  /** Whether the position is new. */
  add(position: Position): boolean {
    const set = position.entered ? this.#entered : this.#contained;
    return set.size < set.add(position.node).size;
  }
}
