import { setImmediate } from 'node:timers/promises';
import { type Clock, type SourceChanges, sleep } from '@policy-machinery/cluster';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { StatusWrite } from '@policy-machinery/policy-status';
import { type GroupKind, locatorOf } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import type { DefinitionCheck } from '../definitions/definition-check.ts';
import { type ContentOf, withOtherContent } from '../effective/content.ts';
import type { EffectiveCallback } from '../effective/effective-callback.ts';
import type { Finalizers } from '../finalizers/finalizers.ts';
import type { GuaranteeKeeper } from '../guarantees/guarantee-keeper.ts';
import type { OwnedObjects } from '../owned/owned-objects.ts';
import type { StatusWriter } from '../plan/status-writer.ts';
import type { HeldUpBy } from '../sources/barrier.ts';
import type { Intake } from '../sources/intake.ts';
import type { Watches } from '../watches/watches.ts';
import type { Reporter } from './reporter.ts';
import type { Telemetry } from './telemetry.ts';

/** How long a round waits for the data plane before it plans statuses, in milliseconds. */
const longestWait = 1000;

/** The dependencies of a reconciler. */
export interface ReconcilerContext {
  readonly topology: Topology;
  readonly views: readonly EffectivePolicies<unknown>[];
  readonly intake: Intake;
  readonly definitions: DefinitionCheck;
  readonly watches: Watches;
  readonly owned: OwnedObjects;
  /** `undefined` without a finalizer. */
  readonly finalizers: Finalizers | undefined;
  /** Asks for the verdicts on some policies again, by locator, or on all. */
  readonly reconsider: (policies: readonly string[] | 'all') => void;
  readonly statuses: StatusWriter;
  /** One for each view; none without `onEffective`. */
  readonly callbacks: readonly EffectiveCallback[];
  /** `undefined` if nothing is verified. */
  readonly guarantees: GuaranteeKeeper | undefined;
  readonly reporter: Reporter;
  readonly telemetry: Telemetry;
  /** Returns the part of a target object that counts for `onEffective`. */
  readonly contentOf: ContentOf;
  readonly clock: Clock;
  /** Returns the kinds without which no conclusion is safe. */
  readonly heldUpBy: () => readonly HeldUpBy[];
  /** Whether this process writes. */
  readonly acts: () => boolean;
  /** Whether this process does what only one may do. */
  readonly isLeader: () => boolean;
  /** Called when everything is known and computed. */
  readonly onLoaded: () => void;
  /** Whether this process calls, whether or not it writes. */
  readonly callsAlways: boolean;
  /** Returns the signal that aborts when this process may no longer call. */
  readonly term: () => AbortSignal;
}

/** Takes changes of the cluster into the topology, plans the statuses that follow from them, and passes effective policies on. */
export class Reconciler {
  readonly #context: ReconcilerContext;
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
  /** The objects whose content has changed, which is news for the targets below. */
  readonly #otherContent = new Set<string>();

  constructor(context: ReconcilerContext) {
    this.#context = context;
  }

