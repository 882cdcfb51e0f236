export { type AlignedField, pointersIn, visitFields } from './lib/align-fields.ts';
export { equalityKey, isDeepEqual } from './lib/deep-equal.ts';
export { visitOrigins } from './lib/origin-queries.ts';
export { removeFields } from './lib/remove-fields.ts';
