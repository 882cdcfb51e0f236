import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { type EffectivePoliciesInput, topologyOf, viewsIn } from '../effective-policies-input.ts';
import type { StatusWrite } from '../status/status-write.ts';
import { Backlog, nextSlice } from './backlog.ts';
import { completenessOf } from './completeness.ts';
import { type PlanSettings, type PlanSliceOptions, type StatusPlannerOptions, settingsOf } from './plan-options.ts';
import { planWork } from './plan-work.ts';
import { SentWrites, type WrittenObject } from './sent-writes.ts';
import type { StatusPlan, StatusPlanSlice } from './status-plan.ts';

/**
 * Plans statuses for as long as a controller runs: first everything, then changes. A write is planned again until you report that
 * the API server has accepted it.
 *
 * Made with {@link createStatusPlanner}.
 */
export class StatusPlanner {
  readonly #topology: Topology;
  readonly #views: readonly EffectivePolicies<unknown>[];
  readonly #settings: Omit<PlanSettings, 'now'>;
  readonly #now: () => Date;
  readonly #isRepeatedUntilDone: boolean;
  readonly #backlogs: readonly Backlog[];
  readonly #sent = new SentWrites();
  /** Locators of policies and objects to look at again: with writes that have failed, or that the API server is not known to have accepted. */
  #open = new Set<string>();
  /**
   * Locators with writes due to the first plan rather than to a change: not yet planned, or planned and not yet accepted, and not changed
   * in the meantime.
   */
  readonly #first = new Set<string>();

  private constructor(
    effective: EffectivePoliciesInput,
    { now, repeat = 'until-done', ...options }: StatusPlannerOptions,
  ) {
    this.#views = viewsIn(effective);
    this.#topology = topologyOf(this.#views);
    this.#settings = settingsOf(options);
    this.#now = now;
    this.#isRepeatedUntilDone = repeat === 'until-done';
    this.#backlogs = this.#views.map((view) => new Backlog(view));
  }

  /** @internal Use {@link createStatusPlanner}. */
  static make(effective: EffectivePoliciesInput, options: StatusPlannerOptions): StatusPlanner {
    return new StatusPlanner(effective, options);
  }

