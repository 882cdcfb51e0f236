export { structuralChecks } from './lib/crd/checks.ts';
export { type BackendKind, backendKinds } from './lib/tables/backends.ts';
export { type CreatorKind, creatorKinds } from './lib/tables/creators.ts';
export type { Sourced } from './lib/tables/data-planes.ts';
export { areMerged } from './lib/tables/merged-gateways.ts';
export { type OtherKind, type OutsideKind, otherKinds, outsideKinds } from './lib/tables/outside.ts';
export { type UnconsideredKind, unconsideredKind, unconsideredKinds } from './lib/tables/unconsidered.ts';
