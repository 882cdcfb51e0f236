import type { TargetNode } from '@policy-machinery/topology';
import type { ScopeOutcome } from '../reasons/policy-share.ts';
import { emptySet } from '../support/nothing.ts';
import type { AffectedTarget } from './affected.ts';
import { affectedTarget } from './affected-target.ts';
import { groupsIn } from './scope-groups.ts';
import type { ViewOptions, ViewState } from './view-state.ts';

/** The queries about effective policies that only statuses and reviews need. They follow the topology. */
export class StatusQueries<Spec> {
  /** Whether replicas of the controller share the cluster, by `only`. */
  readonly isShared: boolean;
  readonly #state: () => ViewState<Spec>;
  readonly #trafficFrom: string | undefined;

  constructor(state: () => ViewState<Spec>, { trafficFrom, only }: ViewOptions) {
    this.#state = state;
    this.#trafficFrom = trafficFrom;
    this.isShared = only !== undefined;
  }

  /** The effective targets without effective policies, because they have too many contexts. The first query finds all contexts. */
  get leftOut(): readonly TargetNode[] {
    return this.#state().contexts.leftOut;
  }

  /**
   * Returns the first targets that are {@link leftOut} at or below a target, or in a namespace: at most six, in order. O(positions below) for the
   * first query after a change, then usually O(1).
   */
  leftOutBelow(target: TargetNode): readonly TargetNode[] {
    return this.#state().leftOutBelow(target);
  }

  /**
   * Returns whether a policy, by its locator, is ignored on a target that it is attached to, because the policies established before it reach
   * `maxPolicies`, or leave too few of `maxFields`.
   */
  isSurplus(policy: string, target: TargetNode): boolean {
    return this.#state().levels.surplusAt(target).has(policy);
  }

  /**
   * Returns a target with the policies attached to it that affect it, without policies attached above. The first query searches all contexts; later
   * ones are O(scopes of these policies).
   */
  affectingFrom(target: TargetNode): AffectedTarget<Spec> {
    const state = this.#state();
    return affectedTarget(state, target, state.affected.attachedTo(target));
  }

  /**
   * Returns the outcomes of a policy in its scopes, each once; none for a policy without scopes. The first query merges all contexts; later ones are
   * O(1).
   *
   * @param policy The policy's locator.
   */
  outcomesOf(policy: string): ReadonlySet<ScopeOutcome> {
    const state = this.#state();
    if (state.levels.policy(policy) === undefined) return emptySet;
    if (!state.topology.hasUndecidedLinks) return state.scopes.outcomesOf(policy);
    const groups = groupsIn(state, policy, this.#trafficFrom);
    return new Set(groups.map(({ share, undecidedLink }) => (undecidedLink ? 'undecided' : share.outcome)));
  }

  /**
   * Returns whether a path leads to a target. A target that needs a parent and does not have one is not reached, nor are targets that only follow
   * from such a target. O(links above) at first.
   */
  isReached(target: TargetNode): boolean {
    return this.#state().contexts.isReached(target);
  }

  /** Returns whether an object counts for the controller, whichever of its replicas is responsible: by `ours`. */
  isOurs(target: TargetNode): boolean {
    return this.#state().ours.has(target.object);
  }

  /** Returns whether paths may lead to an object, by `ours` and `only`. */
  includes(target: TargetNode): boolean {
    return this.#state().included.has(target.object);
  }
}
