import type { Position } from '../model/path.ts';
import { byLocator, type TargetNode } from '../model/target-node.ts';
import { none } from '../support/nothing.ts';
import { isRootPosition, positionsBefore } from './position.ts';
import { PositionMap } from './position-map.ts';
import { arrivalsAt } from './traversal.ts';

/** A search for targets above others. */
export interface AncestorSearch {
  /** Returns the targets found where a path begins, and perhaps elsewhere. Default: none. */
  readonly begin?: (root: Position) => readonly TargetNode[];
  /**
   * Returns the targets found by way of a position, for a position right below it.
   *
   * @param above The targets found for the position above.
   */
  readonly step: (before: Position, at: Position, above: readonly TargetNode[]) => readonly TargetNode[];
}

/**
 * Returns a function that finds targets above others, valid while the topology does not change. All calls together take O(positions above +
 * targets found).
 *
 * @returns The function, which returns the targets found above a target, in the order of locators.
 */
export function ancestorsBy({
  begin = () => none,
  step,
}: AncestorSearch): (target: TargetNode) => readonly TargetNode[] {
  /** The targets found above each position; `undefined` for positions without paths. */
  const above = new PositionMap<readonly TargetNode[] | undefined>();

  const aboveFrom = (position: Position, positions: readonly Position[]): readonly TargetNode[] | undefined => {
    if (isRootPosition(position)) return begin(position);
    let targets: readonly TargetNode[] | undefined;
    for (const previous of positions) {
      const ancestors = above.get(previous);
      if (ancestors !== undefined) targets = union(targets ?? none, step(previous, position, ancestors));
    }
    return targets;
  };

  const find = (start: Position): readonly TargetNode[] => {
    const open = [start];
    for (let position = open.at(-1); position !== undefined; position = open.at(-1)) {
      const previous = above.has(position) ? none : [...positionsBefore(position)];
      const unknown = previous.filter((it) => !above.has(it));
      open.push(...unknown);
      if (unknown.length > 0) continue;
      open.pop();
      if (!above.has(position)) above.set(position, aboveFrom(position, previous));
    }
    return above.get(start) ?? none;
  };

  return (target) => {
    // A path that enters a section of a target passes the target.
    return arrivalsAt(target).reduce(
      (united, position) => union(united, find(position)),
      none as readonly TargetNode[],
    );
  };
}

/** Returns the targets of two lists, each once and in the order of locators. */
function union(a: readonly TargetNode[], b: readonly TargetNode[]): readonly TargetNode[] {
  if (a === b || b.length === 0) return a;
  if (a.length === 0 && b.length === 1) return b;
  return [...new Set([...a, ...b])].sort(byLocator);
}
