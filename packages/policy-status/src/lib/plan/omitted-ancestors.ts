import { ancestorLimitReached, type ConditionUpdate } from '@policy-machinery/conditions';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { TargetNode } from '@policy-machinery/topology';
import { policyName } from '../report/policy-name.ts';
import type { AncestorReport, PolicyReport } from '../report/policy-report.ts';

/** An ancestor that does not fit in the status of a policy, so a condition on the ancestor reports the policy. */
export interface OmittedAncestor {
  readonly policy: PolicyReport['policy'];
  readonly ancestorRef: AncestorReport['ancestorRef'];
}

const none: readonly never[] = [];

/** Ancestors that do not fit in the statuses of policies of one kind. */
export class OmittedAncestors {
  readonly #effective: EffectivePolicies<unknown>;
  /** By the locators of policies and of objects, because an object that was removed may return. */
  readonly #byPolicy = new Map<string, readonly string[]>();
  readonly #byObject = new Map<string, Map<string, PolicyReport['policy']>>();

  constructor(effective: EffectivePolicies<unknown>, omitted: readonly OmittedAncestor[] = []) {
    this.#effective = effective;
    this.set(omitted);
  }

  /**
   * Replaces, for some policies, the ancestors that do not fit in their statuses.
   *
   * @param policies Locators. Default: those with any.
   * @returns Locators of the ancestors that may need a status update.
   */
  set(omitted: readonly OmittedAncestor[], policies: Iterable<string> = none): ReadonlySet<string> {
    const touched = new Set<string>();
    const omittedNow = new Map<string, Map<string, PolicyReport['policy']>>();
    for (const { policy, ancestorRef } of omitted) {
      const object = this.#effective.topology.get(ancestorRef)?.object.locator;
      if (object === undefined) continue;
      const objects = omittedNow.get(policy.locator) ?? new Map<string, PolicyReport['policy']>();
      omittedNow.set(policy.locator, objects.set(object, policy));
    }
    for (const locator of new Set([...policies, ...omittedNow.keys()])) {
      const objects = omittedNow.get(locator);
      for (const object of this.#byPolicy.get(locator) ?? []) {
        if (objects?.has(object) === true) continue;
        touched.add(object);
        const policiesAt = this.#byObject.get(object);
        if (policiesAt?.delete(locator) && policiesAt.size === 0) this.#byObject.delete(object);
      }
      for (const [object, policy] of objects ?? []) {
        const policiesAt = this.#byObject.get(object) ?? new Map<string, PolicyReport['policy']>();
        if (!policiesAt.has(locator)) touched.add(object);
        this.#byObject.set(object, policiesAt.set(locator, policy));
      }
      if (objects === undefined) this.#byPolicy.delete(locator);
      else this.#byPolicy.set(locator, [...objects.keys()]);
    }
    return touched;
  }

  /** Returns the policies without room for an object in their status. */
  policiesFor(object: TargetNode): readonly PolicyReport['policy'][] {
    const policies = this.#byObject.get(object.locator);
    return policies === undefined ? none : [...policies.values()];
  }
}

/**
 * Returns the conditions on an object that does not fit in the status of policies.
 *
 * @param omitted Ancestors without room, with the type of the condition about them. Kinds with one name share theirs.
 */
export function limitConditions(
  object: TargetNode,
  omitted: readonly { readonly limitType: string; readonly ancestors: OmittedAncestors | undefined }[],
): readonly ConditionUpdate[] {
  const names = new Map<string, readonly string[]>();
  for (const { limitType, ancestors } of omitted) {
    const policies = ancestors?.policiesFor(object) ?? none;
    if (policies.length > 0) names.set(limitType, [...(names.get(limitType) ?? none), ...policies.map(policyName)]);
  }
  return [...names].flatMap(([type, policies]) => ancestorLimitReached(type, policies));
}
