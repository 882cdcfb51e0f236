import type { Cell } from '@policy-machinery/text';
import type { Column, Table } from './answer.ts';

/** A column of a table of items. */
export interface ColumnOf<Item> extends Column {
  readonly cell: (item: Item) => Cell;
}

/** The properties of a table besides its items and columns. */
export interface TableOptions<Item> extends Pick<Table, 'layout'> {
  /** Returns the subject of the row of an item. Default: the row itself. */
  readonly subject?: ((item: Item) => string) | undefined;
}

/**
 * Returns a table with a row for each item.
 *
 * @param columns The columns, each with the way to its cells.
 * @param options The layout, and the subjects of rows.
 */
export function tableOf<Item>(
  items: readonly Item[],
  columns: readonly ColumnOf<Item>[],
  { subject, ...options }: TableOptions<Item> = {},
): Table {
  return {
    ...options,
    columns,
    rows: items.map((item) => columns.map(({ cell }) => cell(item))),
    ...(subject === undefined ? {} : { subjects: items.map(subject) }),
  };
}
