/** A kind of resource without its version, because all versions of a kind are the same resources. */
export interface GroupKind {
  /** API group; `''` is the core group. */
  readonly group: string;
  /** Kind in its exact spelling: `HTTPRoute`. */
  readonly kind: string;
}

/**
 * Returns the group of an `apiVersion`.
 *
 * @param apiVersion `v1` or `gateway.networking.k8s.io/v1`.
 * @returns The part before the slash; `''` for the core group.
 */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/**
 * Returns the group and kind of a resource.
 *
 * @param resource Any Kubernetes resource.
 * @returns Its group (from `apiVersion`) and kind.
 */
export function groupKindOf(resource: { readonly apiVersion: string; readonly kind: string }): GroupKind {
  return { group: groupOf(resource.apiVersion), kind: resource.kind };
}

/**
 * Formats a group and kind as Kubernetes does: `HTTPRoute.gateway.networking.k8s.io`, and `Service` in the core group.
 *
 * @param groupKind The kind.
 * @returns `Kind.group`, or the kind alone in the core group.
 */
export function formatGroupKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/**
 * Returns the lookup key of a kind: `kind.group` in lower case, as in a locator.
 *
 * @param groupKind The kind.
 * @returns Its key.
 */
export function groupKindKey(groupKind: GroupKind): string {
  return formatGroupKind(groupKind).toLowerCase();
}
