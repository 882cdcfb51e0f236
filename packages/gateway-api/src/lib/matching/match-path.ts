import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { isUnset } from './check.ts';

type Path = { readonly type: JsonValue; readonly value: string };

/** Returns the path of a match, with what the API server adds; `undefined` where it is none. */
export function pathOf({ path }: JsonObject): Path | undefined {
  if (!isUnset(path) && !isJsonObject(path)) return undefined;
  const { type, value } = { type: path?.type ?? 'PathPrefix', value: path?.value ?? '/' };
  return typeof value === 'string' ? { type, value } : undefined;
}

/** By whole segments, as prefixes count; what a regular expression begins with need not end there. */
export function isBelow({ type, value }: Path, prefix: string): boolean {
  const start = startOf(prefix);
  return value === start || value.startsWith(type === 'RegularExpression' ? prefix : `${start}/`);
}

/** Returns a prefix without the slash at its end. */
function startOf(prefix: string): string {
  return prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
}

/** Up to so many matches are gone through faster than looked up. */
const few = 16;

/**
 * Finds matches of a parent of which those of a child may be a part, by their paths.
 *
 * @param matches The matches of the parent.
 * @returns Those that may be meant, and maybe others. For a match that inherits, all.
 */
export function matchesByPath(
  matches: readonly JsonObject[],
): (child: JsonObject, options: { readonly inherits: boolean }) => Iterable<JsonObject> {
  if (matches.length <= few) return () => matches;
  /** By how they begin, without the slash at the end. */
  const byStart = new Map<string, JsonObject[]>();
  for (const match of matches) {
    const path = pathOf(match);
    if (path?.type !== 'PathPrefix') continue; // Of others nothing can be a part.
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
