export { type Colors, colorsFor } from './lib/colors.ts';
export { type EffectivePolicyTextOptions, formatEffectivePolicy } from './lib/effective-policy.ts';
export { type FieldTextOptions, fieldRows, formatFields } from './lib/fields.ts';
export { formatParagraphs } from './lib/paragraphs.ts';
export { formatStatuses, statusRows } from './lib/statuses.ts';
export {
  type Cell,
  formatColumns,
  formatTable,
  type Row,
  type TableTextOptions,
  type TextOptions,
} from './lib/table.ts';
