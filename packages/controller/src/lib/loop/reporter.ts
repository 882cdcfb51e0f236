import type {
  Clock,
  EventDetails,
  EventRecorder,
  ObjectWrite,
  SourceObserver,
  SourceState,
  WriteOutcome,
} from '@policy-machinery/cluster';
import type { Logger } from '@policy-machinery/observability';
import type { StatusWrite } from '@policy-machinery/policy-status';
import type { RefusedStatus } from '@policy-machinery/policy-status/inner';
import { formatGroupKind, groupKindKey, messageOf } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { hasGatewayClass } from '../gateways/our-gateways.ts';
import { memoryAdvice } from '../memory/memory-advice.ts';
import type { MemoryUse } from '../memory/memory-use.ts';
import { errorCode } from '../metrics/error-code.ts';
import type { OwnedWrite } from '../owned/owned-write.ts';
import type { QuarantinedObject } from '../sources/quarantine.ts';
import { isFault, Refusals } from './refusals.ts';
import { StaleAlarms } from './stale-alarms.ts';

/** After so many restorations of the same content in a row, another client manages it as well. */
const warLimit = 3;

/** How often the same failure of a kind is logged, in milliseconds. */
const failureInterval = 60_000;

/** A field that another client changes again and again. */
interface Conflict extends Pick<EventDetails, 'reason' | 'action'> {
  readonly regarding: EventDetails['regarding'] | undefined;
  readonly what: string;
  readonly advice: string;
}

interface WriteNames {
  readonly name: string;
  readonly singular: string;
  readonly plural: string;
}

/** The effect of a write of each action on its object. */
const doneBy = { update: 'written', apply: 'applied', delete: 'deleted' } as const;

export interface ReporterContext {
  readonly log: Logger;
  /** Sends events; `undefined` if nothing leads to an event. */
  readonly events: EventRecorder | undefined;
  readonly clock: Clock;
  /** After this number of milliseconds, a stale kind leads to an event. */
  readonly staleAfter: number;
  /** The Lease of the controller, which events about the controller itself are about. */
  readonly lease: { readonly namespace: string; readonly name: string } | undefined;
  /** The policy kinds, by `groupKindKey`. Without these, the controller has nothing to do. */
  readonly policyKinds: ReadonlySet<string>;
  /** The name that the GatewayClasses of the controller have; `undefined` if all Gateways count. */
  readonly gatewaysOf?: string | undefined;
  readonly memory: () => MemoryUse;
}

/** Reports incidents in the log, and as events about the objects concerned. */
export class Reporter {
  readonly #context: ReporterContext;
  /** The advice on memory that was logged already: each sentence is logged once. */
  readonly #advised = new Set<string>();
  readonly #alarms: StaleAlarms;
  readonly #phases = new Map<string, SourceState['phase']>();
  /** When each failure was logged last, by the monotonic clock. */
  readonly #failuresLogged = new Map<string, number>();
  readonly #refusals = new Refusals();
  #topology: Topology | undefined;

  constructor(context: ReporterContext) {
    this.#context = context;
    this.#alarms = new StaleAlarms(context.clock, context.staleAfter, (kind, state) => this.#staleForLong(kind, state));
  }

  get log(): Logger {
    return this.#context.log;
  }

  /** Receives the incidents of the sources. */
  readonly observer: SourceObserver = {
    onFailure: (kind, error, retryIn) => {
      if (!this.#isDue(`read ${groupKindKey(kind)} ${errorCode(error)}`)) return; // Another reason is news.
      this.log.warn('a kind cannot be read', { kind: formatGroupKind(kind), error: messageOf(error), retryIn });
    },
    onMalformed: (kind, _object, faults) => {
      this.log.warn('the API server has sent a malformed object', { kind: formatGroupKind(kind), faults });
    },
  };

  /** Returns whether a failure should be logged now. A failure that goes on is logged once in {@link failureInterval}. */
  #isDue(failure: string): boolean {
    const time = this.#context.clock.monotonic();
    const loggedAt = this.#failuresLogged.get(failure) ?? Number.NEGATIVE_INFINITY;
    if (time - loggedAt < failureInterval) return false;
    this.#failuresLogged.set(failure, time);
    return true;
  }

