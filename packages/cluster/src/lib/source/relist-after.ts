/** How old the list of a kind may be when a watch ends, unless told otherwise. In milliseconds. */
export const fiveMinutes = 300_000;
