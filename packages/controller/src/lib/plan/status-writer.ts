import { setImmediate } from 'node:timers/promises';
import type { WritePriority, Writer } from '@policy-machinery/cluster';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import {
  type PlanStatusOptions,
  planStatus,
  type RefusedStatus,
  type StatusChanges,
  type StatusWrite,
  writeUrgencies,
} from '@policy-machinery/policy-status';
import type { Telemetry } from '../loop/telemetry.ts';
import { slicesOf } from './slices-of-changes.ts';

/** How many policies or objects are planned before other work comes. */
const size = 100;

/** What a plan is made with. */
export interface StatusWriterContext {
  readonly views: readonly EffectivePolicies<unknown>[];
  readonly writer: Pick<Writer<StatusWrite>, 'write' | 'cancel'>;
  /** Returns the options of a plan that is made now. */
  readonly options: () => Omit<PlanStatusOptions, 'changes'>;
  /** Takes what does not fit into a status. */
  readonly onRefused: (refused: RefusedStatus) => void;
  readonly telemetry: Pick<Telemetry, 'planned' | 'cancelled' | 'outcomes'>;
  /** The time of the monotonic clock. */
  readonly monotonic: () => number;
}

/** Plans statuses and queues the writes. */
export class StatusWriter {
  readonly #context: StatusWriterContext;

  constructor(context: StatusWriterContext) {
    this.#context = context;
  }

  /**
   * Plans what changes name, in slices, and queues the writes. What was queued for the same objects and is no longer needed is dropped.
   *
   * @param changes What to plan.
   * @param isFirst Whether this is the first plan, whose writes come after all others.
   */
  async plan(changes: readonly StatusChanges[], isFirst = false): Promise<void> {
    const { views, writer, options, onRefused, telemetry, monotonic } = this.#context;
    const began = monotonic();
    for (const slice of slicesOf(changes, size)) {
      const { writes, refused } = planStatus(views, { ...options(), changes: slice });
      const written = new Set(writes.map(({ locator }) => locator));
      for (const { policies, affectedObjects, statuses = [] } of slice) {
        for (const locator of [...policies, ...affectedObjects, ...statuses]) {
          if (written.has(locator)) continue;
          writer.cancel(locator);
          telemetry.cancelled(locator);
        }
      }
      for (const write of writes) {
        telemetry.planned(write.locator, began);
        writer.write(write, isFirst ? 3 : priorityOf(write));
      }
      for (const it of refused) onRefused(it);
      telemetry.outcomes(views, slice);
      await setImmediate();
    }
  }
}

function priorityOf({ urgency }: StatusWrite): WritePriority {
  return writeUrgencies.indexOf(urgency) as WritePriority;
}
