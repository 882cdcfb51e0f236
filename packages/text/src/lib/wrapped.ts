import { type FittedTextOptions, longestWord, partsOf } from './fitted.ts';
import { formatTable, type Row, textOf, widestRow, widthOf } from './table.ts';

/** How a table is wrapped. */
export interface WrappedTextOptions extends FittedTextOptions {
  /** Returns the text below a first cell in the further lines of its row. Default: nothing. */
  readonly below?: ((first: string) => string) | undefined;
}

/**
 * Formats a table so that it fits a width, by breaking cells at spaces and commas, in the widest columns first; between a kind and a name only if there is
 * not room for them. Words stay whole: if all columns are as narrow as their longest words, lines can be wider.
 *
 * @param options The width, the indentation, the space between columns, and the text that continues a first cell.
 * @returns The lines, without a line break at the end.
 */
export function formatWrapped(rows: readonly Row[], options: WrappedTextOptions): string {
  const { width, indent = 0, gap = 2, below = () => '' } = options;
  const { widths, breaks } = columnWidths(rows, width - indent, gap);
  const lines = rows.flatMap((row) => {
    const cells = row.map((cell, column) => partsOf(cell, widths[column] ?? 0, widths[column] ?? 0, breaks));
    return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line): Row => {
      const parts = cells.map((broken, column) => broken[line] ?? (column === 0 ? below(textOf(row[0] ?? '')) : ''));
      return line === 0 ? parts : parts.slice(0, parts.findLastIndex((part) => textOf(part) !== '') + 1);
    });
  });
  return formatTable(lines, { indent, gap });
}

/** Returns the widths of columns that fit some room, if their longest words do, and where to break cells. Default: where sentences are broken. */
function columnWidths(
  rows: readonly Row[],
  room: number,
  gap: number,
  breaks?: RegExp,
): { readonly widths: readonly number[]; readonly breaks: RegExp | undefined } {
  const widths = widestRow(rows).map(widthOf);
  const least = widths.map((_, column) => Math.max(...rows.map((row) => longestWord(row[column] ?? '', breaks))));
  let excess = widths.reduce((sum, each) => sum + each + gap, -gap) - room;
  for (; excess > 0; excess -= 1) {
    const spare = widths.map((each, column) => (each > (least[column] ?? 0) ? each : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if (spare[widest] === 0)
      return breaks === undefined ? columnWidths(rows, room, gap, /(?<=[ ,])/) : { widths, breaks };
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return { widths, breaks };
}
