import { printable } from '@policy-machinery/resource';
import { type Cell, formatTable, type Row } from '@policy-machinery/text';
import { formatFitted, formatWrapped, widestRow } from '@policy-machinery/text/inner';
import type { Table } from '../model/answer.ts';

export interface TableStyle {
  /** Whether wide columns are shown. */
  readonly isWide: boolean;
  /** Whether lists have a header. */
  readonly hasHeaders: boolean;
  /** The width that details fit. Default: any. */
  readonly width?: number;
  /** Whether lists and drawings fit the width as well: in a pipe, each row is a line. Default: no. */
  readonly isTerminal?: boolean;
}

/**
 * Formats a table: a list as kubectl does, with three spaces between columns and `<none>` for empty cells; a detail with two spaces.
 *
 * @param style Whether to show wide columns and a header.
 * @param indent The number of spaces at the beginning of each line.
 * @returns The lines.
 */
export function tableText(table: Table, style: TableStyle, indent = 0): string {
  const { isWide, hasHeaders, width, isTerminal = false } = style;
  const isList = (table.layout ?? 'list') === 'list';
  const { names, rows, alignedWith } = shownColumns(
    isList ? fittedColumns(table, isWide, indent, width) : table,
    isWide,
  );
  const lines = [
    ...(isList && hasHeaders ? [names] : []),
    ...rows.map((row) =>
      isList ? row.map(orNone) : row.slice(0, row.findLastIndex((cell) => textOf(cell) !== '') + 1),
    ),
  ];
  if (table.layout === 'detail' && width !== undefined) return formatFitted(lines, { indent, width });
  const gap = isList ? listGap : 2;
  if (isTerminal && width !== undefined) return formatWrapped(lines, { indent, gap, width, below: branchesBelow });
  return formatTable(lines, { indent, gap, alignedWith });
}

/** Returns the branches of a drawing that go on below a line. */
function branchesBelow(line: string): string {
  const [start = ''] = /^(?:[│├└]?[ ─]+)*/.exec(line) ?? [];
  return start.replaceAll('├', '│').replaceAll(/[└─]/g, ' ').trimEnd();
}

/** The space between the columns of a list. */
const listGap = 3;

/** Returns a list without the optional columns that do not fit in a width; the last ones are left out first. */
function fittedColumns(table: Table, isWide: boolean, indent: number, width: number | undefined): Table {
  const last = table.columns.findLastIndex(({ isOptional }) => isOptional);
  if (width === undefined || isWide || last === -1) return table;
  const { names, rows } = shownColumns(table, false);
  const widths = widestRow([names, ...rows.map((row) => row.map(orNone))]).map((cell) => textOf(cell).length);
  const taken = widths.reduce((sum, each) => sum + each + listGap, indent - listGap);
  if (taken <= width) return table;
  const isKept = (_: unknown, index: number): boolean => index !== last;
  const shorter = {
    ...table,
    columns: table.columns.filter(isKept),
    rows: table.rows.map((row) => row.filter(isKept)),
  };
  return fittedColumns(shorter, isWide, indent, width);
}

/**
 * Formats a table in Markdown.
 *
 * @returns The lines. Text from objects cannot break out of its cell.
 */
export function tableMarkdown(table: Table): string {
  if (table.layout === 'drawing') return fenced(tableText(table, { isWide: false, hasHeaders: false }));
  const { names, titles, rows } = shownColumns(table, false);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const texts = rows.map((row) => names.map((_, column) => markdownCell(textOf(row[column] ?? ''))));
  return [line(titles), line(names.map(() => '---')), ...texts.map(line)].join('\n');
}

/** Returns text in a code block, with a fence that is longer than any in the text. */
function fenced(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(2, ...runs) + 1);
  return `${fence}text\n${text}\n${fence}`;
}

interface ShownColumns {
  readonly names: readonly string[];
  readonly titles: readonly string[];
  readonly rows: readonly Row[];
  readonly alignedWith: Row;
}

function shownColumns({ columns, rows, alignedWith = [] }: Table, isWide: boolean): ShownColumns {
  const isShown = (column: number) => isWide || columns[column]?.isWide !== true;
  const shown = columns.filter((_, column) => isShown(column));
  return {
    names: shown.map(({ name }) => name),
    titles: shown.map(({ name, title = titleCase(name) }) => title),
    rows: rows.map((row) => row.filter((_, column) => isShown(column))),
    alignedWith: alignedWith.filter((_, column) => isShown(column)),
  };
}

/** Returns the text of a cell without its colour. */
export function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell[0];
}

/** Returns a cell as a list shows it: `<none>` if it is empty. */
export function orNone(cell: Cell): Cell {
  return textOf(cell) === '' ? '<none>' : cell;
}

/** Returns the name of a column in title case. */
export function titleCase(name: string): string {
  return name.charAt(0) + name.slice(1).toLowerCase();
}

/** Characters that are special in Markdown or HTML. */
const special = /[\\`*_{}[\]<>()#+!|~&$]/g;

/** Text that a forge makes live in any place: mentions, and addresses without brackets. */
const live = /@(?=[\w-])|:\/\/|www\./gi;

/**
 * Makes text safe for a cell of a Markdown table.
 *
 * @returns The text, with special characters of Markdown and HTML escaped. It neither mentions anyone
 * nor contains links.
 */
export function markdownCell(text: string): string {
  const line = printable(text.replaceAll('\n', ' '));
  const escaped = line.replaceAll(special, (character) => (character === '<' ? '&lt;' : `\\${character}`));
  return escaped.replaceAll(live, (start) => `${start.slice(0, 1)}<!-- -->${start.slice(1)}`);
}
