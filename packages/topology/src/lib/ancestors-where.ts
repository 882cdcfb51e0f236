import { isRootPosition, type Position, positionsBefore, targetsMet } from './position.ts';
import { PositionMap } from './position-map.ts';
import { byLocator, type TargetNode } from './target-node.ts';
import { arrivalsAt } from './traversal.ts';

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
  /** What is above positions; `undefined` for those to which no path leads. */
  const above = new PositionMap<readonly TargetNode[] | undefined>();

  /** What is above positions before another one, with what is met there; `undefined` where no path leads to any. */
  const before = (positions: readonly Position[]): readonly TargetNode[] | undefined => {
    let found: readonly TargetNode[] | undefined;
    for (const position of positions) {
      const further = above.get(position);
      if (further !== undefined) found = union(found ?? none, union(further, targetsMet(position).filter(isMeant)));
    }
    return found;
  };

  const find = (start: Position): readonly TargetNode[] => {
    const open = [start];
    for (let position = open.at(-1); position !== undefined; position = open.at(-1)) {
      const positions = above.has(position) ? [] : [...positionsBefore(position)];
      const unknown = positions.filter((it) => !above.has(it));
      open.push(...unknown);
      if (unknown.length > 0) continue;
      open.pop();
      if (above.has(position)) continue;
      above.set(position, before(positions) ?? (isRootPosition(position) ? none : undefined));
    }
    return above.get(start) ?? none;
  };

  return (target) => {
    let found: readonly TargetNode[] = none;
    for (const position of arrivalsAt(target)) {
      found = union(found, find(position));
      const passed = position.node === target && above.get(position) !== undefined ? targetsMet(position) : none;
      found = union(
        found,
        passed.filter((it) => it !== target && isMeant(it)),
      );
    }
    return found;
  };
}

const none: readonly never[] = [];

/** The targets of two lists in order, each once and in order. */
function union(a: readonly TargetNode[], b: readonly TargetNode[]): readonly TargetNode[] {
  if (a === b || b.length === 0) return a;
  if (a.length === 0) return b;
  return [...new Set([...a, ...b])].sort(byLocator);
}
