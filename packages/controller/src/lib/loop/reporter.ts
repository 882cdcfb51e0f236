import type { EventRecorder, SourceObserver, SourceState, WriteOutcome } from '@policy-machinery/cluster';
import type { RefusedStatus, StatusWrite } from '@policy-machinery/policy-status';
import { formatGroupKind, messageOf } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import type { Logger } from '../log/logger.ts';
import type { QuarantinedObject } from '../sources/quarantine.ts';

/** After so many conflicts with one object in a minute, another controller writes the same fields. */
const warLimit = 5;

/** Says what happens: in the log, and as events of the objects concerned. */
export class Reporter {
  readonly log: Logger;
  readonly #events: EventRecorder | undefined;
  #topology: Topology | undefined;

  constructor(log: Logger, events: EventRecorder | undefined) {
    this.log = log;
    this.#events = events;
  }

  /** Takes what happens inside the sources. */
  readonly observer: SourceObserver = {
    onFailure: (kind, error, retryIn) => {
      this.log.warn('a kind cannot be read', { kind: formatGroupKind(kind), error: messageOf(error), retryIn });
    },
    onMalformed: (kind, _object, faults) => {
      this.log.warn('the API server has sent what is no object', { kind: formatGroupKind(kind), faults });
    },
  };

  started(): void {
    this.log.info('started');
  }

  /** Takes the states of sources that have changed. */
  states(states: ReadonlyMap<string, SourceState>): void {
    for (const [kind, { phase, message }] of states)
      this.log.info('source', { kind, phase, ...(message === undefined ? {} : { message }) });
  }

  /** Takes that all kinds are known. */
  opened(topology: Topology): void {
    this.#topology = topology;
    this.log.info('all kinds are known');
  }

  leading(isHeld: boolean): void {
    this.log.info(isHeld ? 'this process is the leader' : 'this process is no longer the leader');
  }

  quarantined(added: QuarantinedObject | undefined): void {
    if (added === undefined) return;
    const { locator, object, message } = added;
    this.log.warn('an object is quarantined: its last change does not count', { object: locator, message });
    this.#events?.record({
      regarding: object,
      type: 'Warning',
      reason: 'Quarantined',
      action: 'Read',
      note: `The last change of this object does not count: ${message}`,
    });
  }

  /** Takes why a round has failed unexpectedly, and the time until the next one in milliseconds. */
  failed(error: unknown, retryIn: number): void {
    this.log.error('a round failed; what it has not taken is taken again, and everything is planned', {
      error: messageOf(error),
      retryIn,
    });
  }

  /** Takes what does not fit into a status. */
  refused({ resource, message }: RefusedStatus): void {
    this.log.warn('a status is full', { object: resource, message });
  }

  wrote(outcome: WriteOutcome<StatusWrite>): void {
    const { locator } = outcome.write;
    const { result, code, message, rival, conflictsInMinute = 0 } = outcome;
    if (result === 'written') this.log.debug('status written', { object: locator });
    else if (result === 'refused')
      this.log.error('the API server refuses a status', { object: locator, code, message });
    else this.log.debug('status not written', { object: locator, result, code, message });
    if (rival === undefined || conflictsInMinute !== warLimit) return;
    this.log.warn('another controller writes the same object again and again', { object: locator, rival });
    const resource = (this.#topology?.policy(locator) ?? this.#topology?.get(locator))?.resource;
    if (resource === undefined) return;
    this.#events?.record({
      regarding: resource,
      type: 'Warning',
      reason: 'StatusConflict',
      action: 'WriteStatus',
      note: `${rival} writes the status of this object at the same time; let one of the two controllers manage these conditions`,
    });
  }

  /** Takes that the controller has stopped, and how many objects it has not written to. */
  async stopped(left: number): Promise<void> {
    this.log.info('stopped', { left });
    await this.#events?.flush();
  }
}
