import type { Line } from './ranks.ts';

/** How often the columns are sorted by their neighbours, from left to right and back. */
const rounds = 3;

/**
 * Sorts the boxes of each column by the middle of the boxes that they are connected to, so that few lines cross.
 *
 * @param columns The boxes of each column, in the order that breaks ties.
 * @param lines The lines between boxes.
 * @returns The boxes of each column, from top to bottom.
 */
export function orderOf(
  columns: readonly (readonly number[])[],
  lines: readonly Line[],
): readonly (readonly number[])[] {
  const predecessors = new Map<number, number[]>();
  const successors = new Map<number, number[]>();
  for (const [from, to] of lines) {
    add(successors, from, to);
    add(predecessors, to, from);
  }
  const ordered = columns.map((column) => [...column]);
  const places = new Map<number, number>();
  const note = (column: readonly number[]): void => {
    for (const [place, box] of column.entries()) places.set(box, (place + 0.5) / column.length);
  };
  for (const column of ordered) note(column);
  const sortBy = (column: number[], beside: ReadonlyMap<number, readonly number[]>): void => {
    const middles = new Map(column.map((box) => [box, middleOf(beside.get(box), places) ?? places.get(box) ?? 0]));
    column.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0)); // Stable: ties stay unchanged.
    note(column);
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const column of ordered) sortBy(column, predecessors);
    for (const column of ordered.toReversed()) sortBy(column, successors);
  }
  for (const column of ordered) sortBy(column, predecessors);
  return ordered;
}

function add(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function middleOf(boxes: readonly number[] | undefined, places: ReadonlyMap<number, number>): number | undefined {
  if (boxes === undefined) return undefined;
  return boxes.reduce((sum, box) => sum + (places.get(box) ?? 0), 0) / boxes.length;
}
