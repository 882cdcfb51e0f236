import type { GroupKind } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';

/** What a change did, by targets and policies. */
export interface EffectiveChange {
  readonly targets: Iterable<TargetNode>;
  readonly policies: Iterable<string>;
  readonly objects: Iterable<TargetNode>;
}

/** What changes of the topology did to the effective policies of a kind. All are locators, sorted. */
export interface EffectiveDelta {
  /** The kind of the policies. */
  readonly kind: GroupKind;
  /** The effective targets whose effective policies have come, gone or changed. */
  readonly targets: readonly string[];
  /** The policies of this kind of which something else may be to be said in their status. */
  readonly policies: readonly string[];
  /** The whole resources that other policies may affect than before, or the same ones in another order. */
  readonly objects: readonly string[];
}

/** Gathers what changes did, until somebody asks. */
export class EffectiveChanges {
  readonly #targets = new Set<string>();
  readonly #policies = new Set<string>();
  readonly #objects = new Set<string>();

  add({ targets, policies, objects }: EffectiveChange): void {
    for (const { locator } of targets) this.#targets.add(locator);
    for (const locator of policies) this.#policies.add(locator);
    for (const { locator } of objects) this.#objects.add(locator);
  }

  /** What has been gathered; then it begins anew. */
  take(): Omit<EffectiveDelta, 'kind'> {
    const [targets, policies, objects] = [this.#targets, this.#policies, this.#objects].map((locators) => {
      const list = [...locators].sort();
      locators.clear();
      return list;
    }) as [string[], string[], string[]];
    return { targets, policies, objects };
  }
}
