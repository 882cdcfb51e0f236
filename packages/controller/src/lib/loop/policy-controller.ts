import { setImmediate } from 'node:timers/promises';
import {
  type Clock,
  createSources,
  createWriter,
  holdLease,
  type Lease,
  type SourceChanges,
  type Sources,
  sleep,
  type Transport,
  type Writer,
} from '@policy-machinery/cluster';
import {
  type EffectiveChanges,
  type EffectiveDelta,
  type EffectivePolicies,
  effectivePolicies,
} from '@policy-machinery/effective-policy';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { StatusWrite } from '@policy-machinery/policy-status';
import { groupKindKey, messageOf, PolicyMachineryError } from '@policy-machinery/resource';
import { createTopology, type Topology } from '@policy-machinery/topology';
import type { PolicyControllerOptions } from '../controller-options.ts';
import { EffectiveCallback } from '../effective/effective-callback.ts';
import { mergedByKind } from '../plan/merged-by-kind.ts';
import { changesOfEverything, changesOfObject } from '../plan/slices-of-changes.ts';
import { StatusWriter } from '../plan/status-writer.ts';
import { startProbes } from '../probes/start-probes.ts';
import { type HeldUpBy, heldUpBy } from '../sources/barrier.ts';
import { Intake } from '../sources/intake.ts';
import { Quarantine, type QuarantinedObject } from '../sources/quarantine.ts';
import { probesOf } from './controller-probes.ts';
import type { Reporter } from './reporter.ts';
import { Serial } from './serial.ts';
import { type Telemetry, toEach } from './telemetry.ts';

/** The options with all defaults that a controller works with. */
export interface ControllerSettings extends PolicyControllerOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly drain: number;
  readonly reporter: Reporter;
  readonly telemetry: Telemetry;
}

/** The shortest and longest pause between two rounds, in milliseconds. What happens meanwhile is handled together. */
const shortestPause = 50;
const longestPause = 1000;

/** A policy controller. Made with `createPolicyController`. */
export class PolicyController {
  /** The resources of the cluster, kept up to date while the controller runs. Change nothing. */
  readonly topology: Topology;
  readonly #settings: ControllerSettings;
  readonly #views: readonly EffectivePolicies<unknown>[];
  readonly #quarantine: Quarantine;
  readonly #intake: Intake;
  readonly #rounds = new Serial();
  readonly #readers: readonly EffectiveChanges[];
  readonly #callbacks: readonly EffectiveCallback[];
  /** Objects that must be planned again, since a write to them met another version. */
  readonly #again = new Set<string>();
  #sources: Sources | undefined;
  #lease: Lease | undefined;
  #statuses: StatusWriter | undefined;
  /** Aborts when this process ceases to lead. */
  #term = new AbortController();
  #isOpen = false;
  #isPlanned = false;
  #hasStarted = false;

  private constructor(settings: ControllerSettings) {
    const { targetKinds, policyKinds, onEffective, reporter, clock } = settings;
    this.#settings = settings;
    this.topology = createTopology({ targetKinds, policyKinds });
    this.#views = policyKinds.map((kind) => effectivePolicies(this.topology, kind));
    this.#readers = this.#views.map((view) => view.changes());
    this.#quarantine = new Quarantine((added) => reporter.quarantined(added));
    this.#intake = new Intake(this.topology, this.#quarantine);
    this.#callbacks =
      onEffective === undefined
        ? []
        : this.#views.map((view) => new EffectiveCallback({ view, onEffective, log: reporter.log, clock }));
  }

  /** @internal Use `createPolicyController`. */
  static make(settings: ControllerSettings): PolicyController {
    return new PolicyController(settings);
  }

  /**
   * Returns the effective policies of a kind, kept up to date while the controller runs.
   *
   * @throws {PolicyMachineryError} `unknown-kind`, if the controller has no such kind.
   */
  effective<Spec>(kind: PolicyKind<Spec>): EffectivePolicies<Spec> {
    const view = this.#views.find((it) => it.kind === (kind as PolicyKind<unknown>));
    if (view !== undefined) return view as EffectivePolicies<Spec>;
    throw new PolicyMachineryError(
      'unknown-kind',
      `${kind.kind} is not among the policyKinds of this controller; add it`,
    );
  }

