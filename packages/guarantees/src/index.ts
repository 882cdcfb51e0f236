export { addedVerdicts } from './lib/compare/added-verdicts.ts';
export {
  compareRequests,
  type RequestComparison,
  type RequestDifference,
  type Treatment,
} from './lib/compare/compare-requests.ts';
export {
  canariesAlike,
  everyRequestMeets,
  gatewaysAlike,
  type KindGuaranteeOptions,
  type LibraryOptions,
  limitsAtMost,
  noPolicyWithoutEffect,
  noWildcardWithout,
  overridesPrevail,
  tlsOnListeners,
} from './lib/library/library.ts';
export type { VerifiedState } from './lib/live/base.ts';
export { createVerifier, Verifier, type VerifyInput } from './lib/live/verifier.ts';
export { guaranteeIssues } from './lib/model/compile.ts';
export { guaranteeDefinition, guaranteeKind } from './lib/model/definition.ts';
export type { Guarantee, ObjectSelector, OtherSelector, RequestSelector } from './lib/model/guarantee.ts';
export { type GuaranteeReading, isGuarantee, readGuarantee } from './lib/model/read-guarantee.ts';
export { typeOfSchema } from './lib/model/spec-type.ts';
export { type VerifiedKind, verifiedKind } from './lib/model/verified-kind.ts';
export type { ConcreteRequest } from './lib/requests/concrete-request.ts';
export type { Contender } from './lib/requests/contender.ts';
export type { ContestOptions } from './lib/requests/contest.ts';
export type { Entry } from './lib/requests/entries.ts';
export { type UnreachedTarget, unreachedTargets } from './lib/requests/unreached-targets.ts';
export type { HiddenBy, OtherRequest } from './lib/verify/broken-class.ts';
export type { ConcernsAt, MetConcern } from './lib/verify/concerns.ts';
export { type FormatOptions, formatCounterexample, formatHidden } from './lib/verify/format-verdict.ts';
export { formatRequest, type Replayable, replay } from './lib/verify/replay.ts';
export type { Counterexample, PolicyCounterexample, Verdict } from './lib/verify/verdict.ts';
export { verify } from './lib/verify/verify.ts';
