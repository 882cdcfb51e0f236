import { setImmediate } from 'node:timers/promises';
import type { Clock, WritePriority, WriteQueue } from '@policy-machinery/cluster';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { StatusChanges, StatusPlanner, StatusWrite, WriteUrgency } from '@policy-machinery/policy-status';
import type { RefusedStatus } from '@policy-machinery/policy-status/inner';
import type { Telemetry } from '../metrics/telemetry.ts';

export interface StatusWriterContext {
  readonly views: readonly EffectivePolicies<unknown>[];
  /** The planner of these effective policies, which repeats writes after failures only. */
  readonly planner: StatusPlanner;
  readonly queue: WriteQueue<StatusWrite>;
  /** Receives the conditions and entries that do not fit into a status. */
  readonly onRefused: (refused: RefusedStatus) => void;
  readonly telemetry: Pick<Telemetry, 'planned' | 'outcomes' | 'writes'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Plans statuses and queues the writes. */
export class StatusWriter {
  readonly #context: StatusWriterContext;

  constructor(context: StatusWriterContext) {
    this.#context = context;
  }

  /** Plans in slices, and queues the writes. Queued writes to the same objects, if no longer needed, are dropped. */
  async plan(): Promise<void> {
    const { views, planner, queue, onRefused, telemetry, clock } = this.#context;
    const began = clock.monotonic();
    for (const { writes, refused, scope } of planner.planInSlices()) {
      const unneeded = locatorsIn(scope);
      for (const write of writes) {
        unneeded.delete(write.locator);
        telemetry.planned(write.locator, began);
        queue.write(write, priorities[write.urgency]);
      }
      for (const locator of unneeded) {
        queue.cancel(locator);
        telemetry.writes.cancelled(locator);
      }
      for (const refusal of refused) onRefused(refusal);
      telemetry.outcomes(views, scope);
      await setImmediate();
    }
  }

  /** Has the next plan be about everything. Its writes come after all others. */
  startOver(): void {
    this.#context.planner.startOver();
  }
}

function locatorsIn(scope: readonly StatusChanges[]): Set<string> {
  return new Set(
    scope.flatMap(({ policies, affectedObjects, statuses = [] }) => [...policies, ...affectedObjects, ...statuses]),
  );
}

const priorities: Readonly<Record<WriteUrgency, WritePriority>> = { outcome: 0, policy: 1, object: 2, 'first-plan': 3 };