  started(): void {
    this.log.info('started');
    this.#adviseOnMemory();
  }

  /** Reports that the first round is complete, with the memory it took: a process needs the most memory while it starts. */
  loaded(): void {
    const { peak } = this.#context.memory();
    this.log.info('everything is computed', { peakMiB: peak });
    this.#adviseOnMemory();
  }

  #adviseOnMemory(): void {
    for (const advice of memoryAdvice(this.#context.memory())) {
      if (!this.#advised.has(advice)) this.log.warn('memory', { advice });
      this.#advised.add(advice);
    }
  }

  states(states: ReadonlyMap<string, SourceState>): void {
    this.#alarms.take(states);
    for (const [kind, { phase, message }] of states) {
      if (phase === this.#phases.get(kind)) continue;
      this.#phases.set(kind, phase);
      this.log.info('source', { kind, phase, ...(message === undefined ? {} : { error: message }) });
      if (phase !== 'absent' || !this.#context.policyKinds.has(kind)) continue;
      this.log.warn('the API server does not serve a policy kind; install its CustomResourceDefinition', { kind });
    }
  }

  /** Reports that a kind has not been read for long, so that people must act. */
  #staleForLong(kind: string, { since, message = '' }: SourceState): void {
    const time = new Date(since).toISOString();
    this.log.error('kind stale', { kind, since: time, error: message });
    if (this.#context.lease === undefined) return;
    this.#context.events?.record({
      regarding: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: this.#context.lease },
      type: 'Warning',
      reason: 'SourceStale',
      action: 'Watch',
      note: `${kind} cannot be read since ${time}; its objects from then are used: ${message}`,
    });
  }

  /** Reports that all kinds are known. */
  opened(topology: Topology): void {
    this.#topology = topology;
    this.log.info('all kinds are read');
    const { gatewaysOf } = this.#context;
    if (gatewaysOf === undefined || hasGatewayClass(topology, gatewaysOf)) return;
    const message =
      'no GatewayClass has the controllerName of gatewaysOf, so no Gateway counts; create one, or set gateways to all';
    this.log.warn(message, { gatewaysOf });
  }

  /** Takes why the lease could not be renewed or taken. */
  leaseFailed(error: unknown): void {
    if (!this.#isDue('lease')) return;
    this.log.warn('the lease could not be renewed or taken', { error: messageOf(error) });
  }

  leading(isHeld: boolean): void {
    this.log.info(isHeld ? 'this process is the leader' : 'this process has lost the lease');
  }

  /** Takes that this process has another share of the cluster, or none, beside other replicas. */
  shares(acts: boolean, members: number): void {
    this.log.info(acts ? 'this process writes its share of the statuses' : 'this process writes no statuses', {
      members,
    });
  }

  /** Takes an object that the topology refuses. */
  quarantined({ locator, object, message }: QuarantinedObject): void {
    this.log.warn('an object is quarantined: its last change is ignored', { object: locator, error: message });
    this.#context.events?.record({
      regarding: object,
      type: 'Warning',
      reason: 'Quarantined',
      action: 'Read',
      note: `The last change of this object is ignored: ${message}`,
    });
  }

  /** Takes why a round has failed unexpectedly, and the time until the next one in milliseconds. */
  failed(error: unknown, retryIn: number): void {
    this.log.error('a round failed; its changes are retried, and all statuses are planned again', {
      error: messageOf(error),
      retryIn,
    });
  }

  /** Takes the error of a function of the user. */
  callFailed(name: string, error: unknown): void {
    this.log.error(`${name} threw an error`, { error: messageOf(error) });
  }

  /** Takes a write that is not made, in a dry run. Contents of owned objects are not logged: they may be secret. */
  notWritten({ locator, action = 'update', patch }: ObjectWrite): void {
    const change = action === 'update' ? { patch } : {};
    this.log.info('dry run: a write is not made', { object: locator, action, ...change });
  }

