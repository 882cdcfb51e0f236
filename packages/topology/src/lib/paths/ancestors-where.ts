import type { Position } from '../model/path.ts';
import { byLocator, type TargetNode } from '../model/target-node.ts';
import { isRootPosition, positionsBefore, targetsPassed } from './position.ts';
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
  /** Returns what is found at a position itself, once a path leads there. Default: nothing. */
  readonly at?: (position: Position) => readonly TargetNode[];
}

/**
 * Returns what finds some of the ancestors of targets, such as Gateways alone, while the topology stays as it is: the same as
 * `topology.ancestors(target)` with a filter. All targets together take O(positions above them + ancestors found).
 *
 * @param isMeant Whether an ancestor is asked for.
 * @returns The function, which returns the ancestors of a target in the order of their locators.
 */
export function ancestorsWhere(
  isMeant: (target: TargetNode) => boolean,
): (target: TargetNode) => readonly TargetNode[] {
  return ancestorsBy({
    step: (before) => ({ found: targetsPassed(before).filter(isMeant), goesOn: true }),
    at: (position) => targetsPassed(position).filter((it) => it !== position.node && isMeant(it)), // The object of a section that is entered.
  });
}

/**
 * Returns what finds targets above others, step by step, while the topology stays as it is. All targets together take O(positions above
 * them + targets found).
 *
 * @param search What is looked for.
 * @returns The function, which returns what was found above a target, in the order of locators.
 */
export function ancestorsBy({ step, at = () => none }: AncestorSearch): (target: TargetNode) => readonly TargetNode[] {
  /** What is above positions; `undefined` for those to which no path leads. */
  const above = new PositionMap<readonly TargetNode[] | undefined>();

  const aboveFrom = (position: Position, positions: readonly Position[]): readonly TargetNode[] | undefined => {
    const reached = positions.filter((before) => above.get(before) !== undefined);
    if (reached.length === 0 && !isRootPosition(position)) return undefined;
    let all = at(position);
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
