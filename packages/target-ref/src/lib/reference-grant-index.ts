import { type GroupKind, groupKindOf, type Issue, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { type ReferenceGrantFrom, readReferenceGrant } from './reference-grant.ts';

export const referenceGrantKind: GroupKind = { group: 'gateway.networking.k8s.io', kind: 'ReferenceGrant' };

/** One reference from a resource to another. */
export interface CrossReference {
  /** Kind and namespace of the resource that refers. */
  readonly from: ReferenceGrantFrom;
  /** The resource that it refers to, whether or not the resource exists. */
  readonly to: GroupKind & { readonly namespace: string; readonly name: string };
}

/** An index of all ReferenceGrants of a cluster. It is immutable: create a new index when grants change. */
export interface ReferenceGrants {
  /**
   * Returns whether a reference is permitted: always within one namespace, and into another namespace if a grant there names
   * both sides. Groups, kinds and names are compared exactly.
   *
   * Check before you look up the target: if the reference is not permitted, no one may learn whether the target exists, so the
   * status must mention the missing grant and not a missing target.
   *
   * @returns Whether it is permitted. O(1).
   */
  readonly permits: (reference: CrossReference) => boolean;
  /** The faults of malformed grants, which permit nothing. */
  readonly issues: readonly Issue[];
}

/**
 * Indexes ReferenceGrants to check cross-namespace references.
 *
 * @param resources Resources of a cluster, in any order. Other resources are ignored.
 * @returns The index. O(entries), at most 256 for each grant.
 * @example
 * ```ts
 * const grants = referenceGrants(resources);
 * grants.permits({
 *   from: { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'shop' },
 *   to: { group: '', kind: 'Service', namespace: 'warehouse', name: 'stock' },
 * });
 * ```
 */
export function referenceGrants(resources: Iterable<KubernetesObject>): ReferenceGrants {
  const namesByPair = new Map<string, Set<string | undefined>>();
  const issues: Issue[] = [];
  for (const resource of resources) {
    if (!isReferenceGrant(resource)) continue;
    const reading = readReferenceGrant(resource);
    issues.push(...reading.issues.map((issue) => ({ ...issue, resource: locatorOf(resource, 'Namespaced') })));
    const { namespace = '', from = [], to = [] } = reading.grant ?? {};
    for (const { name, ...target } of to) {
      for (const referrer of from) {
        const pair = pairKey(referrer, { ...target, namespace });
        namesByPair.set(pair, (namesByPair.get(pair) ?? new Set()).add(name));
      }
    }
  }
  return {
    permits({ from, to }) {
      if (from.namespace === to.namespace) return true;
      const names = namesByPair.get(pairKey(from, to));
      return names !== undefined && (names.has(undefined) || names.has(to.name));
    },
    issues,
  };
}

function isReferenceGrant(resource: KubernetesObject): boolean {
  const { group, kind } = groupKindOf(resource);
  return group === referenceGrantKind.group && kind === referenceGrantKind.kind;
}

function pairKey(from: ReferenceGrantFrom, to: ReferenceGrantFrom): string {
  return JSON.stringify([from.group, from.kind, from.namespace, to.group, to.kind, to.namespace]);
}