  /** Whether this process writes statuses and calls `onEffective`. */
  get isLeader(): boolean {
    return this.#hasStarted && (this.#lease?.isHeld() ?? true);
  }

  /** The kinds that hold the controller up; none once it has planned. Before that, nothing is written, and `onEffective` is not called. */
  get heldUpBy(): readonly HeldUpBy[] {
    if (this.#isOpen) return [];
    return heldUpBy(this.topology.requiredKinds, this.#sources?.states ?? new Map(), this.#settings.kinds);
  }

  /** The objects whose last change does not count, since the topology refuses it. The last good version counts. */
  get quarantined(): readonly QuarantinedObject[] {
    return this.#quarantine.objects;
  }

  /**
   * Runs the controller: watches the cluster, keeps statuses accurate and calls `onEffective`, until the signal aborts. Then it finishes what it is
   * doing, waits for the last writes, and lets go of the lease.
   *
   * @param options The signal that stops the controller. Default: it runs forever.
   * @returns A promise that resolves after a clean stop, and rejects if the controller cannot start.
   * @throws {PolicyMachineryError} `already-started`, if it has run before.
   */
  async run({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (this.#hasStarted)
      throw new PolicyMachineryError('already-started', 'This controller has run; create another one');
    const { clock, random, drain, reporter, telemetry } = this.#settings;
    const connection = telemetry.measured(this.#settings.connection);
    const { probes: probeOptions, metrics } = this.#settings;
    const states = () => this.#sources?.states ?? new Map();
    const probed = { heldUpBy: () => this.heldUpBy, states, views: this.#views, metrics };
    const probes = probeOptions && (await startProbes(probesOf(probeOptions, probed)));
    const lease = this.#leaseOf(connection);
    this.#lease = lease;
    const observer = toEach(reporter.observer, telemetry.observer);
    const kinds = this.#watched();
    const sources = createSources(connection, kinds, { clock, random, observer });
    this.#sources = sources;
    const writer = this.#writerFor(connection, sources, lease);
    telemetry.observe({ sources, kinds, writer, lease, quarantined: () => this.quarantined });
    const options = () => ({ ...this.#planOptions(), now: new Date(clock.now()) });
    this.#statuses = new StatusWriter({
      views: this.#views,
      writer,
      options,
      onRefused: (it) => reporter.refused(it),
      telemetry,
      monotonic: () => clock.monotonic(),
    });
    this.#hasStarted = true;
    const stopListening = lease?.onChange((isHeld) => this.#followLease(isHeld));
    const stop = () => sources.close();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    reporter.started();
    try {
      await this.#follow(sources);
    } finally {
      stopListening?.();
      signal?.removeEventListener('abort', stop);
      this.#term.abort(new Error('the controller stops'));
      await this.#rounds.idle();
      const left = await writer.stop({ within: drain });
      await Promise.all(this.#callbacks.map((callback) => callback.idle()));
      await sources[Symbol.asyncDispose]();
      await lease?.release();
      await reporter.stopped(left);
      telemetry.stop();
      await probes?.close();
    }
  }

  /** Handles what happens to the sources, until they are closed. */
  async #follow(sources: Sources): Promise<void> {
    const { clock } = this.#settings;
    for await (const changes of sources) {
      const began = clock.monotonic();
      await this.#round(() => this.#take(changes));
      const took = clock.monotonic() - began;
      await sleep(clock, Math.min(longestPause, Math.max(shortestPause, took)));
    }
  }

  /** Runs a round after those before. What fails unexpectedly is planned as a whole again: nothing may be lost. */
  async #round(task: () => Promise<void>): Promise<void> {
    const { reporter, clock, telemetry } = this.#settings;
    try {
      await this.#rounds.run(() => telemetry.round(task));
    } catch (error) {
      this.#isPlanned = false;
      reporter.log.error('a round failed; everything is planned again', { error: messageOf(error) });
      await sleep(clock, longestPause);
      void this.#round(() => this.#act());
    }
  }

  async #take(changes: SourceChanges): Promise<void> {
    const { reporter, telemetry } = this.#settings;
    reporter.states(changes.states);
    await telemetry.measure('applyDuration', () => this.#intake.apply(changes));
    if (!this.#isOpen) {
      if (this.heldUpBy.length > 0) return;
      this.#isOpen = true;
      reporter.opened(this.topology);
    }
    await this.#act();
  }

  /** Plans what has changed, and passes it on. A standby process only keeps its effective policies up to date, so that it can take over at once. */
  async #act(): Promise<void> {
    if (!this.#isOpen) return;
    for (const view of this.#views) for (const _ of view.compute()) await setImmediate();
    if (!this.isLeader) return;
    const deltas = this.#readers.map((reader) => reader.take());
    // Also before a plan of everything: what has gone while another process was the leader is in no list of what is there.
    for (const [index, delta] of deltas.entries()) this.#callbacks[index]?.add(delta);
    if (this.#isPlanned) await this.#planChanges(deltas);
    else await this.#planEverything();
    for (const callback of this.#callbacks) callback.start(this.#term.signal);
  }

  async #planEverything(): Promise<void> {
    for (const [index, view] of this.#views.entries()) {
      const targets = new Set<string>();
      for (const { target } of view) targets.add(target.locator);
      this.#callbacks[index]?.add({ targets, policies: view.policies.map(({ node }) => node.locator) });
    }
    this.#again.clear();
    const { telemetry } = this.#settings;
    await telemetry.measure('planDuration', async () =>
      this.#statuses?.plan(changesOfEverything(this.#views, this.topology), true),
    );
    this.#isPlanned = true;
  }

  async #planChanges(deltas: readonly EffectiveDelta[]): Promise<void> {
    const again = [...this.#again].flatMap((locator) => changesOfObject(this.#views, locator, this.topology));
    this.#again.clear();
    const { telemetry } = this.#settings;
    await telemetry.measure('planDuration', async () => this.#statuses?.plan(mergedByKind([...deltas, ...again])));
  }

  #followLease(isHeld: boolean): void {
    this.#settings.reporter.leading(isHeld);
    if (!isHeld) {
      this.#term.abort(new Error('this process is no longer the leader'));
      this.#term = new AbortController();
      return;
    }
    this.#isPlanned = false; // Another process has written meanwhile.
    void this.#round(() => this.#act());
  }

  /** Plans an object again in the next round, or after a pause: the sources know it already, the topology only then. */
  readonly #planAgain = ({ locator }: StatusWrite): void => {
    const { clock } = this.#settings;
    if (this.#again.size === 0) clock.setTimeout(() => void this.#round(() => this.#act()), 2 * shortestPause);
    this.#again.add(locator);
  };

  #leaseOf(connection: Transport): Lease | undefined {
    const { lease, name, clock, random, reporter } = this.#settings;
    if (lease === undefined) return undefined;
    const onError = (error: unknown) =>
      reporter.log.warn('the lease could not be renewed or taken', { error: messageOf(error) });
    return holdLease(connection, { name: leaseName(name), ...lease, clock, random, onError });
  }

  #writerFor(connection: Transport, sources: Sources, lease: Lease | undefined): Writer<StatusWrite> {
    const { telemetry, name, status = {}, clock, random, reporter } = this.#settings;
    const { writes, form } = status;
    return createWriter(connection, {
      sources,
      fieldManager: name,
      planAgain: this.#planAgain,
      onOutcome: (outcome) => {
        reporter.wrote(outcome);
        telemetry.wrote(outcome);
      },
      clock,
      random,
      ...(lease === undefined ? {} : { gate: lease }),
      ...(writes === undefined ? {} : { rate: writes, parallel: writes.parallel ?? 8 }),
      ...(form === undefined ? {} : { form }),
    });
  }

  #planOptions() {
    const { name, status = {} } = this.#settings;
    const { writes: _writes, form: _form, ...options } = status;
    return { ...options, controllerName: name };
  }

  #watched() {
    return this.topology.requiredKinds.map(({ group, kind, versions }) => {
      const metadataOnly = groupKindKey({ group, kind }) === 'namespace';
      return { group, kind, versions, metadataOnly };
    });
  }
}

function leaseName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-');
}
