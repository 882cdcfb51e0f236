import {
  createSources,
  type Lease,
  type Sources,
  sleep,
  type WatchedKind,
  type Writer,
} from '@policy-machinery/cluster';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import { createStatusPlanner, type StatusWrite } from '@policy-machinery/policy-status';
import { PolicyMachineryError } from '@policy-machinery/resource';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { specContent } from '../effective/content.ts';
import { type CallbackContext, EffectiveCallback } from '../effective/effective-callback.ts';
import { Feedback } from '../effective/feedback.ts';
import { Views } from '../kinds/views.ts';
import { OwnedObjects } from '../owned/owned-objects.ts';
import { marksOf, type OwnedWrite } from '../owned/owned-write.ts';
import { StatusWriter } from '../plan/status-writer.ts';
import { type Probes, startProbes } from '../probes/start-probes.ts';
import { type HeldUpBy, heldUpBy } from '../sources/barrier.ts';
import { Intake } from '../sources/intake.ts';
import { Quarantine, type QuarantinedObject } from '../sources/quarantine.ts';
import type { ObjectReader } from '../watches/watch.ts';
import { Watches } from '../watches/watches.ts';
import {
  type ControllerSettings,
  createLease,
  createOwnedWrites,
  createStatusWrites,
  plannerOptionsOf,
  watchedKinds,
} from './controller-parts.ts';
import { probesOf } from './controller-probes.ts';
import { Reconciler } from './reconciler.ts';
import { repeat } from './repeat.ts';
import { Rounds } from './rounds.ts';
import { toEach } from './telemetry.ts';

/** The shortest and longest pause between two rounds, in milliseconds. Changes that happen meanwhile are handled together. */
const shortestPause = 50;
const longestPause = 1000;

/** How often all statuses are planned again, so that nothing that was missed stays missed. In milliseconds. */
const planStatusesEvery = 600_000;

/** A policy controller. Made with `createPolicyController`. */
export class PolicyController {
  /** The resources of the cluster, kept up to date while the controller runs. Change nothing. */
  readonly topology: Topology;
  readonly #settings: ControllerSettings;
  /** All kinds that are watched. */
  readonly #kinds: readonly WatchedKind[];
  readonly #watches: Watches;
  readonly #views: Views;
  readonly #quarantine: Quarantine;
  readonly #intake: Intake;
  readonly #callbacks: readonly EffectiveCallback[];
  readonly #feedback = new Feedback();
  readonly #owned: OwnedObjects;
  #ownedWriter: Writer<OwnedWrite> | undefined;
  #sources: Sources | undefined;
  #lease: Lease | undefined;
  #reconciler: Reconciler | undefined;
  #rounds: Rounds | undefined;
  /** Aborts when this process ceases to lead. */
  #term = new AbortController();
  #hasStarted = false;