  /**
   * Plans the writes that are due: first everything, then everything that changes of the topology touch, and earlier writes that are not
   * {@link done}. No write is planned for an object with a request that has {@link started}, and the same write is not planned again before the
   * topology shows the object as written. Statuses that depend on kinds that are not listed yet are planned once these are.
   *
   * @returns The writes that `planStatus` would plan, without these. O(contexts + targets) at first, then O(objects that have changed or are not
   * done, and the contexts of the policies among these).
   */
  plan(): StatusPlan {
    const missing = this.#addOpen();
    const slices: StatusPlanSlice[] = [];
    for (let slice = this.#planSlice(unlimited); slice !== undefined; slice = this.#planSlice(unlimited))
      slices.push(slice);
    return {
      writes: slices.flatMap(({ writes }) => writes),
      refused: slices.flatMap(({ refused }) => refused),
      ...missing,
    };
  }

  /**
   * Does the same as {@link plan}, in slices, so that you can do other work between them: the first plan of a large cluster blocks the event loop
   * for a long time. The slices together have the writes of one plan: first those to policies, then those to other objects. The inputs of the
   * plan are computed in slices, too; these slices are plans without writes.
   *
   * You can change the topology and report writes in between: changes are planned with the slices that are left, also for policies and objects
   * that have been planned already.
   *
   * @param options The size of a slice.
   * @returns A generator that plans a slice each time you ask for the next value. It ends when nothing is due. If you stop earlier, the rest is
   * planned the next time.
   * @example
   * ```ts
   * for (const { writes } of planner.planInSlices()) {
   *   queue.push(...writes);
   *   await setImmediate(); // Of node:timers/promises.
   * }
   * ```
   */
  *planInSlices({ size = 8 }: PlanSliceOptions = {}): Generator<StatusPlanSlice, void, void> {
    const missing = this.#addOpen();
    if (missing.incomplete !== undefined) yield { ...emptySlice, ...missing };
    for (;;) {
      for (const view of completenessOf(this.#views).complete) {
        for (const _ of view.compute()) yield emptySlice;
      }
      const plan = this.#planSlice(size);
      if (plan === undefined) return;
      yield plan;
    }
  }

  /** Adds the objects to check again. Returns the kinds that are not listed yet. */
  #addOpen(): Pick<StatusPlan, 'incomplete'> {
    const { complete, missing } = completenessOf(this.#views);
    const open = [...this.#open, ...this.#sent.locators];
    for (const backlog of this.#backlogs) if (complete.has(backlog.view) && !backlog.isNew) backlog.add(open);
    if (missing.incomplete === undefined) this.#open.clear();
    return missing;
  }

  /** Plans the next slice; `undefined` if nothing is due. */
  #planSlice(size: number): StatusPlanSlice | undefined {
    const settings: PlanSettings = { ...this.#settings, now: this.#now() };
    this.#sent.forgetShown(this.#resourceAt);
    const { complete, missing } = completenessOf(this.#views);
    const backlogs = this.#backlogs.filter(({ view }) => complete.has(view));
    for (const backlog of backlogs) {
      const { isNew } = backlog;
      for (const locator of backlog.collect()) isNew ? this.#first.add(locator) : this.#first.delete(locator);
    }
    const work = nextSlice(backlogs, size);
    if (work === undefined) return undefined;
    const plan = planWork(work, this.#topology, this.#views, settings);
    const written = new Set(plan.writes.map(({ locator }) => locator));
    for (const [index, { scope }] of work.entries()) {
      backlogs[index]?.remove(scope);
      for (const locator of [...scope.policies, ...scope.affectedObjects])
        if (!written.has(locator)) this.#first.delete(locator);
    }
    if (this.#isRepeatedUntilDone) for (const locator of written) this.#open.add(locator);
    const scope = work.map((it) => it.scope.asChanges(it.view));
    return { ...plan, writes: this.#writesToSend(plan), scope, ...missing };
  }

  /**
   * Forgets all plans: the next plan is about everything, like the first one. Use this where another process may have written, such as the
   * leader before this process. Call it now and then while that process writes, so that changes do not pile up.
   */
  startOver(): void {
    for (const backlog of this.#backlogs) backlog.startOver();
    this.#open.clear();
    this.#first.clear();
  }

  /** Returns the writes of a plan without those that have been sent. */
  #writesToSend({ writes }: StatusPlan): readonly StatusWrite[] {
    return writes.map((write) => this.#remembered(write)).filter((write) => !this.#sent.covers(write));
  }

  /** Remembers the object of a planned write, and returns the write with its urgency. */
  #remembered(planned: StatusWrite): StatusWrite {
    const { locator } = planned;
    const write: StatusWrite = this.#first.has(locator) ? { ...planned, urgency: 'first-plan' } : planned;
    const resource = this.#resourceAt(locator);
    if (resource !== undefined) this.#sent.planned(write, resource);
    return write;
  }

  /**
   * Reports that a write is being sent. Until it is {@link done} or {@link failed}, no write is planned for its object, so there is one
   * request for each object at a time. You need not call this if you wait for all requests before the next plan.
   *
   * @param write One of the writes of a plan.
   * @throws {PolicyMachineryError} `unknown-write` if another planner has planned the write.
   */
  started(write: StatusWrite): void {
    this.#sent.started(write);
  }

  /**
   * Reports that the API server has accepted a write. The same write is not planned again until the topology shows the object as written,
   * or a newer version.
   *
   * @param write One of the writes of a plan.
   * @param result The response of the API server. Its resource version identifies watch events that are older than the write; without it,
   * any other version of the object counts as newer.
   * @throws {PolicyMachineryError} `unknown-write` if another planner has planned the write.
   */
  done(write: StatusWrite, result?: WrittenObject): void {
    this.#sent.done(write, result);
    this.#open.add(write.locator);
    this.#first.delete(write.locator);
  }

  /**
   * Reports that the API server has not accepted a write: the next plan covers the object again, in its newest version.
   *
   * @param write One of the writes of a plan.
   * @throws {PolicyMachineryError} `unknown-write` if another planner has planned the write.
   */
  failed(write: StatusWrite): void {
    this.#sent.failed(write);
    this.#open.add(write.locator);
  }

  /**
   * Has the next plan look at some policies or objects again, because something has changed that your `conditions` or `unprogrammed` depend on.
   *
   * @param locators Their locators. Unknown ones are ignored.
   */
  lookAgain(locators: Iterable<string>): void {
    for (const locator of locators) this.#open.add(locator);
  }

  readonly #resourceAt = (locator: string): KubernetesObject | undefined =>
    (this.#topology.policy(locator) ?? this.#topology.get(locator))?.resource;
}

/** The size of a slice with everything that is left: of policies first, then of objects. */
const unlimited = Number.POSITIVE_INFINITY;

const emptySlice: StatusPlanSlice = { writes: [], refused: [], scope: [] };

/**
 * Creates a status planner that remembers its plans: for controllers, where writes fail and watches are late. For a single plan,
 * `planStatus` is enough.
 *
 * @param effective The effective policies of one kind, or of several of the same topology. Others may read their changes as well.
 * @param options The controller, a clock, and how statuses are written.
 * @returns The planner.
 * @throws {PolicyMachineryError} `different-topologies`, if they belong to several topologies, or there are none;
 * `invalid-controller-name`.
 * @example
 * ```ts
 * const planner = createStatusPlanner(effective, { controllerName: 'example.com/timeouts', now: () => new Date() });
 * for (const write of planner.plan().writes) {
 *   try {
 *     planner.done(write, await send(write));
 *   } catch {
 *     planner.failed(write); // The next plan has it again.
 *   }
 * }
 * ```
 */
export function createStatusPlanner(effective: EffectivePoliciesInput, options: StatusPlannerOptions): StatusPlanner {
  return StatusPlanner.make(effective, options);
}
