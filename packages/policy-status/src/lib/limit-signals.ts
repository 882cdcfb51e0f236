import { ancestorLimitReached, ancestorLimitType, type ConditionUpdate } from '@policy-machinery/conditions';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { TargetNode } from '@policy-machinery/topology';
import { policyName } from './policy-name.ts';
import type { AncestorReport, PolicyReport } from './policy-report.ts';

/** An ancestor for which the status of a policy has no room, so that it must be told there (S-10). */
export interface UnlistedAncestor {
  readonly policy: PolicyReport['policy'];
  readonly ancestorRef: AncestorReport['ancestorRef'];
}

/** Ancestors for which the statuses of policies of one kind have no room. */
export class UnlistedAncestors {
  readonly #effective: EffectivePolicies<unknown>;
  readonly #byPolicy = new Map<string, readonly TargetNode[]>();
  readonly #byObject = new Map<TargetNode, Map<string, PolicyReport['policy']>>();

  constructor(effective: EffectivePolicies<unknown>) {
    this.#effective = effective;
  }

  /**
   * Takes down for which ancestors policies have no room, instead of all that was known of these policies.
   *
   * @param policies Locators. Default: all.
   * @returns The ancestors of which something else may be to be said.
   */
  set(
    unlisted: readonly UnlistedAncestor[],
    policies: Iterable<string> = [...this.#byPolicy.keys()],
  ): ReadonlySet<TargetNode> {
    const touched = new Set<TargetNode>();
    for (const locator of policies) {
      for (const object of this.#byPolicy.get(locator) ?? []) {
        touched.add(object);
        const there = this.#byObject.get(object);
        if (there?.delete(locator) && there.size === 0) this.#byObject.delete(object);
      }
      this.#byPolicy.delete(locator);
    }
    for (const { policy, ancestorRef } of unlisted) {
      const object = this.#effective.topology.get(ancestorRef)?.object;
      if (object === undefined) continue;
      const there = this.#byObject.get(object) ?? new Map<string, PolicyReport['policy']>();
      this.#byObject.set(object, there.set(policy.locator, policy));
      this.#byPolicy.set(policy.locator, [...(this.#byPolicy.get(policy.locator) ?? []), object]);
      touched.add(object);
    }
    return touched;
  }

  /** What is to be said on an object for which policies have no room in their status (S-10, N-02). */
  signalsOn(object: TargetNode, domain: string): readonly ConditionUpdate[] {
    const policies = [...(this.#byObject.get(object)?.values() ?? [])];
    if (policies.length === 0) return [];
    const inOrder = policies.sort((a, b) => (a.locator < b.locator ? -1 : 1));
    return ancestorLimitReached(ancestorLimitType(domain, this.#effective.kind.kind), inOrder.map(policyName));
  }
}
