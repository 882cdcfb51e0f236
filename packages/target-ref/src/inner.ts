export { referenceGrantKind } from './lib/reference-grant-index.ts';
export { namespaceTest } from './lib/target-selectors.ts';
