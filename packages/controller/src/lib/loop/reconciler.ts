import { setImmediate } from 'node:timers/promises';
import type { SourceChanges } from '@policy-machinery/cluster';
import type { EffectiveChanges, EffectiveDelta, EffectivePolicies } from '@policy-machinery/effective-policy';
import type { GroupKind } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import type { EffectiveCallback } from '../effective/effective-callback.ts';
import { mergedByKind } from '../plan/merged-by-kind.ts';
import { changesOfEverything, changesOfObject } from '../plan/slices-of-changes.ts';
import type { StatusWriter } from '../plan/status-writer.ts';
import type { HeldUpBy } from '../sources/barrier.ts';
import type { Intake } from '../sources/intake.ts';
import type { Reporter } from './reporter.ts';
import type { Telemetry } from './telemetry.ts';

/** What a reconciler works with. */
export interface ReconcilerContext {
  readonly topology: Topology;
  readonly views: readonly EffectivePolicies<unknown>[];
  readonly intake: Intake;
  readonly statuses: StatusWriter;
  /** One for each view; none if nobody is called. */
  readonly callbacks: readonly EffectiveCallback[];
  readonly reporter: Reporter;
  readonly telemetry: Telemetry;
  /** Returns the kinds without which no conclusion is safe. */
  readonly heldUpBy: () => readonly HeldUpBy[];
  /** Whether this process writes and calls. */
  readonly isLeader: () => boolean;
  /** Returns the signal that aborts when this process ceases to lead. */
  readonly term: () => AbortSignal;
}

/** Takes changes of the cluster into the topology, plans the statuses that follow from them, and passes effective policies on. */
export class Reconciler {
  readonly #context: ReconcilerContext;
  readonly #readers: readonly EffectiveChanges[];
  /** Objects that must be planned again, since a write to them met another version. */
  readonly #again = new Set<string>();
  #isOpen = false;
  #isPlanned = false;
  /** Whether effective policies are up to date, so that a look at them computes nothing. */
  #isFresh = false;
  #contexts: ReadonlyMap<GroupKind, number> = new Map();

  constructor(context: ReconcilerContext) {
    this.#context = context;
    this.#readers = context.views.map((view) => view.changes());
  }

  /** Whether all kinds are known, so that plans are made. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** How many effective policies there are of each kind, after the last round that has computed them. O(contexts) once after each round. */
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

  /** Sees to it that an object is planned in the next round. Returns whether it is the first such object since the last one. */
  planNext(locator: string): boolean {
    this.#again.add(locator);
    return this.#again.size === 1;
  }

  /**
   * Runs a round. If it rejects, call it again: what it has not taken is taken then, and everything is planned.
   *
   * @param changes What has happened. None: what was left, and what must be planned again.
   */
  async reconcile(changes: SourceChanges): Promise<void> {
    this.#isFresh = false;
    try {
      await this.#take(changes);
      if (!this.#isOpen) return;
      await this.#act();
      this.#isFresh = true;
    } catch (error) {
      this.#isPlanned = false;
      throw error;
    }
  }

  async #take(changes: SourceChanges): Promise<void> {
    const { reporter, telemetry, intake, topology, heldUpBy } = this.#context;
    reporter.states(changes.states);
    await telemetry.measure('apply', () => intake.apply(changes));
    if (this.#isOpen || heldUpBy().length > 0) return;
    this.#isOpen = true;
    reporter.opened(topology);
  }

  /** Plans what has changed, and passes it on. A standby process only keeps its effective policies up to date, so that it can take over at once. */
  async #act(): Promise<void> {
    const { views, callbacks, telemetry, isLeader, term } = this.#context;
    await telemetry.measure('refresh', async () => {
      for (const view of views) for (const _ of view.compute()) await setImmediate();
    });
    if (!isLeader()) return;
    const deltas = this.#readers.map((reader) => reader.take());
    // Also before a plan of everything: what has gone while another process was the leader is in no list of what is there.
    for (const [index, delta] of deltas.entries()) callbacks[index]?.add(delta);
    await telemetry.measure('plan', () => (this.#isPlanned ? this.#planChanges(deltas) : this.#planEverything()));
    for (const callback of callbacks) callback.start(term());
  }

  async #planEverything(): Promise<void> {
    const { views, callbacks, topology, statuses } = this.#context;
    for (const [index, view] of views.entries()) {
      const targets = new Set<string>();
      for (const { target } of view) targets.add(target.locator);
      callbacks[index]?.add({ targets, policies: view.policies.map(({ node }) => node.locator) });
    }
    this.#again.clear();
    this.#isPlanned = true; // Before the plan: what happens to the lease meanwhile asks for another one.
    await statuses.plan(changesOfEverything(views, topology), true);
  }

  async #planChanges(deltas: readonly EffectiveDelta[]): Promise<void> {
    const { views, topology, statuses } = this.#context;
    const again = [...this.#again].flatMap((locator) => changesOfObject(views, locator, topology));
    this.#again.clear();
    await statuses.plan(mergedByKind([...deltas, ...again]));
  }
}

function countOf(view: Iterable<unknown>): number {
  let count = 0;
  for (const _ of view) count += 1;
  return count;
}
