import type { Clock, Lease, SourceObserver, Sources, Transport, WriteOutcome } from '@policy-machinery/cluster';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { Meter, Tracer } from '@policy-machinery/observability';
import { noMeter } from '@policy-machinery/observability/inner';
import { reportPolicies, type StatusChanges } from '@policy-machinery/policy-status';
import { type GroupKind, groupKindKey, groupKindOf } from '@policy-machinery/resource';
import type { QuarantinedObject } from '../sources/quarantine.ts';
import { traceWrites } from '../traces/trace-writes.ts';
import { countKinds } from './count-kinds.ts';
import { countSources } from './count-sources.ts';
import { createInstruments, type Instruments } from './instruments.ts';
import { measureReconciles, type ReconcileMeter } from './measure-reconciles.ts';
import { measureTransport } from './measure-transport.ts';
import { type MeasuredWriter, WriteMeter } from './measure-writes.ts';
import { observeController } from './observe-controller.ts';
import { PolicyOutcomes } from './policy-outcomes.ts';

export interface TelemetryContext {
  /** The metrics; `undefined` if there are none. */
  readonly meter: Meter | undefined;
  readonly tracer: Tracer;
  readonly name: string;
  readonly clock: Clock;
}

/** The parts of a controller that show their state. */
export interface TelemetryParts {
  readonly sources: Sources;
  readonly kinds: readonly GroupKind[];
  readonly writer: MeasuredWriter;
  readonly quarantined: () => readonly QuarantinedObject[];
  /** Returns the number of effective policies of each kind. */
  readonly contexts: () => ReadonlyMap<GroupKind, number>;
  readonly lease: Pick<Lease, 'isHeld'> | undefined;
  readonly guarantees: () => Iterable<readonly [{ readonly guarantee: string; readonly answer: string }, number]>;
}

/** A plan of statuses that was made. */
export interface LastPlan {
  /** The time at its end. */
  readonly at: Date;
  /** How long it took, in milliseconds. */
  readonly took: number;
  /** The number of writes that it led to. */
  readonly writes: number;
}

export type RoundPart = 'apply' | 'refresh' | 'plan';

/** Records the metrics and traces of a controller. */
export class Telemetry {
  /** Counts the incidents of the sources. */
  readonly observer: SourceObserver;
  /** Measures the writes of statuses. */
  readonly writes: WriteMeter;
  readonly #context: TelemetryContext;
  readonly #instruments: Instruments;
  readonly #rounds: ReconcileMeter;
  readonly #outcomes = new PolicyOutcomes();
  /** The kinds of the objects with a status that the API server refuses, by locator. */
  readonly #refused = new Map<string, GroupKind>();
  readonly #stops: (() => void)[] = [];
  #planned = 0;
  #lastPlan: LastPlan | undefined;

