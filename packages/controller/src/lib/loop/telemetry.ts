import type { Clock, Lease, SourceObserver, Sources, Transport, WriteOutcome } from '@policy-machinery/cluster';
import { type GroupKind, groupKindOf } from '@policy-machinery/resource';
import { countKinds } from '../metrics/count-kinds.ts';
import { countSources } from '../metrics/count-sources.ts';
import { countWrites } from '../metrics/count-writes.ts';
import { createInstruments, type Instruments } from '../metrics/instruments.ts';
import { measureReconciles, type ReconcileMeter } from '../metrics/measure-reconciles.ts';
import { measureTransport } from '../metrics/measure-transport.ts';
import type { Meter } from '../metrics/meter.ts';
import { observeController } from '../metrics/observe-controller.ts';
import { StatusLag } from '../metrics/status-lag.ts';
import type { QuarantinedObject } from '../sources/quarantine.ts';

/** The parts of a controller that show their state. */
export interface TelemetryParts {
  readonly sources: Sources;
  readonly kinds: readonly GroupKind[];
  readonly writer: { readonly queued: number };
  readonly quarantined: () => readonly QuarantinedObject[];
  readonly lease: Lease | undefined;
}

/** The parts of a round that are measured. */
export type RoundPart = 'apply' | 'refresh' | 'plan';

/** Records the metrics of a controller. */
export class Telemetry {
  /** Counts what happens inside the sources. */
  readonly observer: SourceObserver;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #instruments: Instruments;
  readonly #countWrite: (outcome: WriteOutcome) => void;
  readonly #lag: StatusLag;
  readonly #rounds: ReconcileMeter;
  /** The kinds of the objects whose status the API server refuses, by locator. */
  readonly #refused = new Map<string, GroupKind>();
  readonly #stops: (() => void)[] = [];

  constructor(meter: Meter, name: string, clock: Clock) {
    this.#name = name;
    this.#clock = clock;
    this.#instruments = createInstruments(meter);
    this.observer = countSources(this.#instruments);
    this.#countWrite = countWrites(this.#instruments);
    this.#lag = new StatusLag(this.#instruments, clock);
    this.#rounds = measureReconciles(this.#instruments, name, clock);
    this.#stops.push(() => this.#rounds.stop());
    this.#stops.push(this.#instruments.refusedStatuses.observe(() => countKinds(this.#refused.values())));
  }

  /** Returns a transport that measures the requests to a server. */
  measured(connection: Transport & { readonly server?: string }): Transport {
    const host = connection.server === undefined ? '' : new URL(connection.server).host;
    return measureTransport(connection, this.#instruments, this.#clock, host);
  }

  /** Shows the state of a controller whenever metrics are collected, until {@link stop}. */
  observe({ lease, ...parts }: TelemetryParts): void {
    const quarantined = () => parts.quarantined().map(({ object }) => groupKindOf(object));
    const named = lease === undefined ? {} : { lease: { name: this.#name, lease } };
    const observed = { ...parts, ...named, name: this.#name, clock: this.#clock, quarantined };
    this.#stops.push(observeController(this.#instruments, observed));
  }

  /** Runs and measures a round. */
  round<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#rounds.run(task);
  }

  /** Runs and measures a part of a round: to apply changes, to compute effective policies, or to plan. */
  async measure(part: RoundPart, task: () => Promise<void>): Promise<void> {
    const began = this.#clock.monotonic();
    await task();
    this.#instruments[`${part}Duration`].record({}, (this.#clock.monotonic() - began) / 1000);
  }

  /** Takes that a write is planned, because of what arrived at a time of the monotonic clock. */
  planned(locator: string, changedAt: number): void {
    this.#lag.planned(locator, changedAt);
  }

  /** Takes that an object needs no write. */
  cancelled(locator: string): void {
    this.#lag.cancelled(locator);
  }

  wrote(outcome: WriteOutcome): void {
    const { write, result } = outcome;
    this.#countWrite(outcome);
    this.#lag.settled(outcome);
    if (result === 'refused') this.#refused.set(write.locator, write.ref);
    else if (result === 'written' || result === 'gone') this.#refused.delete(write.locator);
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }
}

/** Returns an observer that passes everything on to others. */
export function toEach(...observers: readonly SourceObserver[]): SourceObserver {
  return {
    onWatchEvent: (kind, type) => {
      for (const it of observers) it.onWatchEvent?.(kind, type);
    },
    onRelist: (kind, reason) => {
      for (const it of observers) it.onRelist?.(kind, reason);
    },
    onFailure: (kind, error, retryIn) => {
      for (const it of observers) it.onFailure?.(kind, error, retryIn);
    },
    onMalformed: (kind, object, faults) => {
      for (const it of observers) it.onMalformed?.(kind, object, faults);
    },
  };
}
