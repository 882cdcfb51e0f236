export type { CrdOptions, CrdReading } from './lib/crd/policy-kind-from-crd.ts';
export { policyKindFromCrd } from './lib/crd/policy-kind-from-crd.ts';
export {
  type FindInput,
  type FoundKinds,
  findPolicyKinds,
  type TopologyKinds,
} from './lib/find/find-policy-kinds.ts';
export type { DefinedBy, FoundKind, ViewOptions } from './lib/find/found-kind.ts';
export type { UnreadKind } from './lib/find/unread-kind.ts';
export { knownKinds } from './lib/known-kinds.ts';
export { type Dialect, dialectNamed, dialects } from './lib/model/dialects.ts';
export type { KindOptions, KnownKind } from './lib/model/known-kind.ts';
export type { OwnField } from './lib/model/own-fields.ts';
export type { TargetFields } from './lib/model/served-fields.ts';
export type { SpecChecks } from './lib/model/spec-checks.ts';
export { dataPlaneOf, dataPlanes, type KnownDataPlane } from './lib/tables/data-planes.ts';