  constructor(context: TelemetryContext) {
    const { meter = noMeter, name, clock } = context;
    this.#context = context;
    this.#instruments = createInstruments(meter);
    this.observer = countSources(this.#instruments);
    this.writes = new WriteMeter(this.#instruments, name, clock);
    this.#rounds = measureReconciles(this.#instruments, name, clock);
    this.#stops.push(
      () => this.#rounds.stop(),
      () => this.writes.stop(),
      this.#instruments.refusedStatuses.observe(() => countKinds(this.#refused.values())),
      this.#instruments.policies.observe(() => this.#outcomes.readings()),
    );
  }

  /** Returns a transport that measures the requests to a server. */
  measured(connection: Transport & { readonly server?: string }): Transport {
    const host = connection.server === undefined ? '' : new URL(connection.server).host;
    return measureTransport(connection, this.#instruments, this.#context.clock, host);
  }

  writing(connection: Transport): Transport {
    return traceWrites(connection, this.#context.tracer);
  }

  /** Shows the state of a controller whenever metrics are collected, until {@link stop}. */
  observe({ lease, writer, contexts, guarantees, ...parts }: TelemetryParts): void {
    const { name, clock } = this.#context;
    const quarantined = () => parts.quarantined().map(({ object }) => groupKindOf(object));
    const named = lease === undefined ? {} : { lease: { name, lease } };
    if (lease !== undefined) this.#instruments.leaderSlowPaths.add({ name }, 0);
    this.writes.observe(writer);
    if (this.#context.meter === undefined) return; // To watch the event loop wakes the process up all the time.
    this.#stops.push(
      this.#instruments.guarantees.observe(guarantees),
      observeController(this.#instruments, { ...parts, ...named, clock, quarantined }),
      this.#instruments.effectiveContexts.observe(() =>
        Array.from(contexts(), ([kind, count]) => [{ kind: groupKindKey(kind) }, count] as const),
      ),
    );
  }

  /** The last plan of statuses; `undefined` before the first. */
  get lastPlan(): LastPlan | undefined {
    return this.#lastPlan;
  }

  /** Runs, measures and traces a round. */
  round<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#rounds.run(() => this.#context.tracer.span('slice', {}, task));
  }

  /** Runs, measures and traces a part of a round: to apply changes, to compute effective policies, or to plan. */
  async measure(part: RoundPart, task: () => Promise<void>): Promise<void> {
    const { clock, tracer } = this.#context;
    const began = clock.monotonic();
    if (part === 'plan') this.#planned = 0;
    await tracer.span(part, {}, task);
    const took = clock.monotonic() - began;
    this.#instruments[`${part}Duration`].record({}, took / 1000);
    if (part === 'plan') this.#lastPlan = { at: new Date(clock.now()), took, writes: this.#planned };
  }

  /** Records that a write is planned, because of a change that arrived at a time of the monotonic clock. */
  planned(locator: string, changedAt: number): void {
    this.#planned += 1;
    this.writes.planned(locator, changedAt);
  }

  /** Records the scope of a plan. The outcomes of policies are computed only if there are metrics. */
  outcomes(views: readonly EffectivePolicies<unknown>[], changes: readonly StatusChanges[]): void {
    if (this.#context.meter === undefined) return;
    for (const { kind, policies } of changes) {
      if (policies.length === 0) continue;
      const view = views.find((it) => groupKindKey(it.kind) === groupKindKey(kind));
      const reported = view === undefined ? [] : reportPolicies(view, { policies: new Set(policies) });
      const reports = reported.filter(({ ancestors }) => ancestors.length > 0); // Other controllers report the others.
      this.#outcomes.set(kind, policies, new Map(reports.map(({ policy, outcome }) => [policy.locator, outcome])));
    }
  }

  wrote(outcome: WriteOutcome): void {
    const { write, result } = outcome;
    this.writes.ended(outcome);
    if (result === 'refused') this.#refused.set(write.locator, write.ref);
    else if (result === 'written' || result === 'gone') this.#refused.delete(write.locator);
  }

  /** Records that this process begins or ceases to lead. */
  leading(isHeld: boolean): void {
    if (!isHeld) this.writes.aborted();
  }

  /** Records that the lease had to be read before it could be renewed. */
  slowPath(): void {
    this.#instruments.leaderSlowPaths.add({ name: this.#context.name });
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }
}

/** Returns an observer that passes everything on to others. */
export function toEach(...observers: readonly SourceObserver[]): SourceObserver {
  return {
    onWatchEvent: (kind, type) => {
      for (const observer of observers) observer.onWatchEvent?.(kind, type);
    },
    onRelist: (kind, reason) => {
      for (const observer of observers) observer.onRelist?.(kind, reason);
    },
    onFailure: (kind, error, retryIn) => {
      for (const observer of observers) observer.onFailure?.(kind, error, retryIn);
    },
    onMalformed: (kind, object, faults) => {
      for (const observer of observers) observer.onMalformed?.(kind, object, faults);
    },
  };
}
