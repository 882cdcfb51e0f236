export type { ReferenceGrantReading } from './lib/reference-grant.ts';
export { referenceGrantKind } from './lib/reference-grant-index.ts';
export { type NamespaceFacts, namespaceTest } from './lib/target-selectors.ts';
