/**
 * Returns the rows of a table as lines with aligned columns. Columns of numbers are aligned to the right.
 *
 * @param rows The rows, the first of which has the names of the columns.
 */
export function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isNumeric = widths.map((_, column) => rows.slice(1).every((row) => /^\d*$/.test(row[column] ?? '')));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
