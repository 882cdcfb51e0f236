import { PolicyMachineryError } from '@policy-machinery/resource';
import type { Topology, TopologyChange, TopologyDelta, TopologyTrial } from '@policy-machinery/topology';
import type { EffectivePolicies } from './effective-policies.ts';
import type { ComputeOptions } from './effective-policies-options.ts';
import type { EffectiveDelta } from './follow/effective-delta.ts';

type View = EffectivePolicies<unknown>;

/** The effects of a change while it is tried. */
export interface Tried<Effective> {
  /** The effective policies with the change, in the order of those that the trial was created for. */
  readonly effective: Effective;
  /** The effects of the change on the topology. */
  readonly delta: TopologyDelta;
  /** The effects on these effective policies, in the same order. */
  readonly changes: readonly EffectiveDelta[];
}

/**
 * Tries changes on the effective policies of a second topology with the same resources, and takes them back.
 *
 * Created with {@link createTrial}.
 */
export class Trial<Effective extends View | readonly View[] = View | readonly View[]> {
  /** The effective policies that the trial was created for. They never show a change that is tried. */
  readonly effective: Effective;
  readonly #trial: TopologyTrial;
  readonly #live: readonly View[];
  /** The followers of the effective policies; fewer before the first trial. */
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

  /** Whether the second topology has all changes of the first one, so that the next trial costs O(affected targets). */
  get isUpToDate(): boolean {
    return this.#trial.isUpToDate && this.#followers.length === this.#live.length;
  }

  /**
   * Computes the data of trials in slices: the second topology, and the effective policies of both. Otherwise the first trial does so, and blocks the
   * event loop meanwhile.
   *
   * @param options The size of a slice, in targets or resources.
   * @returns A generator that computes a slice each time you ask for the next value. You can change the topology, and try changes, in between.
   * @example
   * ```ts
   * for (const _ of trial.compute()) await setImmediate(); // Of node:timers/promises.
   * ```
   */
  *compute(options?: ComputeOptions): Generator<void, void, void> {
    yield* this.#trial.followInSlices(options);
    for (const view of this.#live) yield* view.compute(options);
    while (this.#addFollower()) yield; // This has read its policies.
    for (const { tried } of this.#followers) yield* tried.compute(options);
  }

  /** Adds the follower of the next effective policies. Returns whether there was one left. */
  #addFollower(): boolean {
    const next = this.#live[this.#followers.length];
    if (next !== undefined) this.#followers.push(new Follower(next, this.#trial.topology));
    return next !== undefined;
  }

  /**
   * Tries a change: applies the change, calls a function with its effects, and takes the change back, even if the function throws.
   *
   * The result of `ask` must not depend on the change: specs, origins and locators stay unchanged, but targets and paths of `effective` are as
   * before the change when this method returns.
   *
   * @param change A change, as for `apply` of a topology.
   * @param ask The function, which is called once. It must not return a promise, because the change is taken back when it returns.
   * @returns The result of `ask`. O(affected targets), after O(changes of the topology after the last trial).
   * @throws {PolicyMachineryError} Errors of `apply` of a topology throws; `nested-trial` if `ask` tries another change; `asynchronous-trial` if `ask`
   * returns a promise.
   * @throws Errors of `ask`.
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

/** The effective policies of the second topology that follow the first topology's. */
class Follower {
  readonly tried: View;
  readonly #live: View;
  #reconsidered: number;

  constructor(live: View, topology: Topology) {
    this.#live = live;
    this.tried = live.in(topology);
    this.#reconsidered = this.tried.followReconsidered(live, Number.POSITIVE_INFINITY);
  }

  /** Follows all changes, and forgets them. */
  follow(): void {
    this.#reconsidered = this.tried.followReconsidered(this.#live, this.#reconsidered);
    this.tried.takeChanges();
  }
}

/**
 * Creates a trial, for many questions about changes that are not applied, such as the questions of an admission webhook. A trial keeps a second topology
 * and its effective policies in memory, about as much as the first ones. For a single question, use `in` of effective policies with `with` of
 * their topology.
 *
 * @param effective The effective policies of one kind, or of several of the same topology.
 * @returns The trial, which follows them.
 * @throws {PolicyMachineryError} `different-topologies` if they belong to several topologies, or there are none.
 * @example
 * ```ts
 * const trial = createTrial(effective);
 * const cart = 'httproute.gateway.networking.k8s.io:shop/cart';
 * const specs = trial.of({ remove: [policyRef] }, (tried) => tried.effective.of(cart).map(({ spec }) => spec));
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
