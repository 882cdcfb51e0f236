import type { RequiredKind } from '@policy-machinery/topology';
import type { StatusWrite } from '../status/status-write.ts';

/** Writes, and what does not fit into statuses. */
export interface PlannedWrites {
  /** The writes to policies, then those to other objects, each in the order of locators. */
  readonly writes: readonly StatusWrite[];
  /** What does not fit into a status, because others have filled it. */
  readonly refused: readonly RefusedStatus[];
}

/** The minimal set of writes after which the statuses are accurate. */
export interface StatusPlan extends PlannedWrites {
  /**
   * The kinds that these statuses depend on and that are not listed yet: what depends on them is not planned. Absent if all are listed, and
   * for topologies that only receive changes; see `replace` of topologies.
   */
  readonly incomplete?: readonly RequiredKind[];
}

/** Something that does not fit into a status. */
export interface RefusedStatus {
  /** Locator of the resource whose status is full. */
  readonly resource: string;
  /** What was not written, and why. */
  readonly message: string;
}
