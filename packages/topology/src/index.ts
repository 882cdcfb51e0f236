export type { ChangeRecord, PolicyChange } from './lib/changes/change-record.ts';
export type { TopologyChange } from './lib/changes/check-change.ts';
export type { TopologyDelta } from './lib/changes/delta.ts';
export { toDot } from './lib/drawing/dot.ts';
export { toMermaid } from './lib/drawing/mermaid.ts';
export type { RefusedReference, UnresolvedReference } from './lib/model/dangling-references.ts';
export { formatPath, formatTarget } from './lib/model/format.ts';
export type { RequiredKind } from './lib/model/listing.ts';
export type { AttachableKind, Attachment, AttachmentOutcome, PolicyNode } from './lib/model/policy-node.ts';
export type {
  AdmissionLookup,
  LinkEnd,
  NamedSection,
  NamedTarget,
  Reference,
  Refusal,
  Relay,
  SectionCriteria,
  SelectedTargets,
} from './lib/model/reference.ts';
export type { EndRefusal, ResolvedReference } from './lib/model/resolved-reference.ts';
export {
  defineTargetKind,
  describeTargetable,
  isSectionKind,
  type PolicyReference,
  type Section,
  type SectionDefinition,
  type SectionKind,
  type SectionPlace,
  type Targetable,
  type TargetKind,
  type TargetKindDefinition,
  targetableKey,
  withStatus,
  withWhileDeleting,
} from './lib/model/target-kind.ts';
export { byPlace, type TargetNode } from './lib/model/target-node.ts';
export {
  type ParentStatus,
  type ParentStatuses,
  type SectionStatus,
  type StatusChange,
  type StatusCondition,
  type StatusContext,
  type StatusDefinition,
  statusesTouched,
  type TargetStatus,
} from './lib/model/target-status.ts';
export type { WhileDeleting } from './lib/model/while-deleting.ts';
export { type AncestorSearch, ancestorsBy, ancestorsWhere } from './lib/paths/ancestors-where.ts';
export type { Path, PathOptions } from './lib/paths/paths.ts';
export {
  canBeEntered,
  isRootPosition,
  type Position,
  positionsAfter,
  positionsBefore,
  rootPositions,
  targetsMet,
} from './lib/paths/position.ts';
export { createTopology, Topology, type TopologyOptions } from './lib/topology.ts';
