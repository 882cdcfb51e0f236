import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { isUnset } from './check.ts';

type Path = { readonly type: JsonValue; readonly value: string };

/** Returns the path of a match with the API server's defaults; `undefined` for an invalid path. */
export function pathOf({ path }: JsonObject): Path | undefined {
  if (!isUnset(path) && !isJsonObject(path)) return undefined;
  const { type, value } = { type: path?.type ?? 'PathPrefix', value: path?.value ?? '/' };
  return typeof value === 'string' ? { type, value } : undefined;
}

/** Returns whether a path begins with a prefix, in whole segments. For a regular expression, the prefix may end within a segment. */
export function isBelow({ type, value }: Path, prefix: string): boolean {
  const start = startOf(prefix);
  return value === start || value.startsWith(type === 'RegularExpression' ? prefix : `${start}/`);
}

/** Returns a prefix without a trailing slash. */
function startOf(prefix: string): string {
  return prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
}

/** Up to this number of matches, a scan is faster than a lookup. */
const few = 16;

/**
 * Returns a lookup by path for the matches of a parent that a match of a child may be part of.
 *
 * @param matches The matches of the parent.
 * @returns A function that returns all such matches of the parent, and possibly others. If the child inherits, it returns all.
 */
export function matchesByPath(
  matches: readonly JsonObject[],
): (child: JsonObject, options: { readonly inherits: boolean }) => Iterable<JsonObject> {
  if (matches.length <= few) return () => matches;
  /** The matches by their prefix without a trailing slash. */
  const byStart = new Map<string, JsonObject[]>();
  for (const match of matches) {
    const path = pathOf(match);
    if (path?.type !== 'PathPrefix') continue; // No match can be part of a match with another type of path.
    const start = startOf(path.value);
    const there = byStart.get(start);
    if (there === undefined) byStart.set(start, [match]);
    else there.push(match);
  }
  const lengths = [...new Set([...byStart.keys()].map(({ length }) => length))].sort((a, b) => a - b);
  return (child, { inherits }) => (inherits ? matches : startingAlike(pathOf(child)?.value, byStart, lengths));
}

function* startingAlike(
  path: string | undefined,
  byStart: ReadonlyMap<string, readonly JsonObject[]>,
  lengths: readonly number[],
): Iterable<JsonObject> {
  if (path === undefined) return;
  for (const length of lengths) {
    if (length > path.length) return;
    yield* byStart.get(path.slice(0, length)) ?? [];
  }
}
