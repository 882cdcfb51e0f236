/** The shared empty set. */
export const emptySet: ReadonlySet<never> = new Set<never>();
