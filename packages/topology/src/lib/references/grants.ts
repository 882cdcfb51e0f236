import type { Issue, KubernetesObject } from '@policy-machinery/resource';
import { type ReferenceGrants, referenceGrants } from '@policy-machinery/target-ref';
import { getOrInsert } from '../support/get-or-insert.ts';

/** The ReferenceGrants of a cluster, by the namespaces into which they let refer. */
export class Grants {
  readonly #resources = new Map<string, Map<string, KubernetesObject>>();
  readonly #read = new Map<string, ReferenceGrants>();

  /** Takes in a grant that has come, changed or gone. It counts when its namespace has been read. */
  set(namespace: string, locator: string, grant: KubernetesObject | undefined): void {
    const there = getOrInsert(this.#resources, namespace, () => new Map<string, KubernetesObject>());
    if (grant === undefined) there.delete(locator);
    else there.set(locator, grant);
  }

  /**
   * Reads the grants of a namespace. O(grants of the namespace).
   *
   * @returns What is wrong with them.
   */
  read(namespace: string): readonly Issue[] {
    const resources = this.#resources.get(namespace);
    if (resources === undefined || resources.size === 0) {
      this.#resources.delete(namespace);
      this.#read.delete(namespace);
      return [];
    }
    const read = referenceGrants(resources.values());
    this.#read.set(namespace, read);
    return read.issues;
  }

  /** Whether a reference is permitted: within a namespace always. O(1). */
  readonly permits: ReferenceGrants['permits'] = (reference) =>
    reference.from.namespace === reference.to.namespace ||
    this.#read.get(reference.to.namespace)?.permits(reference) === true;
}
