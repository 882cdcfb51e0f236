import type { Complete } from '@policy-machinery/resource/inner';
import { type Cell, formatTable, type Row, type TableTextOptions, textOf, widestRow, widthOf } from './table.ts';

/** How a table is fitted. */
export interface FittedTextOptions extends Pick<TableTextOptions, 'indent' | 'gap'> {
  /** How many columns of a terminal a line takes at most. Words stay whole: a line with a long name can be wider. */
  readonly width: number;
}

/**
 * Formats a table so that it fits a width. If the rows are too wide, the last column is broken at spaces and commas; if little room is left for
 * that, or less than its longest word takes, the cells of the first column have their own lines, and the others are below them.
 *
 * @param rows The rows. A row with an empty first cell belongs to the row above.
 * @param options The width, the indentation and the space between columns.
 * @returns The lines, without a line break at the end.
 */
export function formatFitted(rows: readonly Row[], { width, indent = 0, gap = 2 }: FittedTextOptions): string {
  return linesOf(rows, { width, indent, gap }).flat().join('\n');
}

/** The narrowest that a last column is made. */
const narrowest = 34;

function linesOf(rows: readonly Row[], room: Complete<FittedTextOptions>): readonly (readonly string[])[] {
  const { width, indent, gap } = room;
  const widths = widestRow(rows).map(widthOf);
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + gap, indent);
  if (before + (widths.at(-1) ?? 0) <= width) return rowLines(rows, room);
  const [last, left] = [widths.length - 1, width - before];
  const hasRoom = left >= narrowest && rows.every((row) => longestWord(row[last] ?? '') <= left);
  if (widths.length === 1 || hasRoom) return brokenLines(rows, { ...room, last, left });
  const sign = widths[0] ?? 0;
  const inset = sign < 2 ? sign + gap : 2;
  const below = linesOf(
    rows.map((row) => row.slice(1)),
    { ...room, indent: indent + inset },
  );
  return rows.map(([first = '', ...rest], index) => {
    const firstLines = textOf(first) === '' ? [] : linesOf([[first]], room).flat();
    const [next = '', ...more] = rest.length === 0 ? [] : (below[index] ?? []);
    const isBeside = sign < 2 && firstLines.length > 0 && next !== '';
    const lines = next === '' ? [] : [next, ...more];
    return isBeside
      ? [`${firstLines.join('')}${' '.repeat(gap)}${next.slice(indent + inset)}`, ...more]
      : [...firstLines, ...lines];
  });
}

function rowLines(rows: readonly Row[], room: FittedTextOptions): readonly (readonly string[])[] {
  const lines = formatTable(rows, room).split('\n');
  return lines.map((line) => [line]);
}

interface BrokenRoom extends FittedTextOptions {
  /** The index of the last column, and the room that is left for it. */
  readonly last: number;
  readonly left: number;
}

/** Returns the lines of rows with a broken last column. The further lines of a single column are indented. */
function brokenLines(rows: readonly Row[], room: BrokenRoom): readonly (readonly string[])[] {
  const { last, left } = room;
  const hang = last === 0 ? '  ' : '';
  const broken = rows.map((row): readonly Row[] => {
    const cell = row[last];
    if (cell === undefined) return [row];
    const [first = '', ...more] = partsOf(cell, left, left - hang.length);
    return [[...row.slice(0, last), first], ...more.map((part) => [...row.slice(0, last).map(() => ''), part])];
  });
  const lines = formatTable(broken.flat(), room).split('\n');
  let next = 0;
  return broken.map((parts) => parts.map((_, index) => (index > 0 ? hang : '') + (lines[next++] ?? '')));
}

/** After spaces and commas, except between a kind and its neighbors: `on HTTPRoute shop/cart`. */
const breaks = /(?<=[ ,])(?<!(?<![^ (])[A-Z]\w* )(?<!\b(?:on|by) (?=[A-Z]))/;

/** Returns the width of the longest part that cannot be broken. */
export function longestWord(cell: Cell, at = breaks): number {
  return Math.max(
    ...textOf(cell)
      .split(at)
      .map((word) => widthOf(word.trimEnd())),
  );
}

/** Breaks a cell into parts that fit: the first part some room, and the others some. */
export function partsOf(cell: Cell, first: number, others: number, at = breaks): readonly Cell[] {
  const parts: string[] = [];
  for (const word of textOf(cell).split(at)) {
    const last = parts.at(-1);
    const room = parts.length === 1 ? first : others;
    if (last !== undefined && widthOf(`${last}${word}`.trimEnd()) <= room) parts[parts.length - 1] = last + word;
    else parts.push(word);
  }
  return parts.map((part) => (typeof cell === 'string' ? part.trimEnd() : [part.trimEnd(), cell[1]]));
}
