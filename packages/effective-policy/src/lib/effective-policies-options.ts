import type { TargetNode } from '@policy-machinery/topology';
import type { JudgePolicy } from './levels/verdict.ts';

/** The limits of the computation, the traffic in question, and the verdicts of the controller. */
export interface EffectivePoliciesOptions<Spec = unknown> {
  /**
   * The maximum number of contexts of one target. A target can have 256 contexts, and 64 more for each link to the target, up to this number.
   * A target with more is left out, with all targets below, and reported among the issues. Default 10,000.
   */
  readonly maxContexts?: number | undefined;
  /**
   * The maximum number of policies of the kind that count on one target. Those established first count; the others are ignored on that target,
   * which is reported among the issues. A context can have twice as many policies: a target with a larger one is left out, like a target with
   * too many contexts. Default 50.
   */
  readonly maxPolicies?: number | undefined;
  /**
   * The maximum number of fields that the policies of the kind on one target have together. Only fields that a strategy of the kind merges one
   * by one are counted: a list that is replaced as a whole counts once, and specs that are merged by Atomic do not count. A policy with more
   * fields than are left is ignored on that target, as with {@link maxPolicies}. A context can have twice as many fields. Default 1,000.
   */
  readonly maxFields?: number | undefined;
  /**
   * The namespace that traffic comes from. Policies of consumers, which target objects in other namespaces, count only for traffic from their
   * own namespace. Default: other traffic, which ignores them.
   */
  readonly trafficFrom?: string | undefined;
  /**
   * Returns whether an object counts for the controller: paths may lead to it and through it. Targets that are only below other objects do not
   * have contexts: nothing is computed or reported for them. Use this in controllers of one GatewayClass. The function is called for objects of
   * every kind, so return `true` for kinds that you do not choose among; the result may depend on the object and on the objects above. If the
   * function throws for an object, the object does not count. Default: all objects count.
   *
   * @example
   * ```ts
   * const effective = effectivePolicies(topology, TimeoutPolicy, {
   *   ours: ({ kind, resource }) => kind !== Gateway || specOf(resource).gatewayClassName === 'example',
   * });
   * ```
   */
  readonly ours?: ((object: TargetNode) => boolean) | undefined;
  /**
   * Returns whether an object that is {@link ours} counts here, in one of several replicas that share a cluster by Gateway: the others are about the
   * objects that this one leaves out. Called like `ours`. Default: there is one replica.
   */
  readonly only?: ((object: TargetNode) => boolean) | undefined;
  /**
   * Returns your verdict on a valid policy that you cannot put in force, for example because its Secret does not exist; `undefined` for all
   * others. A policy with a verdict sets no field, and its status reports the verdict. The function is called once for each version of a policy,
   * and again after `reconsider`. If the function throws, the policy is left out and reported among the issues. Default: no verdicts.
   */
  readonly verdict?: JudgePolicy<Spec> | undefined;
  /** Called after each `reconsider`, so that a controller can look at the changes. Default: nothing. */
  readonly onReconsider?: (() => void) | undefined;
}

/** The options of computing effective policies in slices. */
export interface ComputeOptions {
  /** The number of targets in a slice. Default 16. */
  readonly size?: number | undefined;
}
