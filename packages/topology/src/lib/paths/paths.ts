import { PolicyMachineryError } from '@policy-machinery/resource';
import type { Path, PathOptions, Position } from '../model/path.ts';
import { byLocator, type TargetNode } from '../model/target-node.ts';
import { positionsAfter, positionsBefore, rootPositions, targetsPassed } from './position.ts';
import { PositionSet } from './position-map.ts';
import { repeatable } from './repeatable.ts';
import { arrivalsAt, positionOf, spread } from './traversal.ts';

/** Returns the paths from one target down to another. */
export function pathsBetween(from: TargetNode, to: TargetNode, options?: PathOptions): Iterable<Path> {
  return repeatable(() => walk([{ position: positionOf(from), path: [from] }], to, options));
}

/** Returns all paths to a target, from all targets that paths begin with. */
export function pathsTo(to: TargetNode, options?: PathOptions): Iterable<Path> {
  return repeatable(() => {
    const starts = [...rootPositions(objectsAbove(to))];
    return walk(
      starts.map((position) => ({ position, path: targetsPassed(position) })),
      to,
      options,
    );
  });
}

/** Returns the whole resources that paths to a target can begin at, themselves or by a section, by locator. */
function objectsAbove(to: TargetNode): readonly TargetNode[] {
  const objects = new Set([to.object]);
  for (const { node } of spread(arrivalsAt(to), positionsBefore)) objects.add(node.object);
  return [...objects].sort(byLocator);
}

interface Start {
  readonly position: Position;
  readonly path: Path;
}

/**
 * Returns paths one by one, on demand: there can be exponentially many. The search first finds the positions that lead to the target, so it never
 * follows a dead end, and does not recurse, so depth costs no stack.
 */
function* walk(starts: readonly Start[], to: TargetNode, { limit = 10_000 }: PathOptions = {}): Iterator<Path> {
  const leadsThere = new PositionSet();
  const arrivals = arrivalsAt(to);
  for (const position of arrivals) leadsThere.add(position);
  for (const position of spread(arrivals, positionsBefore)) leadsThere.add(position);

  let count = 0;
  for (const { position, path } of starts) {
    if (!leadsThere.has(position) || (position.node !== to && path.includes(to))) continue;
    for (const completePath of pathsFrom(position, path, to, leadsThere)) {
      count += 1;
      if (count > limit) {
        const message = `More than ${limit} paths lead to ${to.locator}; stop earlier, or raise the limit`;
        throw new PolicyMachineryError('too-many-paths', message);
      }
      yield completePath;
    }
  }
}

function* pathsFrom(start: Position, begun: Path, to: TargetNode, leadsThere: PositionSet): Iterable<Path> {
  if (start.node === to) {
    yield begun;
    return;
  }
  const path = [...begun];
  const steps = [stepFrom(start, path)];
  for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
    path.length = step.length;
    const { done, value: next } = step.onward.next();
    if (done) {
      steps.pop();
    } else if (next.node === to) {
      yield [...path, ...targetsPassed(next)];
    } else if (targetsPassed(next).includes(to)) {
      if (!step.passed) yield [...path, to]; // One path, however many sections of the target are entered from here.
      step.passed = true;
    } else if (leadsThere.has(next)) {
      path.push(...targetsPassed(next));
      steps.push(stepFrom(next, path));
    }
  }
}

function stepFrom(
  position: Position,
  { length }: Path,
): { onward: Iterator<Position>; length: number; passed: boolean } {
  return { onward: positionsAfter(position)[Symbol.iterator](), length, passed: false };
}
