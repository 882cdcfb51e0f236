const wellFormed = /^[1-9][0-9]*$/;

/**
 * Compares two resource versions of one kind. Versions of Kubernetes are decimal numbers of any length that grow with each
 * change; some API servers of others have versions without an order.
 *
 * @param version A resource version.
 * @param other Another one.
 * @returns A negative number if `version` is older, a positive number if it is newer, 0 if they are the same; `undefined` if they cannot be ordered.
 */
export function compareResourceVersions(version: string | undefined, other: string | undefined): number | undefined {
  if (version === undefined || other === undefined) return undefined;
  if (version === other) return 0;
  if (!wellFormed.test(version) || !wellFormed.test(other)) return undefined;
  return version.length - other.length || (version < other ? -1 : 1);
}

/** Returns whether one resource version is known to be older than another. */
export function isOlder(version: string | undefined, other: string | undefined): boolean {
  return (compareResourceVersions(version, other) ?? 0) < 0;
}
