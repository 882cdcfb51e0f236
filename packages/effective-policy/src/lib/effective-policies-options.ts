import type { TargetNode } from '@policy-machinery/topology';
import type { JudgePolicy } from './levels/verdict.ts';

/** Limits of the computation, the traffic that it is for, and what the controller itself finds of policies. */
export interface EffectivePoliciesOptions<Spec = unknown> {
  /**
   * How many contexts, distinct in their policies, one target may have: 256 and 64 for each link into it, but at most so many. One with more
   * is left out, with all below it, and reported among the issues. Default 10,000.
   */
  readonly maxContexts?: number;
  /**
   * How many policies of the kind may be attached to one target. Those established first count, whatever their number of targets; of the others
   * nothing counts there, and the target is reported among the issues. A target in a context in which more than twice as many meet is left out as
   * one with too many contexts is. Default 50.
   */
  readonly maxPolicies?: number;
  /**
   * How many fields the policies of the kind on one target may have together. Counted are those that a strategy of the kind merges one by one:
   * a list that is replaced whole counts once, and specs that are merged by Atomic count nothing. A policy that brings more than are left does
   * not count there, as with {@link maxPolicies}, and in one context twice as many may meet. Default 1,000.
   */
  readonly maxFields?: number;
  /**
   * The namespace that traffic comes from. Policies that reach into other namespaces as consumers count only for traffic
   * from their own (T-11). Default: traffic from elsewhere, for which they do not count.
   */
  readonly trafficFrom?: string;
  /**
   * Which objects paths may lead to, or through: what is only below others has no contexts, and nothing is computed or reported of it. For
   * controllers with one GatewayClass, and for replicas that share a cluster by Gateway. Is asked about objects of every kind, so return
   * `true` for those that you do not choose among; what it returns may depend on the object and on what is above it. An object for which it
   * throws does not count. Default: all.
   *
   * @example
   * ```ts
   * const ours = effectivePolicies(topology, TimeoutPolicy, {
   *   only: ({ kind, resource }) => kind !== Gateway || specOf(resource).gatewayClassName === 'example',
   * });
   * ```
   */
  readonly only?: (object: TargetNode) => boolean;
  /**
   * What the controller finds of a valid policy that it cannot put in force, such as one whose Secret does not exist: with a verdict, the
   * policy holds nothing, and its status says so. Is asked once for each version of a policy, and again by
   * `reconsider`. A policy for which it throws is left out, and is among the issues. Default: nothing.
   */
  readonly verdict?: JudgePolicy<Spec>;
}

/** How effective policies are computed in pieces. */
export interface ComputeOptions {
  /** How many targets are computed at once. Default 16. */
  readonly size?: number;
}
