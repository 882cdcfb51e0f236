import { isJsonObject, type JsonValue } from '@policy-machinery/resource';

/**
 * Returns a test for a regular expression, with the result `undefined` if the engine cannot decide. Tenants write the expressions, so use an
 * engine with linear time, such as `re2` of `@policy-machinery/cel/re2`. Implementations differ in the text to match: Envoy matches the whole
 * text, NGINX any part of the text. Throw an error to declare the pattern invalid.
 */
export type RegularExpression = (pattern: string) => (text: string) => boolean | undefined;

/** The verdict of one condition on a request; `undecided` for a regular expression without an engine, or that the engine cannot decide. */
export type MatchVerdict = 'match' | 'mismatch' | 'undecided' | 'invalid';

/** The result of checking one condition of a match against a request. */
export interface Check {
  readonly verdict: MatchVerdict;
  /** The checked part of the request. */
  readonly field: 'path' | 'method' | 'headers' | 'query';
  /** The path of the condition from the match. */
  readonly at: readonly (string | number)[];
}

/** Returns whether a field is not set. The API server treats `null` as not set. */
export function isUnset(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Compares a text of the request, which may be absent, with a value. The default `type` is `Exact`. */
export function checkText(
  type: unknown,
  value: unknown,
  text: string | undefined,
  regularExpression: RegularExpression | undefined,
): MatchVerdict {
  if (typeof value !== 'string') return 'invalid';
  if (isUnset(type) || type === 'Exact') return verdictOf(text === value);
  if (type !== 'RegularExpression') return 'invalid';
  return text === undefined ? 'mismatch' : checkExpression(value, text, regularExpression);
}

/** Checks a text against a tenant's regular expression. */
export function checkExpression(
  pattern: string,
  text: string,
  regularExpression: RegularExpression | undefined,
): MatchVerdict {
  if (regularExpression === undefined) return 'undecided';
  try {
    const holds = regularExpression(pattern)(text);
    return holds === undefined ? 'undecided' : verdictOf(holds);
  } catch {
    return 'invalid';
  }
}

/** Returns the verdict of a condition that either holds or does not. */
export function verdictOf(holds: boolean): MatchVerdict {
  return holds ? 'match' : 'mismatch';
}

/** Checks a list of `{ type, name, value }`. Of several conditions with the same name, only the first counts. */
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

/** The conditions on headers. The letter case of names does not count. */
export const headerPairs = { field: 'headers', key: 'headers', nameOf: (name: string) => name.toLowerCase() } as const;

/** The conditions on query parameters. The letter case of names counts. */
export const queryPairs = { field: 'query', key: 'queryParams', nameOf: (name: string) => name } as const;
