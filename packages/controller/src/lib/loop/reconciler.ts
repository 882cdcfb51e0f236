import { setImmediate } from 'node:timers/promises';
import type { SourceChanges, Sources } from '@policy-machinery/cluster';
import { sleep } from '@policy-machinery/cluster/inner';
import { type GroupKind, locatorOf } from '@policy-machinery/resource';
import { DefinitionCheck } from '../definitions/definition-check.ts';
import { specContent, withOtherContent } from '../effective/content.ts';
import { type HeldUpBy, heldUpBy } from '../sources/barrier.ts';
import { Intake } from '../sources/intake.ts';
import type { Assembly } from './assembly.ts';
import type { Outputs } from './outputs.ts';
import type { Role } from './role.ts';
import type { ControllerSettings } from './settings.ts';

/** How long a round waits for the data plane before it plans statuses, in milliseconds. */
const longestWait = 1000;

/** The parts of a controller that a round works with. */
export interface ReconcilerContext extends Assembly, Outputs {
  readonly sources: Pick<Sources, 'states'>;
  readonly role: Role;
}

/** Takes changes of the cluster into the topology, plans the statuses that follow from them, and passes effective policies on. */
export class Reconciler {
  readonly #settings: ControllerSettings;
  readonly #context: ReconcilerContext;
  readonly #intake: Intake;
  readonly #definitions: DefinitionCheck;
  /** Aborts when this process may no longer call. */
  #term = new AbortController();
  #isOpen = false;
  #hasLoaded = false;
  /** Whether everything has been planned, so that the next plan is about changes only. */
  #isPlanned = false;
  /** Whether the next round plans all statuses, and passes changes on as usual. */
  #plansStatuses = false;
  /** Why the data plane of a process that always calls is told everything next; `undefined` if news are enough. */
  #everything: 'start' | 'takeover' | undefined = 'start';
  /** Whether effective policies are up to date, so that a look at them computes nothing. */
  #isFresh = false;
  #contexts: ReadonlyMap<GroupKind, number> = new Map();
  /** The objects with changed content, which is news for the targets below. */
  readonly #otherContent = new Set<string>();

  constructor(settings: ControllerSettings, context: ReconcilerContext) {
    const { connection, policyKinds, reporter } = settings;
    this.#settings = settings;
    this.#context = context;
    this.#intake = new Intake(context.topology, context.quarantine);
    this.#definitions = new DefinitionCheck({ connection, policyKinds, log: reporter.log });
  }

  /** Whether all kinds are known, so that plans are made. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The kinds that hold the controller up; none once it has planned. */
  get heldUpBy(): readonly HeldUpBy[] {
    const { kinds, sources } = this.#context;
    return this.#isOpen ? [] : heldUpBy(kinds, sources.states, this.#settings.kinds);
  }