  /** Whether all kinds are known, so that plans are made. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns the number of effective policies of each kind after the last round that has computed them. O(contexts) once after each round. */
  get contexts(): ReadonlyMap<GroupKind, number> {
    if (!this.#isFresh) return this.#contexts;
    this.#isFresh = false;
    this.#contexts = new Map(this.#context.views.map((view) => [view.kind, countOf(view)]));
    return this.#contexts;
  }

  /** Sees to it that everything is planned in the next round: others may have written, or a plan was not finished. */
  planEverythingNext(): void {
    this.#isPlanned = false;
  }

  /** Sees to it that the data plane is told everything in the next round: this process answers for other objects. */
  tellEverythingNext(): void {
    this.#everything ??= 'takeover';
  }

  /** Sees to it that all statuses are planned in the next round. Effective policies that have not changed are not passed on again. */
  planStatusesNext(): void {
    this.#plansStatuses = true;
  }

  /** Plans a write again in the next round, since the API server has another version of its object. */
  planAgain(write: StatusWrite): void {
    this.#context.statuses.planAgain(write);
  }

  /** Plans the statuses of policies again in the next round, since the answer of the data plane has changed. */
  lookAgain(policies: readonly string[]): void {
    this.#context.statuses.lookAgain(policies);
  }

  /**
   * Runs a round. If it rejects, call it again: the next round takes what is left, and plans everything.
   *
   * @param changes The changes. Without these, the round takes what was left, and plans again what must be.
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
      this.#context.reporter.loaded();
      this.#context.onLoaded();
    } catch (error) {
      this.#isPlanned = false;
      this.#everything = 'start';
      throw error;
    }
  }

  async #take(changes: SourceChanges): Promise<void> {
    const { reporter, telemetry, intake, topology, heldUpBy, watches, reconsider, callbacks, contentOf, definitions } =
      this.#context;
    reporter.states(changes.states);
    definitions.take(changes.states);
    const { policies, targets } = watches.take(changes);
    this.#context.guarantees?.take(changes);
    const changed = [...changes.upsert.map((it) => locatorOf(it)), ...changes.remove];
    this.#context.owned.changed(changed);
    const ending = this.#context.finalizers?.changed(changed) ?? [];
    reconsider(policies);
    for (const callback of callbacks) callback.requeue([...targets, ...ending]);
    if (this.#isOpen && callbacks.length > 0) {
      const onFailure = (locator: string, error: unknown) =>
        reporter.failedFor(locator, 'contentOf has thrown; the object counts as changed', error);
      const others = withOtherContent(topology, changes.upsert, contentOf, onFailure);
      for (const locator of others) this.#otherContent.add(locator);
    }
    await telemetry.measure('apply', () => intake.apply(changes));
    if (this.#isOpen || heldUpBy().length > 0) return;
    this.#isOpen = true;
    reporter.opened(topology);
  }

  /** Plans and passes on the changes. A standby process only keeps its effective policies up to date, so that it can take over at once. */
  async #act(): Promise<void> {
    const { views, statuses, telemetry, acts, isLeader, owned, finalizers, guarantees } = this.#context;
    await telemetry.measure('refresh', async () => {
      for (const view of views) for (const _ of view.compute()) await setImmediate();
    });
    const isActing = acts();
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
    if (isLeader()) guarantees?.update(isEverything);
    await telemetry.measure('plan', () => statuses.plan());
  }

  /** Passes the changes on, if this process calls. */
  async #tell(isActing: boolean, isEverything: boolean): Promise<void> {
    const { callbacks, callsAlways } = this.#context;
    if (callsAlways) {
      const everything = this.#everything;
      this.#everything = undefined;
      await this.#call(everything);
    } else if (isActing) await this.#call(isEverything ? 'takeover' : undefined);
    else {
      this.#otherContent.clear(); // The first call of this process has all targets.
      for (const callback of callbacks) callback.standBy();
    }
  }

  /** Passes the changes on, and waits a moment for the answer, so that statuses do not say what is known a moment later to be wrong. */
  async #call(everything: 'start' | 'takeover' | undefined): Promise<void> {
    const { callbacks, term, clock } = this.#context;
    for (const locator of this.#otherContent) for (const callback of callbacks) callback.requeueBelow(locator);
    this.#otherContent.clear();
    for (const callback of callbacks) for (const _ of callback.takeChanges(everything)) await setImmediate();
    for (const callback of callbacks) callback.start(term());
    const calling = callbacks.filter(({ isCalling }) => isCalling);
    if (calling.length === 0) return;
    const done = new AbortController();
    const attempts = Promise.all(calling.map((callback) => callback.attempted()));
    await Promise.race([attempts, sleep(clock, longestWait, done.signal)]);
    done.abort();
  }
}

function countOf(view: Iterable<unknown>): number {
  let count = 0;
  for (const _ of view) count += 1;
  return count;
}
