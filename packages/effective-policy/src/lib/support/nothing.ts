/** The shared empty list. */
export const none: readonly never[] = [];

export const emptySet: ReadonlySet<never> = new Set<never>();
