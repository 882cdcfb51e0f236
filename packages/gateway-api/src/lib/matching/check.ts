import { isJsonObject, type JsonValue } from '@policy-machinery/resource';

/**
 * Makes a test of a regular expression, which is a tenant's: take an engine whose time is linear, as RE2's is.
 * Whether it has to match all of a text is the implementation's to say: to Envoy it does, to NGINX a part is enough.
 * What throws for a pattern says that the pattern is invalid.
 */
export type RegularExpression = (pattern: string) => (text: string) => boolean;

/** The verdict of one condition on a request; `undecided` for a regular expression without an engine. */
export type Verdict = 'match' | 'mismatch' | 'undecided' | 'invalid';

/** One condition of a match, put to a request. */
export interface Check {
  readonly verdict: Verdict;
  /** The part of the request that it checks. */
  readonly field: 'path' | 'method' | 'headers' | 'query';
  /** Its path from the match. */
  readonly at: readonly (string | number)[];
}

/** To the API server, `null` means that a field is not set. */
export function isUnset(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Compares a text that the request may lack, by a `type` that is `Exact` unless it says otherwise. */
export function checkText(
  type: unknown,
  value: unknown,
  text: string | undefined,
  regularExpression: RegularExpression | undefined,
): Verdict {
  if (typeof value !== 'string') return 'invalid';
  if (isUnset(type) || type === 'Exact') return verdictOf(text === value);
  if (type !== 'RegularExpression') return 'invalid';
  return text === undefined ? 'mismatch' : checkExpression(value, text, regularExpression);
}

/** Puts a tenant's regular expression to a text. */
export function checkExpression(
  pattern: string,
  text: string,
  regularExpression: RegularExpression | undefined,
): Verdict {
  if (regularExpression === undefined) return 'undecided';
  try {
    return verdictOf(regularExpression(pattern)(text));
  } catch {
    return 'invalid';
  }
}

/** Returns a condition that holds or does not. */
export function verdictOf(holds: boolean): Verdict {
  return holds ? 'match' : 'mismatch';
}

/** Checks for a list of `{ type, name, value }`. Of those with one name only the first counts. */
export function* checkPairs(
  list: JsonValue | undefined,
  { field, key, nameOf }: { field: 'headers' | 'query'; key: string; nameOf: (name: string) => string },
  values: ReadonlyMap<string, string>,
  regularExpression: RegularExpression | undefined,
): Iterable<Check> {
  if (isUnset(list)) return;
  if (!Array.isArray(list)) return yield { verdict: 'invalid', field, at: [key] };
  const seen = new Set<string>();
  for (const [index, item] of (list as readonly JsonValue[]).entries()) {
    const at = [key, index];
    if (!isJsonObject(item) || typeof item.name !== 'string') {
      yield { verdict: 'invalid', field, at };
      continue;
    }
    const name = nameOf(item.name);
    if (seen.has(name)) continue;
    seen.add(name);
    yield { verdict: checkText(item.type, item.value, values.get(name), regularExpression), field, at };
  }
}

/** Header names are the same in any case. */
export const headerPairs = { field: 'headers', key: 'headers', nameOf: (name: string) => name.toLowerCase() } as const;

/** Names of query parameters are compared as they are. */
export const queryPairs = { field: 'query', key: 'queryParams', nameOf: (name: string) => name } as const;