  /** Returns the number of effective policies of each kind after the last round that has computed them. O(contexts) once after each round. */
  get contexts(): ReadonlyMap<GroupKind, number> {
    if (!this.#isFresh) return this.#contexts;
    this.#isFresh = false;
    this.#contexts = new Map(this.#context.views.all.map((view) => [view.kind, countOf(view)]));
    return this.#contexts;
  }

  /** Takes that this process begins or ceases to act, or answers for other objects. */
  followRole(acts: boolean): void {
    if (acts) {
      this.#isPlanned = false; // Another process has written meanwhile.
      if (this.#settings.shards !== undefined) this.#everything ??= 'takeover';
    } else if (!this.#callsAlways) {
      this.#context.owned.forget();
      this.#context.finalizers?.forget();
      this.stopCalls('this process has lost the lease');
      this.#term = new AbortController();
    }
  }

  /** Aborts the calls under way. None begins after them. */
  stopCalls(reason: string): void {
    this.#term.abort(new Error(reason));
  }

  /** Whether this process calls `onEffective` also if it does not act. */
  get #callsAlways(): boolean {
    return this.#settings.callOn === 'every-replica' || this.#settings.shards !== undefined;
  }

  /** Sees to it that all statuses are planned in the next round. Effective policies that have not changed are not passed on again. */
  planStatusesNext(): void {
    this.#plansStatuses = true;
  }

  /**
   * Runs a round. If it rejects, call it again: the next round takes the remaining changes, and plans everything.
   *
   * @param changes The changes. Without these, the round takes the remaining changes, and repeats the plans
   * that are due.
   */
  async reconcile(changes: SourceChanges): Promise<void> {
    this.#isFresh = false;
    try {
      await this.#take(changes);
      if (!this.#isOpen) return;
      await this.#act();
      this.#isFresh = true;
      if (this.#hasLoaded) return;
      this.#hasLoaded = true;
      this.#settings.reporter.loaded();
      this.#context.role.ready();
    } catch (error) {
      this.#isPlanned = false;
      this.#everything = 'start';
      throw error;
    }
  }

  async #take(changes: SourceChanges): Promise<void> {
    const { reporter, telemetry, contentOf = specContent } = this.#settings;
    const { topology, watches, views, guarantees, owned, finalizers, callbacks } = this.#context;
    reporter.states(changes.states);
    this.#definitions.take(changes.states);
    const { policies, targets } = watches.take(changes);
    guarantees?.take(changes);
    const changed = [...changes.upsert.map((it) => locatorOf(it)), ...changes.remove];
    owned.changed(changed);
    const ending = finalizers?.changed(changed) ?? [];
    views.reconsider(policies);
    for (const callback of callbacks) callback.requeue([...targets, ...ending]);
    if (this.#isOpen && callbacks.length > 0) {
      const onFailure = (locator: string, error: unknown) =>
        reporter.failedFor(locator, 'contentOf threw an error; the object counts as changed', error);
      const others = withOtherContent(topology, changes.upsert, contentOf, onFailure);
      for (const locator of others) this.#otherContent.add(locator);
    }
    await telemetry.measure('apply', () => this.#intake.apply(changes));
    if (this.#isOpen || this.heldUpBy.length > 0) return;
    this.#isOpen = true;
    reporter.opened(topology);
  }

  /** Plans and passes on the changes. A standby process only keeps its effective policies up to date, so that it can take over at once. */
  async #act(): Promise<void> {
    const { telemetry } = this.#settings;
    const { views, statuses, role, owned, finalizers, guarantees } = this.#context;
    await telemetry.measure('refresh', async () => {
      for (const view of views.all) for (const _ of view.compute()) await setImmediate();
    });
    const isActing = role.isHeld();
    const isEverything = !isActing || !this.#isPlanned;
    const plansAll = isEverything || this.#plansStatuses;
    if (plansAll) statuses.startOver();
    if (isActing) {
      this.#isPlanned = true; // Before the plan: if the lease changes meanwhile, another plan is needed.
      this.#plansStatuses = false;
    }
    await this.#tell(isActing, isEverything);
    if (!isActing) {
      finalizers?.forget();
      return;
    }
    owned.plan(plansAll);
    finalizers?.plan(plansAll);
    if (role.isLeader) guarantees?.update(isEverything);
    await telemetry.measure('plan', () => statuses.plan());
  }

  /** Passes the changes on, if this process calls. */
  async #tell(isActing: boolean, isEverything: boolean): Promise<void> {
    const { callbacks } = this.#context;
    if (this.#callsAlways) {
      const everything = this.#everything;
      this.#everything = undefined;
      await this.#call(everything);
    } else if (isActing) await this.#call(isEverything ? 'takeover' : undefined);
    else {
      this.#otherContent.clear(); // The first call of this process has all targets.
      for (const callback of callbacks) callback.standBy();
    }
  }

  /** Passes the changes on, and waits a moment for the answer, so that statuses do not contain a statement that is wrong a moment later. */
  async #call(everything: 'start' | 'takeover' | undefined): Promise<void> {
    const { callbacks } = this.#context;
    for (const locator of this.#otherContent) for (const callback of callbacks) callback.requeueBelow(locator);
    this.#otherContent.clear();
    for (const callback of callbacks) for (const _ of callback.takeChanges(everything)) await setImmediate();
    for (const callback of callbacks) callback.start(this.#term.signal);
    const calling = callbacks.filter(({ isCalling }) => isCalling);
    if (calling.length === 0) return;
    const done = new AbortController();
    const attempts = Promise.all(calling.map((callback) => callback.attempted()));
    await Promise.race([attempts, sleep(this.#settings.clock, longestWait, done.signal)]);
    done.abort();
  }
}

function countOf(view: Iterable<unknown>): number {
  let count = 0;
  for (const _ of view) count += 1;
  return count;
}
