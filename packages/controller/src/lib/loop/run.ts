import { createSources, type Sources } from '@policy-machinery/cluster';
import { sleep } from '@policy-machinery/cluster/inner';
import type { GuaranteeLibrary } from '../guarantees/guarantee-library.ts';
import { writePriorities } from '../metrics/measure-writes.ts';
import { toEach } from '../metrics/telemetry.ts';
import type { Assembly } from './assembly.ts';
import { createOutputs, type Outputs } from './outputs.ts';
import { Reconciler } from './reconciler.ts';
import { repeat } from './repeat.ts';
import { Role } from './role.ts';
import type { ControllerSettings } from './settings.ts';
import { StopDeadline } from './stop-deadline.ts';

/** The shortest and longest pause between two rounds, in milliseconds. Changes that happen meanwhile are handled together. */
const shortestPause = 50;
const longestPause = 1000;

/** How long a stop may take to release the lease after its deadline, in milliseconds. */
const longestRelease = 10_000;

/** How often all statuses are planned again, so that nothing that was missed stays missed. In milliseconds. */
const planStatusesEvery = 600_000;

/** The run of a controller: from its first request until it has released its lease. */
export class Run {
  readonly role: Role;
  readonly sources: Sources;
  readonly outputs: Outputs;
  readonly reconciler: Reconciler;
  readonly #settings: ControllerSettings;
  readonly #assembly: Assembly;
  #toldLeading = false;

  /**
   * Begins to watch, and to ask for the lease.
   *
   * @param library The package that verifies guarantees; `undefined` if nothing is verified.
   */
  constructor(settings: ControllerSettings, assembly: Assembly, library: GuaranteeLibrary | undefined) {
    const { clock, random, reporter, telemetry, relistAfter } = settings;
    this.#settings = settings;
    this.#assembly = assembly;
    const connection = telemetry.measured(settings.connection);
    this.role = new Role(settings, connection);
    const observer = toEach(reporter.observer, telemetry.observer);
    this.sources = createSources(connection, assembly.kinds, { clock, random, observer, relistAfter });
    assembly.watches.readFrom(this.sources);
    const { role, sources } = this;
    this.outputs = createOutputs(settings, assembly, { connection, sources, role, library });
    this.reconciler = new Reconciler(settings, { ...assembly, ...this.outputs, sources, role });
    assembly.rounds.start((changes) => telemetry.round(() => this.reconciler.reconcile(changes)));
  }

  /** The number of writes of statuses that wait, by priority. */
  get queue(): readonly number[] {
    return writePriorities.map((priority) => this.outputs.writes.statuses.queuedAt(priority));
  }

  /** Handles changes until the signal aborts; then finishes the current work, waits for the last writes, and releases the lease. */
  async untilAborted(signal: AbortSignal | undefined): Promise<void> {
    const { clock, random, reporter, drain } = this.#settings;
    const { rounds } = this.#assembly;
    this.#observe();
    const stopListening = this.role.onChange((acts) => {
      this.#followRole(acts);
      if (acts) void rounds.run();
    });
    const stopPlanning = repeat({ clock, random, every: planStatusesEvery }, () => {
      this.reconciler.planStatusesNext();
      void rounds.run();
    });
    const deadline = new StopDeadline(clock, drain);
    const stop = () => {
      deadline.start();
      this.sources.close();
    };
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    reporter.started();
    if (this.role.gate === undefined) this.#tellLeading(true);
    try {
      await deadline.until(this.#follow(signal));
    } finally {
      stopListening();
      stopPlanning();
      signal?.removeEventListener('abort', stop);
      await this.#end(deadline);
    }
  }

  /** Shows the state of the run in metrics. */
  #observe(): void {
    const { sources, role } = this;
    const { kinds, quarantine } = this.#assembly;
    const { writes, guarantees } = this.outputs;
    this.#settings.telemetry.observe({
      sources,
      kinds,
      writer: writes.statuses,
      lease: role.gate && { isHeld: () => role.isLeader },
      contexts: () => this.reconciler.contexts,
      quarantined: () => quarantine.objects,
      guarantees: () => guarantees?.readings() ?? [],
    });
  }

  /** Finishes the current work until the deadline, and then releases the lease, whatever still hangs. */
  async #end(deadline: StopDeadline): Promise<void> {
    const { reporter, telemetry } = this.#settings;
    const { rounds } = this.#assembly;
    const { callbacks, writes } = this.outputs;
    deadline.start();
    this.reconciler.stopCalls('the controller stops');
    this.#tellLeading(false);
    await deadline.until(rounds.idle());
    const calls = Promise.all(callbacks.map((callback) => callback.idle()));
    const unsent = await writes.stop(deadline.left);
    rounds.close();
    await deadline.until(calls);
    for (const callback of callbacks) callback.close();
    await this.sources[Symbol.asyncDispose]();
    await this.#release();
    await deadline.until(reporter.stopped(unsent));
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
    const { rounds } = this.#assembly;
    for await (const changes of this.sources) {
      const began = clock.monotonic();
      await rounds.run(changes);
      const took = clock.monotonic() - began;
      const pause = Math.min(longestPause, Math.max(shortestPause, took));
      await sleep(clock, Math.max(pause, rounds.retryIn), signal);
    }
  }

  #followRole(acts: boolean): void {
    const { reporter, telemetry, shards } = this.#settings;
    if (shards === undefined) reporter.leading(acts);
    telemetry.leading(acts);
    this.#tellLeading(this.role.isLeader);
    this.reconciler.followRole(acts);
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
}
