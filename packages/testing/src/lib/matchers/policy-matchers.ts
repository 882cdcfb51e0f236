import type { PolicyOutcome } from '@policy-machinery/conditions';
import { toHaveCondition } from './condition.ts';
import { type EffectiveSpecOptions, toHaveEffectiveSpec } from './effective-spec.ts';
import type { NamedPolicy, NamedTarget } from './names.ts';
import { toHaveOrigin } from './origin.ts';
import { toHaveOutcome } from './outcome.ts';
import { toPlanNothing } from './plan.ts';
import { type TestedRequest, toMeet } from './request.ts';

/** Matchers of `expect(…)` for policies. */
export interface PolicyMatchers<Result = void> {
  /**
   * Asserts the effective spec of a target, in all selected contexts. For `effectivePolicies(…)`.
   *
   * @param target A locator, a reference, an object, or an object and the name of its section.
   * @param spec The spec, which may have `expect.objectContaining(…)` and the like in it.
   * @param options `via`: only on paths that lead through a target, such as a listener.
   */
  toHaveEffectiveSpec(target: NamedTarget, spec: unknown, options?: EffectiveSpecOptions): Result;
  /**
   * Asserts that one policy has set a field. For one effective policy or several, such as `effective.of(target)`.
   *
   * @param pointer JSON Pointer to the field, from the root of the spec.
   * @param policy `namespace/name`, a locator, or the object.
   */
  toHaveOrigin(pointer: string, policy: NamedPolicy): Result;
  /** Asserts the outcome of a policy over all its scopes. For `effectivePolicies(…)`. */
  toHaveOutcome(policy: NamedPolicy, outcome: PolicyOutcome): Result;
  /** Asserts that there is nothing to write, and that nothing is refused. For `planStatus(…)`. */
  toPlanNothing(): Result;
  /**
   * Of an object: its status has a condition with this status and, if given, this reason. If ancestors, parents or listeners have
   * the condition, each of them has it so.
   */
  toHaveCondition(type: string, status: 'True' | 'False' | 'Unknown', reason?: string): Result;
  /**
   * Asserts that exactly these policies set the effective policy of a request on each of its paths. For `effectivePolicies(…)`.
   *
   * @param request The request, and the Gateway that it arrives at (`gateway`; default: each) or the namespace of a client in a mesh (`client`).
   * @param policies `namespace/name`, locators, or the objects, in any order.
   */
  toMeet(request: TestedRequest, policies: readonly NamedPolicy[]): Result;
}

/**
 * The matchers, for `expect.extend` of vitest or jest.
 *
 * @example
 * ```ts
 * import { policyMatchers } from '@policy-machinery/testing/vitest';
 * import { expect } from 'vitest';
 *
 * expect.extend(policyMatchers);
 * expect(effective).toHaveEffectiveSpec(route, { request: '1s' }, { via: [gateway, 'https'] });
 * ```
 */
export const policyMatchers = {
  /** See {@link PolicyMatchers.toHaveEffectiveSpec}. */
  toHaveEffectiveSpec,
  /** See {@link PolicyMatchers.toHaveOrigin}. */
  toHaveOrigin,
  /** See {@link PolicyMatchers.toHaveOutcome}. */
  toHaveOutcome,
  /** See {@link PolicyMatchers.toPlanNothing}. */
  toPlanNothing,
  /** See {@link PolicyMatchers.toHaveCondition}. */
  toHaveCondition,
  /** See {@link PolicyMatchers.toMeet}. */
  toMeet,
};
