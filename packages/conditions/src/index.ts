export {
  affectedConditions,
  affectedConditionType,
  affectedMark,
  ancestorLimitReached,
} from './lib/affected-conditions.ts';
export { type AncestorKey, ancestorKey, type ParentReference, type PolicyAncestorStatus } from './lib/ancestor.ts';
export {
  type Condition,
  type ConditionStatus,
  type ConditionUpdate,
  conditionFault,
  findStatusCondition,
  isStatusConditionFalse,
  isStatusConditionTrue,
} from './lib/condition.ts';
export { conditionsFor, type OutcomeOptions } from './lib/conditions-for.ts';
export { type StatusResult, setAncestorsInStatus, setConditionsInStatus } from './lib/in-status.ts';
export type { AncestorOverflow } from './lib/overflow.ts';
export type { Merging, PolicyOutcome, ReportedOutcome } from './lib/policy-outcome.ts';
export {
  type AncestorOptions,
  type AncestorResult,
  type AncestorUpdate,
  type RefusedAncestor,
  setAncestorStatuses,
} from './lib/set-ancestor-statuses.ts';
export {
  removeStatusCondition,
  type SetOptions,
  type SetResult,
  setStatusConditions,
} from './lib/set-status-conditions.ts';
export { truncateMessage } from './lib/truncate-message.ts';
export { envoyGatewayVocabulary } from './lib/vocabularies/envoy-gateway.ts';
export { gep713Vocabulary } from './lib/vocabularies/gep713.ts';
export { gep713RewriteVocabulary } from './lib/vocabularies/gep713-rewrite.ts';
export { kgatewayVocabulary } from './lib/vocabularies/kgateway.ts';
export { kuadrantVocabulary } from './lib/vocabularies/kuadrant.ts';
export { nginxGatewayFabricVocabulary } from './lib/vocabularies/nginx-gateway-fabric.ts';
export {
  type ConditionTemplate,
  defineVocabulary,
  type ReasonOf,
  type ReasonTable,
  type TypedVocabulary,
  type Vocabulary,
  type VocabularyDeclaration,
} from './lib/vocabulary.ts';
