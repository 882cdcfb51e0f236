/** A set without members, for all who need one. */
export const emptySet: ReadonlySet<never> = new Set<never>();
