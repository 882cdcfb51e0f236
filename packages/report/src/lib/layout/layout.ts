import { orderOf } from './order.ts';
import { placeColumn } from './place.ts';
import { type Line, ranksOf } from './ranks.ts';

export interface Box {
  /** Identifies the box, and breaks ties. */
  readonly key: string;
  readonly height: number;
  /** Boxes of one group are in one column, unless a line leads from one of them to another. */
  readonly group: string;
}

/** A line from one box to another: the keys of the boxes, and how far below their tops the line begins and ends. */
export interface Connection {
  readonly from: string;
  readonly to: string;
  readonly fromY: number;
  readonly toY: number;
}

/** The position of a box: its column, counted from 0, and its top. */
export interface BoxPlace {
  readonly column: number;
  readonly top: number;
}

/** The positions of boxes. */
export interface Layout {
  readonly places: ReadonlyMap<string, BoxPlace>;
  readonly columns: number;
  readonly height: number;
}

/**
 * Lays out boxes in columns. Connections lead to the right, except in cycles.
 *
 * @param boxes The boxes, with different keys.
 * @param connections The connections between these boxes.
 * @param gap The minimum distance between two boxes of a column.
 * @returns The layout, which does not depend on the order of boxes and connections.
 */
export function layOut(boxes: readonly Box[], connections: readonly Connection[], gap: number): Layout {
  const sorted = boxes.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const numbers = new Map(sorted.map(({ key }, index) => [key, index]));
  const ends = connections.map(
    (it) => [numbers.get(it.from) ?? 0, numbers.get(it.to) ?? 0, it.fromY - it.toY] as const,
  );
  ends.sort(([a, b, c], [x, y, z]) => a - x || b - y || c - z);
  const lines = ends.map(([from, to]): Line => [from, to]);

  const columnOf = columnsOf(sorted, lines);
  const columns: number[][] = [];
  for (const [box, column] of columnOf.entries()) {
    while (columns.length <= column) columns.push([]);
    columns[column]?.push(box);
  }
  const ordered = orderOf(
    columns.filter((column) => column.length > 0),
    lines,
  );
  const tops = topsOf(
    ordered,
    sorted.map(({ height }) => height),
    ends,
    gap,
  );

  const places = new Map<string, BoxPlace>();
  for (const [column, some] of ordered.entries()) {
    for (const box of some) places.set(sorted[box]?.key ?? '', { column, top: tops[box] ?? 0 });
  }
  const bottoms = sorted.map(({ height }, box) => (tops[box] ?? 0) + height);
  return { places, columns: ordered.length, height: bottoms.reduce((a, b) => Math.max(a, b), 0) };
}

/** Returns the column of each box: at least the column of its group, which is after all groups that lead to it. */
function columnsOf(boxes: readonly Box[], lines: readonly Line[]): readonly number[] {
  const groups = [...new Set(boxes.map(({ group }) => group))].sort();
  const numbers = new Map(groups.map((group, index) => [group, index]));
  const groupOf = boxes.map(({ group }) => numbers.get(group) ?? 0);
  const between = new Set(lines.map(([from, to]) => `${groupOf[from]} ${groupOf[to]}`));
  const pairs = [...between].sort().map((pair): Line => {
    const [from = 0, to = 0] = pair.split(' ').map(Number);
    return [from, to];
  });
  const ranks = ranksOf(groups.length, pairs);
  return ranksOf(boxes.length, lines, (box) => ranks[groupOf[box] ?? 0] ?? 0);
}

type End = readonly [from: number, to: number, drop: number];

/** Returns the top of each box: moves boxes beside those that lead to them, then beside those that they lead to, and repeats both. */
function topsOf(
  columns: readonly (readonly number[])[],
  heights: readonly number[],
  ends: readonly End[],
  gap: number,
): readonly number[] {
  const wishesBefore = new Map<number, [other: number, drop: number][]>();
  const wishesAfter = new Map<number, [other: number, drop: number][]>();
  const add = (wishes: typeof wishesBefore, box: number, other: number, drop: number): void => {
    const boxWishes = wishes.get(box);
    if (boxWishes === undefined) wishes.set(box, [[other, drop]]);
    else boxWishes.push([other, drop]);
  };
  for (const [from, to, drop] of ends) {
    add(wishesBefore, to, from, drop);
    add(wishesAfter, from, to, -drop);
  }
  const tops = new Array<number>(heights.length).fill(0);
  const settle = (column: readonly number[], wishes?: typeof wishesBefore): void => {
    const wanted = column.map((box) => {
      const beside = wishes?.get(box) ?? [];
      const sum = beside.reduce((total, [other, drop]) => total + (tops[other] ?? 0) + drop, 0);
      return { height: heights[box] ?? 0, top: beside.length === 0 ? (tops[box] ?? 0) : sum / beside.length };
    });
    for (const [index, top] of placeColumn(wanted, gap).entries()) tops[column[index] ?? 0] = top;
  };
  for (const column of columns) settle(column);
  for (const wishes of [wishesBefore, wishesAfter, wishesBefore]) {
    for (const column of wishes === wishesAfter ? columns.toReversed() : columns) settle(column, wishes);
  }
  const highest = tops.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  return tops.map((top) => Math.round(top - highest));
}
