export {
  type GroupOptions,
  readTargetRefs,
  type TargetOptions,
  type TargetRefOptions,
  type TargetRefReading,
} from './lib/read-target-refs.ts';
export type { ReferenceGrant, ReferenceGrantFrom, ReferenceGrantTo } from './lib/reference-grant.ts';
export { type CrossReference, type ReferenceGrants, referenceGrants } from './lib/reference-grant-index.ts';
export type { DeclaredTarget, TargetRef } from './lib/target-ref.ts';
export {
  type DeclaredTargetSelector,
  type SelectionCandidate,
  selectorMatches,
  type TargetNamespaces,
  type TargetSelector,
} from './lib/target-selectors.ts';
export { readTargetSelectors, type TargetSelectorReading } from './lib/target-selectors-reading.ts';
