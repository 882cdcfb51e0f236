import type { RequiredKind } from '@policy-machinery/topology';
import type { StatusWrite } from '../status/status-write.ts';
import type { StatusChanges } from './scope.ts';

/** Writes, and the parts that do not fit into statuses. */
export interface PlannedWrites {
  /** The writes to policies, then those to other objects, each in the order of locators. */
  readonly writes: readonly StatusWrite[];
  /** The parts that do not fit into statuses, because others have filled these. */
  readonly refused: readonly RefusedStatus[];
}

/** The minimal set of writes that make statuses accurate. */
export interface StatusPlan extends PlannedWrites {
  /**
   * The kinds that these statuses depend on and that are not listed yet: statuses that depend on them are not planned. Absent if all are listed, and
   * for topologies that only receive changes; see `replace` of topologies.
   */
  readonly incomplete?: readonly RequiredKind[];
}

/** A part of a plan. */
export interface StatusPlanSlice extends StatusPlan {
  /**
   * The policies and objects of this slice, for each kind of policies. Those without a write have the right status, or their write has been sent.
   * Empty for a slice that only computes.
   */
  readonly scope: readonly StatusChanges[];
}

/** Something that does not fit into a status. */
export interface RefusedStatus {
  /** Locator of the resource with the full status. */
  readonly resource: string;
  /** A part that is not written, with the reason. */
  readonly message: string;
}
