/** The shared empty list. */
export const none: readonly never[] = [];

/** The shared empty set. */
export const emptySet: ReadonlySet<never> = new Set<never>();
