export { toDot } from './lib/drawing/dot.ts';
export { toMermaid } from './lib/drawing/mermaid.ts';
export type { ChangeRecord, PolicyChange } from './lib/model/change-record.ts';
export type { IsComplete } from './lib/model/completeness.ts';
export type { Creation } from './lib/model/creation.ts';
export { defineTargetKind } from './lib/model/define-target-kind.ts';
export { formatPath, formatRef, formatTarget } from './lib/model/format.ts';
export type { Path, PathOptions, Position } from './lib/model/path.ts';
export type {
  AttachableKind,
  Attachment,
  AttachmentOutcome,
  FindObject,
  PolicyNode,
  UndecidedRefusal,
} from './lib/model/policy-node.ts';
export type {
  AdmissionLookup,
  Lacking,
  LinkEnd,
  NamedSection,
  NamedTarget,
  Reference,
  Refusal,
  Relay,
  SectionCriteria,
  SelectedTargets,
} from './lib/model/reference.ts';
export type { RequiredKind } from './lib/model/required-kind.ts';
export type {
  EndRefusal,
  RefusedReference,
  ResolvedReference,
  UnresolvedReference,
} from './lib/model/resolved-reference.ts';
export type { Rivalry, Rivals } from './lib/model/rivalry.ts';
export {
  isSectionKind,
  type PolicyReference,
  type Section,
  type SectionDefinition,
  type SectionEntry,
  type SectionKind,
  type Targetable,
  type TargetKind,
  type TargetKindDefinition,
} from './lib/model/target-kind.ts';
export type { TargetLike, TargetNode } from './lib/model/target-node.ts';
export type {
  ParentStatus,
  ParentStatuses,
  SectionStatus,
  StatusChange,
  StatusCondition,
  StatusContext,
  StatusDefinition,
  TargetStatus,
} from './lib/model/target-status.ts';
export { Topology } from './lib/model/topology.ts';
export type { SliceOptions, TopologyChange, TopologyDelta } from './lib/model/topology-change.ts';
export type { TopologyTrial } from './lib/model/topology-trial.ts';
export type { WhileDeleting } from './lib/model/while-deleting.ts';
export { targetsAboveChanged, targetsRerouted } from './lib/paths/changed-walks.ts';
export { positionsAfter } from './lib/paths/position.ts';
export { createTopology, type TopologyOptions } from './lib/topology.ts';
export { type Unseen, unseenIn } from './lib/unseen.ts';
