/** A cell: its text, and how to colour it. */
export type Cell = string | readonly [text: string, paint: (text: string) => string];

/** A line of a table. */
export type Row = readonly Cell[];

/**
 * Aligns the columns of rows. Colours come last: their codes have no width.
 *
 * @param rows The rows; a shorter one leaves its last columns empty.
 * @param indent How many spaces each line begins with.
 * @returns One line for each row.
 */
export function table(rows: readonly Row[], indent: number): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, textOf(cell).length);
  }
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const isLast = column === row.length - 1;
      const padding = isLast ? '' : ' '.repeat((widths[column] ?? 0) - textOf(cell).length);
      return (typeof cell === 'string' ? cell : cell[1](cell[0])) + padding;
    });
    return ' '.repeat(indent) + cells.join('  ');
  });
}

/** Puts words into as many lines as they need, in columns. */
export function columns(words: readonly string[], perLine: number, indent: number): readonly string[] {
  const lines = Math.ceil(words.length / perLine);
  const rows = Array.from({ length: lines }, (_, line) => words.slice(line * perLine, (line + 1) * perLine));
  return table(rows, indent);
}

/**
 * Puts paragraphs together, an empty line between each two.
 *
 * @param parts The lines of each.
 * @returns The text, with a line break at its end.
 */
export function paragraphs(parts: readonly (readonly string[])[]): string {
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell[0];
}
