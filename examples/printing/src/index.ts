export { type Colors, colorsFor } from './colors.ts';
export { fieldRows } from './fields.ts';
export { statusRows } from './statuses.ts';
export { type Cell, columns, paragraphs, type Row, table } from './table.ts';