  record(event: EventDetails): void {
    this.#context.events?.record(event);
  }

  /** Takes an object of others that has the name of one that a target wants. */
  foreign(object: string, target: string): void {
    if (!this.#refusals.add(object, 'foreign')) return;
    const advice = 'delete it, or apply another name';
    this.log.error('the name is taken by an object that this controller does not own', { object, target, advice });
  }

  /** Takes the error of a function of the user for an object, with the consequence. */
  failedFor(object: string, what: string, error: unknown): void {
    if (this.#isDue(what)) this.log.error(what, { object, error: messageOf(error) });
  }

  /** Receives the conditions and entries that do not fit into a status. */
  refused({ resource, message }: RefusedStatus): void {
    this.log.warn('a status is full', { object: resource, error: message });
  }

  wrote(outcome: WriteOutcome<StatusWrite>): void {
    const { locator, ref } = outcome.write;
    this.#wrote(
      outcome,
      { name: 'status', singular: 'a status', plural: 'statuses of a kind' },
      { kind: formatGroupKind(ref) },
    );
    this.#reportRival(outcome, {
      regarding: (this.#topology?.policy(locator) ?? this.#topology?.get(locator))?.resource,
      reason: 'StatusConflict',
      action: 'WriteStatus',
      what: 'the conditions that this controller writes',
      advice: 'let one of the two controllers manage them',
    });
  }

  wroteOwned(outcome: WriteOutcome<OwnedWrite>): void {
    this.#wrote(
      outcome,
      { name: 'owned object', singular: 'an owned object', plural: 'owned objects' },
      { target: outcome.write.target },
    );
    this.#reportRival(outcome, {
      regarding: outcome.object,
      reason: 'OwnedConflict',
      action: 'Apply',
      what: 'an object that this controller owns',
      advice: 'leave it unchanged, or change the resources that the controller creates it from',
    });
  }

  wroteFinalizer(finalizer: string, outcome: WriteOutcome): void {
    this.#wrote(outcome, { name: 'finalizer', singular: 'a finalizer', plural: 'finalizers' }, { finalizer });
  }

  wroteGuarantee(outcome: WriteOutcome): void {
    const singular = 'the condition of a guarantee';
    this.#wrote(outcome, { name: 'condition of a guarantee', singular, plural: 'the conditions of guarantees' });
  }

  #wrote(outcome: WriteOutcome, { name, singular, plural }: WriteNames, more = {}): void {
    const { write, result, code, message: error, retryIn } = outcome;
    const details = { ...more, object: write.locator, code, error, retryIn };
    const isNewRefusal = this.#refusals.isNew(outcome);
    if (result === 'written') this.log.debug(`${name} ${doneBy[write.action ?? 'update']}`, details);
    else if (isNewRefusal) this.log.error(`the API server refuses ${singular}`, details);
    else if (isFault(outcome) && this.#isDue(`write ${plural} ${groupKindKey(write.ref)}`))
      this.log.warn(`${plural} cannot be written`, details);
    else this.log.debug(`${name} not written`, { ...details, result });
  }

  /** Reports that another client overwrites this controller: once for each fight. */
  #reportRival({ write, rival = 'another client', restorations }: WriteOutcome, conflict: Conflict): void {
    if (restorations !== warLimit) return;
    const { regarding, reason, action, what, advice } = conflict;
    this.log.warn(`another client keeps changing ${what}`, { object: write.locator, rival });
    if (regarding === undefined) return;
    this.#context.events?.record({
      regarding,
      type: 'Warning',
      reason,
      action,
      note: `${rival} changes ${what}; ${advice}`,
    });
  }

  /** Reports that the controller has stopped, and how many writes it has not made. Resolves when all events are sent. */
  async stopped(unsent: number): Promise<void> {
    this.#alarms.close();
    this.log.info('stopped', { left: unsent });
    await this.#context.events?.flush();
  }

  /** Drops the events that are not sent yet. */
  close(): void {
    this.#context.events?.close();
  }
}
