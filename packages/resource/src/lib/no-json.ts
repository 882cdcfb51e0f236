import { isJsonObject } from './json.ts';

/**
 * Returns the name of a value outside JSON: an instance of a class, a function, a symbol, a bigint. The contents of objects and
 * lists are not checked.
 *
 * @param value Anything.
 * @returns Its name for people: `an instance of V1Service`; `undefined` for JSON, and for `undefined`. Never throws. O(1).
 */
export function nameOfNoJson(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const type = typeof value;
  if (type === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (type !== 'object') return type === 'string' || type === 'boolean' ? undefined : `a ${type}`;
  try {
    return Array.isArray(value) || isJsonObject(value) ? undefined : `an instance of ${className(value)}`;
  } catch {
    return unreadable;
  }
}

const unreadable = 'an object that cannot be read';

function className(value: object): string {
  const { name }: { name?: unknown } = value.constructor ?? {};
  return typeof name === 'string' && name !== '' ? name : 'a class';
}
