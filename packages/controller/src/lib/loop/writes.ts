import {
  createWriter,
  type ObjectWrite,
  type Sources,
  type Transport,
  type WriteGate,
  type WriteOutcome,
  type WriteQueue,
  type WriteQueueOptions,
} from '@policy-machinery/cluster';
import type { StatusPlanner, StatusWrite } from '@policy-machinery/policy-status';
import type { OpenQueue } from '../open-queue.ts';
import type { ControllerSettings } from './settings.ts';

/** The queues of all writes of a controller, which share one budget. In a dry run, they only log. */
export interface Writes {
  readonly statuses: WriteQueue<StatusWrite>;
  /** Returns a function that opens another queue. */
  opener<W extends ObjectWrite>(onOutcome: (outcome: WriteOutcome<W>) => void): OpenQueue<W>;
  /** Ends all queues within some milliseconds. Resolves to the number of writes that were not made. */
  stop(within: number): Promise<number>;
}

export interface WritesContext {
  readonly connection: Transport;
  readonly sources: Sources;
  readonly role: { readonly gate: WriteGate | undefined };
  readonly planner: Pick<StatusPlanner, 'failed'>;
  /** Called when the object of a write must be planned again. */
  readonly onPlanAgain: () => void;
}

export function createWrites(settings: ControllerSettings, context: WritesContext): Writes {
  const { name, writes: budget, clock, random, telemetry, reporter, dryRun, status: { form } = {} } = settings;
  const { connection, sources, role, planner, onPlanAgain } = context;
  const soon = <W extends ObjectWrite>(options: WriteQueueOptions<W>): WriteQueueOptions<W> => ({
    ...options,
    planAgain(write) {
      options.planAgain(write);
      onPlanAgain();
    },
  });
  const writer = createWriter<StatusWrite>(telemetry.writing(connection), {
    sources,
    fieldManager: name,
    clock,
    random,
    gate: role.gate,
    rate: budget,
    parallel: budget?.parallel,
    ...soon({
      planAgain: (write: StatusWrite) => planner.failed(write),
      onStart: ({ locator }, waited) => telemetry.writes.started(locator, waited),
      onOutcome(outcome) {
        reporter.wrote(outcome);
        telemetry.wrote(outcome);
      },
      form,
    }),
  });
  const loggedInDryRun = <W extends ObjectWrite>(queue: WriteQueue<W>): WriteQueue<W> =>
    dryRun === true ? { write: (write) => reporter.notWritten(write), cancel() {}, queuedAt: () => 0 } : queue;
  return {
    statuses: loggedInDryRun(writer),
    opener: (onOutcome) => (planAgain) => loggedInDryRun(writer.queue(soon({ planAgain, onOutcome }))),
    stop: (within) => writer.stop({ within }),
  };
}
