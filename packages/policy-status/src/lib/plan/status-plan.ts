import type { RequiredKind } from '@policy-machinery/topology';
import type { StatusWrite } from '../status/status-write.ts';

/** Writes, and what cannot be written. */
export interface PlannedWrites {
  /** The writes, policies first, each sort in the order of locators. */
  readonly writes: readonly StatusWrite[];
  /** What has no place in a status, because others have filled it. */
  readonly refused: readonly RefusedStatus[];
}

/** What must be written so that the statuses tell the truth. */
export interface StatusPlan extends PlannedWrites {
  /**
   * The kinds that statuses of these policies rest on and that have not been listed: what rests on them is not planned. Absent where
   * all are listed, and for topologies that are only given changes: see `replace` of topologies.
   */
  readonly incomplete?: readonly RequiredKind[];
}

/** Something that a status has no room for. */
export interface RefusedStatus {
  /** Locator of the resource whose status is full. */
  readonly resource: string;
  /** What could not be written, and why. */
  readonly message: string;
}
