export { type Colors, colorsFor } from './lib/colors.ts';
export { type EffectivePolicyTextOptions, formatEffectivePolicy } from './lib/effective-policy.ts';
export { type FieldTextOptions, fieldRows, formatFields } from './lib/fields.ts';
export { type FittedTextOptions, formatFitted } from './lib/fitted.ts';
export { formatValue } from './lib/format-value.ts';
export { formatParagraphs } from './lib/paragraphs.ts';
export { formatStatuses, statusRows } from './lib/statuses.ts';
export {
  type Cell,
  formatColumns,
  formatTable,
  type Row,
  type TableTextOptions,
  type TextOptions,
  widestRow,
} from './lib/table.ts';
export { formatWrapped, type WrappedTextOptions } from './lib/wrapped.ts';
