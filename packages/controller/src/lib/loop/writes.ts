import {
  createWriter,
  type ObjectWrite,
  type Sources,
  type Transport,
  type WriteGate,
  type WriteOutcome,
  type WriteQueue,
  type Writer,
} from '@policy-machinery/cluster';
import type { StatusWrite } from '@policy-machinery/policy-status';
import type { OwnedWrite } from '../owned/owned-write.ts';
import type { ControllerSettings } from './controller-parts.ts';

/** The queues of all writes of a controller, which share one budget. In a dry run, they only log. */
export interface Writes {
  readonly writer: Writer<StatusWrite>;
  readonly statuses: WriteQueue<StatusWrite>;
  readonly owned: WriteQueue<OwnedWrite>;
  readonly finalizers: WriteQueue<ObjectWrite>;
  readonly guarantees: WriteQueue<ObjectWrite>;
}

/** The dependencies of writes. */
export interface WritesContext {
  readonly connection: Transport;
  readonly sources: Sources;
  /** Whether this process may write; `undefined` if it always may. */
  readonly gate: WriteGate | undefined;
  /** Functions that plan the object of a write again, soon. */
  readonly planAgain: {
    readonly status: (write: StatusWrite) => void;
    readonly owned: (write: OwnedWrite) => void;
    readonly finalizer: (write: ObjectWrite) => void;
    readonly guarantee: (write: ObjectWrite) => void;
  };
}

/** Creates the queues of the writes of a controller. */
export function createWrites(settings: ControllerSettings, context: WritesContext): Writes {
  const { telemetry, reporter, finalizer = '', status: { form } = {} } = settings;
  const { planAgain } = context;
  const writer = createWriter<StatusWrite>(telemetry.writing(context.connection), {
    ...budgetOf(settings, context),
    planAgain: planAgain.status,
    onStart: ({ locator }, waited) => telemetry.started(locator, waited),
    onOutcome: (outcome) => {
      reporter.wrote(outcome);
      telemetry.wrote(outcome);
    },
    ...(form === undefined ? {} : { form }),
  });
  const queue = <W extends ObjectWrite>(again: (write: W) => void, onOutcome: (outcome: WriteOutcome<W>) => void) =>
    loggedInDryRun(settings, writer.queue<W>({ planAgain: again, onOutcome }));
  return {
    writer,
    statuses: loggedInDryRun(settings, writer),
    owned: queue<OwnedWrite>(planAgain.owned, (outcome) => reporter.wroteOwned(outcome)),
    finalizers: queue<ObjectWrite>(planAgain.finalizer, (outcome) => reporter.wroteFinalizer(finalizer, outcome)),
    guarantees: queue<ObjectWrite>(planAgain.guarantee, (outcome) => reporter.wroteGuarantee(outcome)),
  };
}

function budgetOf({ name, writes, clock, random }: ControllerSettings, { sources, gate }: WritesContext) {
  const { parallel } = writes ?? {};
  return {
    sources,
    fieldManager: name,
    clock,
    random,
    ...(gate === undefined ? {} : { gate }),
    ...(writes === undefined ? {} : { rate: { ...writes } }),
    ...(parallel === undefined ? {} : { parallel }),
  };
}

/** Returns a queue that makes writes, or only logs them. */
function loggedInDryRun<W extends ObjectWrite>(
  { dryRun, reporter }: ControllerSettings,
  queue: WriteQueue<W>,
): WriteQueue<W> {
  if (dryRun !== true) return queue;
  return { write: (write) => reporter.notWritten(write), cancel() {}, queuedAt: () => 0 };
}
