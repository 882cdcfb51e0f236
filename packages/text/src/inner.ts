export { formatFitted } from './lib/fitted.ts';
export { formatValue } from './lib/format-value.ts';
export { widestRow } from './lib/table.ts';
export { formatWrapped } from './lib/wrapped.ts';
