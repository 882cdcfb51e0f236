const wellFormed = /^[1-9][0-9]*$/;

/**
 * Compares two resource versions of one kind. Versions of Kubernetes are decimal numbers of any length that grow with each
 * change; some API servers of others have versions without an order.
 *
 * @param one A resource version.
 * @param other Another one.
 * @returns A negative number if `one` is older, a positive number if it is newer, 0 if they are the same; `undefined` if they cannot be ordered.
 */
export function compareResourceVersions(one: string | undefined, other: string | undefined): number | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (one === other) return 0;
  if (!wellFormed.test(one) || !wellFormed.test(other)) return undefined;
  return one.length - other.length || (one < other ? -1 : 1);
}

/** Returns whether one resource version is known to be older than another. */
export function isOlder(one: string | undefined, other: string | undefined): boolean {
  return (compareResourceVersions(one, other) ?? 0) < 0;
}
