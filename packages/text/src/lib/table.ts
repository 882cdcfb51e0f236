import { printable } from '@policy-machinery/resource';
import stringWidth from 'string-width';
import type { Colors } from './colors.ts';

/** How text is formatted. */
export interface TextOptions {
  /** Colours, as {@link colorsFor} chooses them. Default none. */
  readonly colors?: Colors | undefined;
  /** How many spaces each line begins with. Default 0. */
  readonly indent?: number | undefined;
}

/** A cell of a table: its text, which is made printable, and how to colour it. */
export type Cell = string | readonly [text: string, paint: (text: string) => string];

/** A line of a table. */
export type Row = readonly Cell[];

/** How tables are laid out. */
export interface TableTextOptions extends Pick<TextOptions, 'indent'> {
  /** The number of spaces between columns. Default: 2. */
  readonly gap?: number | undefined;
  /** A row in another text: columns are at least as wide as its cells. Default: none. */
  readonly alignedWith?: Row | undefined;
}

/**
 * Formats a table: columns are as wide as their widest cell.
 *
 * @param rows The rows. A shorter one leaves its last columns empty.
 * @param options The indentation and the space between columns. Cells bring their own colours.
 * @returns One line for each row, without a line break at the end.
 * @example
 * ```ts
 * formatTable([['request', '10s'], ['idle', '1m']]); // 'request  10s\nidle     1m'
 * ```
 */
export function formatTable(
  rows: readonly Row[],
  { indent = 0, gap = 2, alignedWith = [] }: TableTextOptions = {},
): string {
  const widths = widestRow([...rows, alignedWith]).map(widthOf);
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const isLast = column === row.length - 1;
      const padding = isLast ? '' : ' '.repeat((widths[column] ?? 0) - widthOf(cell));
      return (typeof cell === 'string' ? textOf(cell) : cell[1](textOf(cell))) + padding;
    });
    return ' '.repeat(indent) + cells.join(' '.repeat(gap));
  });
  return lines.join('\n');
}

/**
 * Returns a row with the widest cell of each column, to align later rows with.
 *
 * @returns As many cells as the longest row has.
 */
export function widestRow(rows: readonly Row[]): Row {
  const widest: Cell[] = [];
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      const width = widthOf(cell);
      if (width <= (widths[column] ?? -1)) continue;
      widths[column] = width;
      widest[column] = cell;
    }
  }
  return widest;
}

/**
 * Formats words in columns, row by row.
 *
 * @param perLine The number of columns.
 * @param options The indentation.
 * @returns As many lines as the words need, without a line break at the end.
 */
export function formatColumns(
  words: readonly string[],
  perLine: number,
  options?: Pick<TextOptions, 'indent'>,
): string {
  const lines = Math.ceil(words.length / perLine);
  const rows = Array.from({ length: lines }, (_, line) => words.slice(line * perLine, (line + 1) * perLine));
  return formatTable(rows, options);
}

/** Returns how many columns of a terminal a cell takes: wide characters take two. */
export function widthOf(cell: Cell): number {
  return stringWidth(textOf(cell));
}

/** Returns the text of a cell, made printable, without its colour. */
export function textOf(cell: Cell): string {
  return printable(typeof cell === 'string' ? cell : cell[0]);
}
