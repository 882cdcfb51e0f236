import type { EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import type { TargetFailure } from './target-failure.ts';

/** The effective policies of all kinds of a controller. */
export interface KindViews {
  readonly all: readonly EffectivePolicies<unknown>[];
  of<Spec>(kind: PolicyKind<Spec>): EffectivePolicies<Spec>;
}

/**
 * The unit of configuration of a data plane:
 * - `ancestor`: each Gateway, or other ancestor of the policy kinds, has its own configuration for a target below it.
 * - `target`: one configuration of a target serves all that lead to it.
 */
export type ConfigurationUnit = 'ancestor' | 'target';

/** A target as one data plane is configured with it: below one Gateway, for example. */
export interface TargetContext {
  /** Names the context, the same after a restart: the locator of the target, and the locator of the data plane if it is another object. */
  readonly key: string;
  /** The locator of the target. */
  readonly target: string;
  /** The object that runs the data plane, such as a Gateway or a waypoint; the target itself for the unit `target`. */
  readonly dataPlane: TargetNode;
  /**
   * Returns the effective policy of a kind here, as up to date as the call.
   *
   * @returns The effective policy; `undefined` if no policy of the kind applies.
   * @throws {PolicyMachineryError} `several-effective-policies`, if two with different specs apply; `unknown-kind`.
   */
  policy<Spec>(kind: PolicyKind<Spec>): EffectivePolicy<Spec> | undefined;
  /**
   * Returns that the data plane has not taken the target here, for the result of `onEffective`.
   *
   * @param message The problem, for the owners of the policies.
   * @param retryIn After how many milliseconds to call again. Default: after longer and longer pauses.
   */
  failed(message: string, retryIn?: number): TargetFailure;
}

/** Returns the contexts of a target, in the order of their data planes. O(contexts of the target). */
export function contextsOf(target: string, views: KindViews, unit: ConfigurationUnit): readonly TargetContext[] {
  const dataPlanes = new Map<string, TargetNode>();
  for (const view of views.all) {
    for (const context of view.of(target)) {
      for (const object of unit === 'target' ? [context.target] : context.dataPlanes)
        dataPlanes.set(object.locator, object);
    }
  }
  const sorted = [...dataPlanes.values()].sort((a, b) => (a.locator < b.locator ? -1 : 1));
  return sorted.map((dataPlane) => contextAt(target, dataPlane, views, unit));
}

function contextAt(target: string, dataPlane: TargetNode, views: KindViews, unit: ConfigurationUnit): TargetContext {
  const isWhole = unit === 'target';
  return {
    key: keyOf(target, dataPlane),
    target,
    dataPlane,
    policy<Spec>(kind: PolicyKind<Spec>) {
      return views.of(kind).exactlyOne(target, isWhole ? undefined : dataPlane);
    },
    failed(message, retryIn) {
      const failure = { target, message, ...(retryIn === undefined ? {} : { retryIn }) };
      return isWhole ? failure : { ...failure, dataPlane: dataPlane.locator };
    },
  };
}

function keyOf(target: string, { locator }: TargetNode): string {
  return target === locator || target.startsWith(`${locator}#`) ? target : `${target} below ${locator}`;
}

/** Returns the locator of the target in the key of a context. Locators do not have spaces. */
export function targetIn(key: string): string {
  const end = key.indexOf(' ');
  return end < 0 ? key : key.slice(0, end);
}
