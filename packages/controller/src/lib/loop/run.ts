import { createSources, type ObjectWrite, type Sources, sleep, type Writer } from '@policy-machinery/cluster';
import { createStatusPlanner, type StatusWrite } from '@policy-machinery/policy-status';
import { DefinitionCheck } from '../definitions/definition-check.ts';
import { specContent } from '../effective/content.ts';
import type { GuaranteeKeeper } from '../guarantees/guarantee-keeper.ts';
import { writePriorities } from '../metrics/measure-writes.ts';
import type { OwnedWrite } from '../owned/owned-write.ts';
import { StatusWriter } from '../plan/status-writer.ts';
import { type HeldUpBy, heldUpBy } from '../sources/barrier.ts';
import {
  type ControllerSettings,
  createFinalizerWrites,
  createGuaranteeWrites,
  createOwnedWrites,
  createStatusWrites,
  plannerOptionsOf,
} from './controller-parts.ts';
import type { Parts } from './parts.ts';
import { Reconciler } from './reconciler.ts';
import { repeat } from './repeat.ts';
import { type Role, roleOf } from './role.ts';
import { Rounds } from './rounds.ts';
import { toEach } from './telemetry.ts';

/** The shortest and longest pause between two rounds, in milliseconds. Changes that happen meanwhile are handled together. */
const shortestPause = 50;
const longestPause = 1000;

/** How often all statuses are planned again, so that nothing that was missed stays missed. In milliseconds. */
const planStatusesEvery = 600_000;

/** What a controller has only while it runs: its sources, its lease, its writers and its rounds. */
export class Run {
  readonly sources: Sources;
  readonly role: Role;
  readonly ownedWriter: Pick<Writer<OwnedWrite>, 'write' | 'cancel' | 'stop'> | undefined;
  readonly finalizerWriter: Pick<Writer<ObjectWrite>, 'write' | 'cancel' | 'stop'> | undefined;
  readonly guaranteeWriter: Pick<Writer<ObjectWrite>, 'write' | 'cancel' | 'stop'> | undefined;
  readonly reconciler: Reconciler;
  readonly rounds: Rounds;
  readonly #settings: ControllerSettings;
  readonly #parts: Parts;
  readonly #guarantees: GuaranteeKeeper | undefined;
  readonly #writer: Writer<StatusWrite>;
  #toldLeading = false;
  /** Aborts when this process may no longer call. */
  #term = new AbortController();

  /** Begins to watch, and to ask for the lease. */
  constructor(settings: ControllerSettings, parts: Parts, guarantees: GuaranteeKeeper | undefined) {
    const { clock, random, reporter, telemetry, relistAfter } = settings;
    this.#settings = settings;
    this.#parts = parts;
    this.#guarantees = guarantees;
    const connection = telemetry.measured(settings.connection);
    this.role = roleOf(settings, connection);
    const observer = toEach(reporter.observer, telemetry.observer);
    this.sources = createSources(connection, parts.kinds, { clock, random, observer, relistAfter });
    const { sources } = this;
    const { gate } = this.role;
    const planAgain = (write: StatusWrite) => {
      this.reconciler.planAgain(write);
      this.rounds.runSoon();
    };
    this.#writer = createStatusWrites(settings, { connection, sources, gate, planAgain });
    const lookAgain = (write: OwnedWrite) => {
      parts.owned.lookAgain(write);
      this.rounds.runSoon();
    };
    const owned = createOwnedWrites(settings, { connection, sources, gate, planAgain: lookAgain });
    this.ownedWriter = owned && this.#sent(owned);
    const finalizers = createFinalizerWrites(settings, {
      connection,
      sources,
      gate,
      planAgain: (write) => {
        parts.finalizers?.lookAgain(write);
        this.rounds.runSoon();
      },
    });
    this.finalizerWriter = finalizers && this.#sent(finalizers);
    const conditions = createGuaranteeWrites(settings, {
      connection,
      sources,
      gate,
      planAgain: () => this.rounds.runSoon(),
    });
    this.guaranteeWriter = conditions && this.#sent(conditions);
    this.reconciler = this.#createReconciler();
    this.rounds = new Rounds({
      clock,
      reconcile: (changes) => telemetry.round(() => this.reconciler.reconcile(changes)),
      onFailure: (error, retryIn) => reporter.failed(error, retryIn),
    });
  }

  /** Whether this process does what only one may do. */
  get isLeader(): boolean {
    return this.role.isLeader;
  }

