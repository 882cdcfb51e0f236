/** How long a server may be silent in the middle of the initial objects, in milliseconds. */
export const silenceInWatchList = 30_000;

/** How long a server may be silent that sends bookmarks, about one a minute, in milliseconds. */
export const silenceAfterBookmark = 150_000;

/** A watch that ends sooner, without an event, counts as broken. In milliseconds. */
export const shortestWatch = 1000;

/** Returns how long the server should keep a watch open: 5 to 10 minutes, in seconds. Random, so that watches do not end all at once. */
export function watchTimeout(random: () => number): number {
  return 300 + Math.floor(random() * 301);
}

/** Returns how long a server may be silent that has sent no bookmark yet: until the watch should have ended. In milliseconds. */
export function longSilence(timeoutSeconds: number): number {
  return (timeoutSeconds + 5) * 1000;
}

/**
 * Returns the query of a watch.
 *
 * @param resourceVersion Where to begin; with initial events, `''` for the newest state.
 * @param timeoutSeconds When the server should end it.
 * @param withInitialEvents Whether the server should send all objects first.
 */
export function watchQuery(
  resourceVersion: string,
  timeoutSeconds: number,
  withInitialEvents: boolean,
): Readonly<Record<string, string>> {
  const query = { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: String(timeoutSeconds), resourceVersion };
  if (!withInitialEvents) return query;
  return { ...query, sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' };
}
