import type { Issue, KubernetesObject } from '@policy-machinery/resource';
import { type ReferenceGrants, referenceGrants } from '@policy-machinery/target-ref';
import { getOrInsert } from '../support/get-or-insert.ts';

/** The ReferenceGrants of a cluster, by the namespaces that they permit references to. */
export class Grants {
  readonly #resources = new Map<string, Map<string, KubernetesObject>>();
  readonly #read = new Map<string, ReferenceGrants>();

  /** Sets or removes a grant. It takes effect when its namespace is read. */
  set(namespace: string, locator: string, grant: KubernetesObject | undefined): void {
    const grants = getOrInsert(this.#resources, namespace, () => new Map<string, KubernetesObject>());
    if (grant === undefined) grants.delete(locator);
    else grants.set(locator, grant);
  }

  /**
   * Reads the grants of a namespace. O(grants of the namespace).
   *
   * @returns The issues of the grants.
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

  /** Returns whether a reference is permitted. References within a namespace always are. O(1). */
  readonly permits: ReferenceGrants['permits'] = (reference) =>
    reference.from.namespace === reference.to.namespace ||
    this.#read.get(reference.to.namespace)?.permits(reference) === true;
}
