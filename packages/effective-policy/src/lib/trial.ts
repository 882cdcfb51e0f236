import { PolicyMachineryError } from '@policy-machinery/resource';
import type { Topology, TopologyChange, TopologyDelta, TopologyTrial } from '@policy-machinery/topology';
import type { EffectivePolicies } from './effective-policies.ts';
import type { ComputeOptions } from './effective-policies-options.ts';
import type { EffectiveDelta } from './follow/effective-delta.ts';

type View = EffectivePolicies<unknown>;

/** What a change would do, while it is tried. */
export interface Tried<Effective> {
  /** The effective policies as the change would make them: one for each that the trial was made for, in their order. */
  readonly effective: Effective;
  /** What the change would do to the topology. */
  readonly delta: TopologyDelta;
  /** What it would do to these effective policies, in the same order. */
  readonly changes: readonly EffectiveDelta[];
}

/**
 * Tries changes on effective policies of a second topology of the same resources, and takes them back.
 *
 * Made with {@link createTrial}.
 */
export class Trial<Effective extends View | readonly View[] = View | readonly View[]> {
  /** The effective policies for which the trial was made. They never show a change that is tried. */
  readonly effective: Effective;
  readonly #trial: TopologyTrial;
  readonly #live: readonly View[];
  /** One for each of the effective policies; fewer before these have been asked for. */
  readonly #followers: Follower[] = [];

  private constructor(effective: Effective) {
    this.effective = effective;
    this.#live = viewsIn(effective);
    this.#trial = topologyOf(this.#live).trial();
  }

  /** @internal Use {@link createTrial}. */
  static make<Effective extends View | readonly View[]>(effective: Effective): Trial<Effective> {
    return new Trial(effective);
  }

  /** Whether the second topology has all changes of the first one, so that the next trial costs only what its change touches. */
  get isUpToDate(): boolean {
    return this.#trial.isUpToDate && this.#followers.length === this.#live.length;
  }

  /**
   * Computes all that trials need: the second topology, and the effective policies of both. Without this, the first trial does that, and blocks the
   * event loop for as long.
   *
   * @param options How much is computed at once: so many targets, or resources.
   * @returns A generator that computes a little more each time you ask for the next value. You can change the topology, and try changes, in
   * between.
   * @example
   * ```ts
   * for (const _ of trial.compute()) await setImmediate(); // Of node:timers/promises.
   * ```
   */
  *compute(options?: ComputeOptions): Generator<void, void, void> {
    yield* this.#trial.followInSlices(options);
    for (const view of this.#live) yield* view.compute(options);
    while (this.#addFollower()) yield; // Its policies have been read.
    for (const { tried } of this.#followers) yield* tried.compute(options);
  }

  /** Makes the effective policies of the next kind follow. Returns whether there was one left. */
  #addFollower(): boolean {
    const next = this.#live[this.#followers.length];
    if (next !== undefined) this.#followers.push(new Follower(next, this.#trial.topology));
    return next !== undefined;
  }

  /**
   * Tries a change: applies it, asks a question about what it makes of the effective policies, and takes it back, also when the question throws.
   *
   * What `ask` returns must not depend on the change any more: specs, origins and locators stay as they are, but targets and paths of
   * `effective` are as before the change when this has returned.
   *
   * @param change As for `apply` of a topology.
   * @param ask Is called once. It must not return a promise, because the change is taken back when it returns.
   * @returns What `ask` returns. O(what the change touches), after O(what has changed in the topology since the last trial).
   * @throws {PolicyMachineryError} As `apply` of a topology; `nested-trial`, when `ask` tries another change; `asynchronous-trial`, when `ask`
   * returns a promise.
   * @throws What `ask` throws.
   */
  of<Result>(change: TopologyChange, ask: (tried: Tried<Effective>) => Result): Result {
    for (const _ of this.#trial.followInSlices({ size: Number.POSITIVE_INFINITY }));
    while (this.#addFollower());
    for (const follower of this.#followers) follower.follow();
    return this.#trial.of(change, (delta) => {
      const views = this.#followers.map(({ tried }) => tried);
      const changes = views.map((view) => view.takeChanges());
      return ask({ effective: (isList(this.effective) ? views : views[0]) as Effective, delta, changes });
    });
  }
}

/** Effective policies of the second topology, which follow others. */
class Follower {
  readonly tried: View;
  readonly #live: View;
  #reconsidered: number;

  constructor(live: View, topology: Topology) {
    this.#live = live;
    this.tried = live.in(topology);
    this.#reconsidered = this.tried.followReconsidered(live, Number.POSITIVE_INFINITY);
  }

  /** Takes in what has changed, and forgets that. */
  follow(): void {
    this.#reconsidered = this.tried.followReconsidered(this.#live, this.#reconsidered);
    this.tried.askForAllTraffic();
    this.tried.takeChanges();
  }
}

/**
 * Creates a trial: for many questions about changes that are not made, such as those of an admission webhook. It keeps a second topology and its
 * effective policies in memory, which is about as much again as the first ones take. For a single question, use `in` of effective policies with
 * `with` of their topology.
 *
 * @param effective The effective policies of one kind, or of several of the same topology.
 * @returns The trial, which follows them.
 * @throws {PolicyMachineryError} `different-topologies`, when they are of more than one topology, or there are none.
 * @example
 * ```ts
 * const trial = createTrial(effective);
 * const specs = trial.of({ remove: [policy] }, ({ effective, changes: [{ targets }] }) => targets.map((it) => effective.of(it)));
 * ```
 */
export function createTrial<Effective extends View | readonly View[]>(effective: Effective): Trial<Effective> {
  return Trial.make(effective);
}

function isList(effective: View | readonly View[]): effective is readonly View[] {
  return Array.isArray(effective);
}

function viewsIn(effective: View | readonly View[]): readonly View[] {
  return isList(effective) ? effective : [effective];
}

function topologyOf(views: readonly View[]): Topology {
  const topologies = new Set(views.map(({ topology }) => topology));
  const [first] = topologies;
  if (first !== undefined && topologies.size === 1) return first;
  throw new PolicyMachineryError('different-topologies', 'Give effective policies of exactly one topology');
}
