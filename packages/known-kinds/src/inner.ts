export { structuralChecks } from './lib/crd/checks.ts';
export { areMerged } from './lib/refusals/merged-gateways.ts';
export { backendKinds } from './lib/tables/backends.ts';
export { creatorKinds } from './lib/tables/creators.ts';
export { otherKinds, outsideKinds } from './lib/tables/outside.ts';
export { type UnconsideredKind, unconsideredKind, unconsideredKinds } from './lib/tables/unconsidered.ts';
