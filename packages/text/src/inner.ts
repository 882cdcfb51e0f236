export { type FittedTextOptions, formatFitted } from './lib/fitted.ts';
export { formatValue } from './lib/format-value.ts';
export { widestRow } from './lib/table.ts';
export { formatWrapped, type WrappedTextOptions } from './lib/wrapped.ts';
