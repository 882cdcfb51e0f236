import type { Position } from '../model/path.ts';
import { byLocator, type TargetNode } from '../model/target-node.ts';
import { none } from '../support/nothing.ts';
import { isRootPosition, positionsBefore } from './position.ts';
import { PositionMap } from './position-map.ts';
import { arrivalsAt } from './traversal.ts';

/** A search for targets above others. */
export interface AncestorSearch {
  /**
   * Returns the targets found on the step from a position up to one right above it, and whether the search goes on further up.
   */
  readonly step: (
    before: Position,
    at: Position,
  ) => { readonly found: readonly TargetNode[]; readonly goesOn: boolean };
}

/**
 * Returns a function that finds targets above others, valid while the topology does not change. All calls together take O(positions above +
 * targets found).
 *
 * @param search The search.
 * @returns The function, which returns the targets found above a target, in the order of locators.
 */
export function ancestorsBy({ step }: AncestorSearch): (target: TargetNode) => readonly TargetNode[] {
  /** The targets found above each position; `undefined` for positions without paths. */
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
    // A path that enters a section of a target passes the target.
    return found.reduce(
      (all, [{ node }, some]) => union(all, node === target ? some : some.filter((it) => it !== target)),
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
