import { badRequest, forbiddenValue, invalidOptions, StatusError } from '../statuses.ts';

type Query = Readonly<Record<string, string>>;

/** How a LIST or a WATCH chooses its version. */
export interface ListOptions {
  /** `undefined` for the latest version, 0 for any. */
  readonly version?: number | undefined;
  readonly match?: 'Exact' | 'NotOlderThan' | undefined;
  /** Unlimited if it is undefined. */
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly bookmarks: boolean;
}

const isTrue = (value: string | undefined): boolean => value === 'true' || value === '1';

/** Returns whether a GET of a collection is a WATCH. */
export function isWatch(query: Query): boolean {
  return isTrue(query.watch);
}

const refuse = (field: string, why: string): never => {
  throw invalidOptions('ListOptions', forbiddenValue(field, why));
};

/**
 * Reads the options of a LIST or a WATCH, with the rules about which of them go together.
 *
 * @param query The query of the URL.
 * @param watchLists Whether the server sends initial events.
 * @returns The options.
 * @throws {StatusError} 422 if options do not go together, 400 or 500 for a version that is not a number.
 */
export function listOptions(query: Query, watchLists: boolean): ListOptions {
  const { resourceVersion = '', resourceVersionMatch: match, limit, sendInitialEvents, continue: next } = query;
  const watch = isWatch(query);
  if (sendInitialEvents === undefined) {
    if (match !== undefined && watch)
      refuse(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      );
    if (match !== undefined && resourceVersion === '')
      refuse('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided');
  } else if (!watch) refuse('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  else if (match !== 'NotOlderThan')
    refuse('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  else if (!watchLists)
    refuse(
      'sendInitialEvents',
      'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
    );
  if (match !== undefined && next)
    refuse('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided');
  if (match === 'Exact' && resourceVersion === '0') {
    refuse('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  const pageSize = Number(limit);
  const version = versionIn(resourceVersion, watch);
  return {
    ...(version === undefined ? {} : { version }),
    ...(match === 'Exact' || match === 'NotOlderThan' ? { match } : {}),
    ...(pageSize > 0 ? { limit: pageSize } : {}),
    ...(next ? { continue: next } : {}),
    ...(sendInitialEvents === undefined ? {} : { sendInitialEvents: isTrue(sendInitialEvents) }),
    bookmarks: isTrue(query.allowWatchBookmarks),
  };
}

function versionIn(text: string, watch: boolean): number | undefined {
  if (text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const why = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw watch ? new StatusError(500, { message: why }) : badRequest(`invalid resource version: ${why}`);
}
