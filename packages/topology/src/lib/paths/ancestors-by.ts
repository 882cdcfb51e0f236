import type { Position } from '../model/path.ts';
import { byLocator, type TargetNode } from '../model/target-node.ts';
import { isRootPosition, positionsBefore } from './position.ts';
import { PositionMap } from './position-map.ts';
import { arrivalsAt } from './traversal.ts';

/** How targets above others are found. */
export interface AncestorSearch {
  /**
   * Returns what is found on the way from a position up to one right before it, and whether what is further up is looked for, too.
   */
  readonly step: (
    before: Position,
    at: Position,
  ) => { readonly found: readonly TargetNode[]; readonly goesOn: boolean };
}

/**
 * Returns what finds targets above others, step by step, while the topology stays as it is. All targets together take O(positions above
 * them + targets found).
 *
 * @param search What is looked for.
 * @returns The function, which returns what was found above a target, in the order of locators.
 */
export function ancestorsBy({ step }: AncestorSearch): (target: TargetNode) => readonly TargetNode[] {
  /** What is above positions; `undefined` for those to which no path leads. */
  const above = new PositionMap<readonly TargetNode[] | undefined>();

  const aboveFrom = (position: Position, positions: readonly Position[]): readonly TargetNode[] | undefined => {
    const reached = positions.filter((before) => above.get(before) !== undefined);
    if (reached.length === 0 && !isRootPosition(position)) return undefined;
    let all: readonly TargetNode[] = none;
    for (const before of reached) {
      const { found, goesOn } = step(before, position);
      all = union(all, found);
      if (goesOn) all = union(all, above.get(before) ?? none);
    }
    return all;
  };

  const find = (start: Position): readonly TargetNode[] => {
    const open = [start];
    for (let position = open.at(-1); position !== undefined; position = open.at(-1)) {
      const before = above.has(position) ? none : [...positionsBefore(position)];
      const unknown = before.filter((it) => !above.has(it));
      open.push(...unknown);
      if (unknown.length > 0) continue;
      open.pop();
      if (!above.has(position)) above.set(position, aboveFrom(position, before));
    }
    return above.get(start) ?? none;
  };

  return (target) => {
    const found = arrivalsAt(target).map((position) => [position, find(position)] as const);
    // A path that enters a section of a target comes to that on the way.
    return found.reduce(
      (all, [{ node }, some]) => union(all, node === target ? some : some.filter((it) => it !== target)),
      none as readonly TargetNode[],
    );
  };
}

const none: readonly never[] = [];

/** The targets of two lists, each once and in the order of locators. */
function union(a: readonly TargetNode[], b: readonly TargetNode[]): readonly TargetNode[] {
  if (a === b || b.length === 0) return a;
  if (a.length === 0 && b.length === 1) return b;
  return [...new Set([...a, ...b])].sort(byLocator);
}
