import { createSources, type Sources, sleep } from '@policy-machinery/cluster';
import { createStatusPlanner } from '@policy-machinery/policy-status';
import { DefinitionCheck } from '../definitions/definition-check.ts';
import { specContent } from '../effective/content.ts';
import type { GuaranteeKeeper } from '../guarantees/guarantee-keeper.ts';
import { writePriorities } from '../metrics/measure-writes.ts';
import { StatusWriter } from '../plan/status-writer.ts';
import { type HeldUpBy, heldUpBy } from '../sources/barrier.ts';
import { type ControllerSettings, plannerOptionsOf } from './controller-parts.ts';
import type { Parts } from './parts.ts';
import { Reconciler } from './reconciler.ts';
import { repeat } from './repeat.ts';
import { type Role, roleOf } from './role.ts';
import { Rounds } from './rounds.ts';
import { StopDeadline } from './stop-deadline.ts';
import { toEach } from './telemetry.ts';
import { createWrites, type Writes } from './writes.ts';

/** The shortest and longest pause between two rounds, in milliseconds. Changes that happen meanwhile are handled together. */
const shortestPause = 50;
const longestPause = 1000;

/** How long a stop may take to release the lease after its deadline, in milliseconds. */
const longestRelease = 10_000;

/** How often all statuses are planned again, so that nothing that was missed stays missed. In milliseconds. */
const planStatusesEvery = 600_000;

/** What a controller has only while it runs: its sources, its lease, its writers and its rounds. */
export class Run {
  readonly sources: Sources;
  readonly role: Role;
  readonly writes: Writes;
  readonly reconciler: Reconciler;
  readonly rounds: Rounds;
  readonly #settings: ControllerSettings;
  readonly #parts: Parts;
  readonly #guarantees: GuaranteeKeeper | undefined;
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
    const soon =
      <W>(planAgain: (write: W) => void) =>
      (write: W) => {
        planAgain(write);
        this.rounds.runSoon();
      };
    this.writes = createWrites(settings, {
      connection,
      sources,
      gate: this.role.gate,
      planAgain: {
        status: soon((write) => this.reconciler.planAgain(write)),
        owned: soon((write) => parts.owned.lookAgain(write)),
        finalizer: soon((write) => parts.finalizers?.lookAgain(write)),
        guarantee: soon(() => {}),
      },
    });
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
    return writePriorities.map((priority) => this.writes.statuses.queuedAt(priority));
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
    telemetry.observe({ sources, kinds, writer: this.writes.statuses, lease, contexts, quarantined, guarantees });
    const stopListening = role.onChange((acts) => {
      this.#followRole(acts);
      if (acts) void rounds.run();
    });
    const stopPlanning = repeat({ clock, random, every: planStatusesEvery }, () => {
      reconciler.planStatusesNext();
      void rounds.run();
    });
    const deadline = new StopDeadline(clock, this.#settings.drain);
    const stop = () => {
      deadline.start();
      sources.close();
    };
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    reporter.started();
    if (role.gate === undefined) this.#tellLeading(true);
    try {
      await deadline.until(this.#follow(signal));
    } finally {
      stopListening();
      stopPlanning();
      signal?.removeEventListener('abort', stop);
      await this.#end(deadline);
    }
  }

  /** Finishes what is under way until the deadline, and lets go of the lease then, whatever still hangs. */
  async #end(deadline: StopDeadline): Promise<void> {
    const { reporter, telemetry } = this.#settings;
    deadline.start();
    this.#term.abort(new Error('the controller stops'));
    this.#tellLeading(false);
    await deadline.until(this.rounds.idle());
    const calls = Promise.all(this.#parts.callbacks.map((callback) => callback.idle()));
    const left = await this.writes.writer.stop({ within: deadline.left });
    this.rounds.close();
    await deadline.until(calls);
    for (const callback of this.#parts.callbacks) callback.close();
    await this.sources[Symbol.asyncDispose]();
    await this.#release();
    await deadline.until(reporter.stopped(left));
    reporter.close();
    deadline.clear();
    telemetry.stop();
  }

  /** Lets go of the lease, as far as that is possible within the grace period. */
  async #release(): Promise<void> {
    const patience = new StopDeadline(this.#settings.clock, longestRelease);
    patience.start();
    await patience.until(this.role.release());
    patience.clear();
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
      writer: this.writes.statuses,
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