  /** The number of writes of statuses that wait, by priority. */
  get queue(): readonly number[] {
    return writePriorities.map((priority) => this.#writer.queuedAt(priority));
  }

  /** The kinds that hold the controller up; none once it has planned. */
  get heldUpBy(): readonly HeldUpBy[] {
    if (this.reconciler.isOpen) return [];
    return heldUpBy(this.#parts.kinds, this.sources.states, this.#settings.kinds);
  }

  /** Handles changes until the signal aborts; then finishes what is under way, waits for the last writes, and lets go of the lease. */
  async untilAborted(signal: AbortSignal | undefined): Promise<void> {
    const { clock, random, reporter, telemetry } = this.#settings;
    const { sources, role, rounds, reconciler } = this;
    const { kinds, quarantine } = this.#parts;
    const contexts = () => reconciler.contexts;
    const quarantined = () => quarantine.objects;
    const guarantees = () => this.#guarantees?.readings() ?? [];
    const lease = role.gate && { isHeld: () => role.isLeader };
    telemetry.observe({ sources, kinds, writer: this.#writer, lease, contexts, quarantined, guarantees });
    const stopListening = role.onChange((acts) => {
      this.#followRole(acts);
      if (acts) void rounds.run();
    });
    const stopPlanning = repeat({ clock, random, every: planStatusesEvery }, () => {
      reconciler.planStatusesNext();
      void rounds.run();
    });
    const stop = () => sources.close();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    reporter.started();
    if (role.gate === undefined) this.#tellLeading(true);
    try {
      await this.#follow(signal);
    } finally {
      stopListening();
      stopPlanning();
      signal?.removeEventListener('abort', stop);
      await this.#end();
    }
  }

  async #end(): Promise<void> {
    const { drain, reporter, telemetry } = this.#settings;
    this.#term.abort(new Error('the controller stops'));
    this.#tellLeading(false);
    await this.rounds.idle();
    const left = await this.#writer.stop({ within: drain });
    await this.ownedWriter?.stop({ within: drain });
    await this.finalizerWriter?.stop({ within: drain });
    await this.guaranteeWriter?.stop({ within: drain });
    this.rounds.close();
    await Promise.all(this.#parts.callbacks.map((callback) => callback.idle()));
    await this.sources[Symbol.asyncDispose]();
    await this.role.release();
    await reporter.stopped(left);
    telemetry.stop();
  }

  /** Handles the changes of the sources, until they are closed. */
  async #follow(signal: AbortSignal | undefined): Promise<void> {
    const { clock } = this.#settings;
    for await (const changes of this.sources) {
      const began = clock.monotonic();
      await this.rounds.run(changes);
      const took = clock.monotonic() - began;
      const pause = Math.min(longestPause, Math.max(shortestPause, took));
      await sleep(clock, Math.max(pause, this.rounds.retryIn), signal);
    }
  }

  #followRole(acts: boolean): void {
    const { reporter, telemetry, shards } = this.#settings;
    if (shards === undefined) reporter.leading(acts);
    telemetry.leading(acts);
    this.#tellLeading(this.isLeader);
    if (acts) {
      this.reconciler.planEverythingNext(); // Another process has written meanwhile.
      if (shards !== undefined) this.reconciler.tellEverythingNext();
    } else if (!this.#callsAlways) {
      this.#parts.owned.forget();
      this.#parts.finalizers?.forget();
      this.#term.abort(new Error('this process is no longer the leader'));
      this.#term = new AbortController();
    }
  }

  /** Returns a writer that makes writes, or only logs them. */
  #sent<W extends ObjectWrite>(writer: Writer<W>): Pick<Writer<W>, 'write' | 'cancel' | 'stop'> {
    const { dryRun, reporter } = this.#settings;
    if (dryRun !== true) return writer;
    return { write: (write) => reporter.notWritten(write), cancel() {}, stop: (options) => writer.stop(options) };
  }

  /** Whether this process calls `onEffective` also if it is not the leader. */
  get #callsAlways(): boolean {
    return this.#settings.callOn === 'every-replica' || this.#settings.shards !== undefined;
  }

  #tellLeading(isLeader: boolean): void {
    const { onLeading, reporter } = this.#settings;
    if (isLeader === this.#toldLeading) return;
    this.#toldLeading = isLeader;
    try {
      onLeading?.(isLeader);
    } catch (error) {
      reporter.callFailed('onLeading', error);
    }
  }

  #createReconciler(): Reconciler {
    const { connection, policyKinds, clock, reporter, telemetry, contentOf = specContent } = this.#settings;
    const { topology, views, intake, watches, owned, finalizers, callbacks, feedback } = this.#parts;
    const definitions = new DefinitionCheck({ connection, policyKinds, log: reporter.log });
    const statuses = new StatusWriter({
      views: views.all,
      planner: createStatusPlanner(views.all, {
        ...plannerOptionsOf(this.#settings),
        unprogrammed: feedback.unprogrammed,
        answersFor: (object) => this.role.answersFor(object),
      }),
      writer: this.#sent(this.#writer),
      onRefused: (it) => reporter.refused(it),
      telemetry,
      monotonic: () => clock.monotonic(),
    });
    return new Reconciler({
      topology,
      views: views.all,
      intake,
      definitions,
      watches,
      owned,
      finalizers,
      reconsider: (policies) => views.reconsider(policies),
      statuses,
      callbacks,
      guarantees: this.#guarantees,
      contentOf,
      clock,
      reporter,
      telemetry,
      heldUpBy: () => this.heldUpBy,
      acts: () => this.role.acts,
      isLeader: () => this.isLeader,
      onLoaded: () => this.role.ready(),
      callsAlways: this.#callsAlways,
      term: () => this.#term.signal,
    });
  }
}
