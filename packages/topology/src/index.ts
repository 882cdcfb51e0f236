export { type AncestorSearch, ancestorsBy, ancestorsWhere } from './lib/ancestors-where.ts';
export type { AttachableKind, Attachment, AttachmentOutcome, PolicyNode } from './lib/attachment.ts';
export type { TopologyChange } from './lib/change.ts';
export type { ChangeRecord, PolicyChange } from './lib/change-record.ts';
export type { TopologyDelta } from './lib/delta.ts';
export { toDot } from './lib/dot.ts';
export { formatPath, formatTarget } from './lib/format.ts';
export type { RequiredKind } from './lib/listing.ts';
export { toMermaid } from './lib/mermaid.ts';
export type { Path, PathOptions } from './lib/paths.ts';
export {
  canBeEntered,
  isRootPosition,
  type Position,
  positionsAfter,
  positionsBefore,
  rootPositions,
  targetsMet,
} from './lib/position.ts';
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
} from './lib/reference.ts';
export type { EndRefusal, ResolvedReference } from './lib/resolved-reference.ts';
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
} from './lib/target-kind.ts';
export { byPlace, type TargetNode } from './lib/target-node.ts';
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
} from './lib/target-status.ts';
export { createTopology, Topology, type TopologyOptions } from './lib/topology.ts';
export type { RefusedReference, UnresolvedReference } from './lib/vain-references.ts';
export type { WhileDeleting } from './lib/while-deleting.ts';