  private constructor(settings: ControllerSettings) {
    const { targetKinds, policyKinds, onEffective, reporter, watches = [] } = settings;
    this.#settings = settings;
    this.topology = createTopology({ targetKinds, policyKinds: policyKinds.map(({ policyKind }) => policyKind) });
    this.#kinds = watchedKinds(this.topology, settings);
    const sources = () => this.#sources;
    const onFailure = (locator: string, error: unknown) => reporter.mappingFailed(locator, error);
    this.#watches = new Watches({ watches, others: this.#kinds, sources, onFailure });
    const readerFor = (policy: Policy<unknown>) => this.#watches.readerFor(policy);
    const onReconsider = () => this.#rounds?.runSoon();
    this.#views = new Views({ ...settings, topology: this.topology, readerFor, onReconsider });
    this.#owned = new OwnedObjects({
      kinds: settings.owns ?? [],
      marks: marksOf(settings.name),
      topology: this.topology,
      isInUse: (target) => this.#views.applyTo(target),
      sources,
      writer: () => this.#ownedWriter,
    });
    this.#quarantine = new Quarantine((added) => reporter.quarantined(added));
    this.#intake = new Intake(this.topology, this.#quarantine);
    this.#callbacks =
      onEffective === undefined ? [] : this.#views.all.map((view) => this.#callbackFor(view, onEffective));
  }

  #callbackFor(view: EffectivePolicies<unknown>, onEffective: CallbackContext['onEffective']): EffectiveCallback {
    const { reporter, clock } = this.#settings;
    return new EffectiveCallback({
      view,
      onEffective,
      tools: {
        effective: (kind) => this.effective(kind),
        objects: this.objects,
        apply: (target, objects) => this.#owned.apply(target, objects),
      },
      onGone: (targets) => this.#owned.released(targets),
      onFeedback: (feedback) => {
        const policies = this.#feedback.take(view, feedback);
        if (policies.length === 0) return;
        this.#reconciler?.lookAgain(policies);
        this.#rounds?.runSoon();
      },
      onDue: () => this.#rounds?.runSoon(),
      log: reporter.log,
      clock,
    });
  }

  /** @internal Use `createPolicyController`. */
  static make(settings: ControllerSettings): PolicyController {
    return new PolicyController(settings);
  }

  /**
   * Returns the effective policies of a kind, kept up to date while the controller runs. Call their `reconsider` when something has changed that
   * your verdicts depend on: statuses follow, and `onEffective` is called.
   *
   * @throws {PolicyMachineryError} `unknown-kind`, if the controller has no such kind.
   */
  effective<Spec>(kind: PolicyKind<Spec>): EffectivePolicies<Spec> {
    return this.#views.of(kind);
  }

  /** Reads all objects that the controller watches, as they are now. */
  get objects(): ObjectReader {
    return this.#watches.reader;
  }

  /** Whether this process writes statuses and calls `onEffective`. */
  get isLeader(): boolean {
    return this.#reconciler !== undefined && (this.#lease?.isHeld() ?? true);
  }

  /**
   * Whether all objects of all kinds are known, so that answers from `topology` and `effective` are complete; also in a replica that is not the
   * leader. Once it is so, it stays so.
   */
  get isSynced(): boolean {
    return this.#reconciler?.isOpen === true;
  }

  /** The kinds that hold the controller up; none once it has planned. Before that, nothing is written, and `onEffective` is not called. */
  get heldUpBy(): readonly HeldUpBy[] {
    if (this.#reconciler?.isOpen === true) return [];
    return heldUpBy(this.#kinds, this.#sources?.states ?? new Map(), this.#settings.kinds);
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
    this.#hasStarted = true;
    const { clock, random, drain, reporter, telemetry } = this.#settings;
    const connection = telemetry.measured(this.#settings.connection);
    const probes = await this.#startProbes();
    const lease = createLease(this.#settings, connection);
    this.#lease = lease;
    const observer = toEach(reporter.observer, telemetry.observer);
    const kinds = this.#kinds;
    const sources = createSources(connection, kinds, { clock, random, observer });
    this.#sources = sources;
    const planAgain = (write: StatusWrite) => {
      reconciler.planAgain(write);
      rounds.runSoon();
    };
    const writer = createStatusWrites(this.#settings, { connection, sources, lease, planAgain });
    const ownedWriter = createOwnedWrites(this.#settings, {
      connection,
      sources,
      lease,
      planAgain: (write) => {
        this.#owned.lookAgain(write);
        rounds.runSoon();
      },
    });
    this.#ownedWriter = ownedWriter;
    const reconciler = this.#reconcilerFor(writer);
    this.#reconciler = reconciler;
    const rounds = new Rounds({
      clock,
      reconcile: (changes) => telemetry.round(() => reconciler.reconcile(changes)),
      onFailure: (error, retryIn) => reporter.failed(error, retryIn),
    });
    this.#rounds = rounds;
    const contexts = () => reconciler.contexts;
    telemetry.observe({ sources, kinds, writer, lease, contexts, quarantined: () => this.quarantined });
    const stopListening = lease?.onChange((isHeld) => {
      this.#followLease(isHeld);
      if (isHeld) void rounds.run();
    });
    const stopPlanning = repeat({ clock, random, every: planStatusesEvery }, () => {
      reconciler.planStatusesNext();
      void rounds.run();
    });
    const stop = () => sources.close();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    reporter.started();
    try {
      await this.#follow(sources, rounds, signal);
    } finally {
      stopListening?.();
      stopPlanning();
      signal?.removeEventListener('abort', stop);
      this.#term.abort(new Error('the controller stops'));
      await rounds.idle();
      const left = await writer.stop({ within: drain });
      await ownedWriter?.stop({ within: drain });
      rounds.close();
      await Promise.all(this.#callbacks.map((callback) => callback.idle()));
      await sources[Symbol.asyncDispose]();
      await lease?.release();
      await reporter.stopped(left);
      telemetry.stop();
      await probes?.close();
    }
  }

  /** Handles the changes of the sources, until they are closed. */
  async #follow(sources: Sources, rounds: Rounds, signal: AbortSignal | undefined): Promise<void> {
    const { clock } = this.#settings;
    for await (const changes of sources) {
      const began = clock.monotonic();
      await rounds.run(changes);
      const took = clock.monotonic() - began;
      const pause = Math.min(longestPause, Math.max(shortestPause, took));
      await sleep(clock, Math.max(pause, rounds.retryIn), signal);
    }
  }

  #followLease(isHeld: boolean): void {
    const { reporter, telemetry } = this.#settings;
    reporter.leading(isHeld);
    telemetry.leading(isHeld);
    if (isHeld) {
      this.#reconciler?.planEverythingNext(); // Another process has written meanwhile.
    } else {
      this.#owned.forget();
      this.#term.abort(new Error('this process is no longer the leader'));
      this.#term = new AbortController();
    }
  }

  async #startProbes(): Promise<Probes | undefined> {
    const { probes, metrics } = this.#settings;
    if (probes === undefined) return undefined;
    const states = () => this.#sources?.states ?? new Map();
    const heldUpBy = () => this.heldUpBy;
    const lease = () => this.#lease;
    return startProbes(probesOf(probes, { heldUpBy, states, lease, views: this.#views.all, metrics }));
  }

  #reconcilerFor(writer: Writer<StatusWrite>): Reconciler {
    const { clock, reporter, telemetry } = this.#settings;
    const statuses = new StatusWriter({
      views: this.#views.all,
      planner: createStatusPlanner(this.#views.all, {
        ...plannerOptionsOf(this.#settings),
        unprogrammed: this.#feedback.unprogrammed,
      }),
      writer,
      onRefused: (it) => reporter.refused(it),
      telemetry,
      monotonic: () => clock.monotonic(),
    });
    return new Reconciler({
      topology: this.topology,
      views: this.#views.all,
      intake: this.#intake,
      watches: this.#watches,
      owned: this.#owned,
      reconsider: (policies) => this.#views.reconsider(policies),
      statuses,
      callbacks: this.#callbacks,
      contentOf: this.#settings.contentOf ?? specContent,
      clock,
      reporter,
      telemetry,
      heldUpBy: () => this.heldUpBy,
      isLeader: () => this.isLeader,
      term: () => this.#term.signal,
    });
  }
}
