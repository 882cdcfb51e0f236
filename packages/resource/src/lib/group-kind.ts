/** A kind of resource without its version: versions of one kind are the same resources. */
export interface GroupKind {
  /** API group; `''` is the core group. */
  readonly group: string;
  /** Kind in its own spelling: `HTTPRoute`. */
  readonly kind: string;
}

/**
 * The group of an `apiVersion`.
 *
 * @param apiVersion `v1` or `gateway.networking.k8s.io/v1`.
 * @returns The part before the slash; `''` for the core group.
 */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/**
 * The group and kind of a resource.
 *
 * @param resource Any Kubernetes resource.
 * @returns Its group (from `apiVersion`) and kind.
 */
export function groupKindOf(resource: { readonly apiVersion: string; readonly kind: string }): GroupKind {
  return { group: groupOf(resource.apiVersion), kind: resource.kind };
}

/**
 * Writes a group and kind as Kubernetes does: `HTTPRoute.gateway.networking.k8s.io`, and `Service` in the core group.
 *
 * @param groupKind The kind.
 * @returns `Kind.group`, or the kind alone in the core group.
 */
export function formatGroupKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/**
 * The key under which a kind is looked up: `kind.group` in lower case, as in a locator.
 *
 * @param groupKind The kind.
 * @returns Its key.
 */
export function groupKindKey(groupKind: GroupKind): string {
  return formatGroupKind(groupKind).toLowerCase();
}
