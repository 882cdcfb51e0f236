import type { Position } from '../model/path.ts';
import type { TargetNode } from '../model/target-node.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { entryAt, linksAfter } from './position.ts';

/** All positions of some targets, and the steps between them. */
export interface PositionGraph {
  readonly all: readonly Position[];
  /** Returns the positions right below a position, within these targets. */
  readonly after: (position: Position) => readonly Position[];
}

/** Returns one object for each position, so that positions can be keys. */
export function positionGraph(targets: Iterable<TargetNode>): PositionGraph {
  const slots = new Map<TargetNode, Slots>();
  for (const node of targets) slots.set(node, slotsOf(node));
  return {
    all: [...slots.values()].flatMap(({ entered, contained }) => (contained ? [entered, contained] : [entered])),
    after: (position) => {
      const next: Position[] = [];
      for (const section of position.node.sections) {
        const contained = slots.get(section)?.contained;
        if (contained !== undefined) next.push(contained);
      }
      for (const child of linksAfter(position)) {
        const entered = slots.get(child)?.entered;
        if (entered !== undefined) next.push(entered);
      }
      return next;
    },
  };
}

/** Returns the same graph with its steps kept, valid while links do not change. */
export function remembered({ all, after }: PositionGraph): PositionGraph {
  const known = new Map<Position, readonly Position[]>();
  return {
    all,
    after: (position) => getOrInsert(known, position, after),
  };
}

interface Slots {
  readonly entered: Position;
  readonly contained?: Position;
}

function slotsOf(node: TargetNode): Slots {
  const entered = entryAt(node);
  return node.section === undefined ? { entered } : { entered, contained: { node, entered: false } };
}
