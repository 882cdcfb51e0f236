import { isJsonObject } from '@policy-machinery/resource';

/** Returns whether two JSON values are equal; fields that are `undefined` count as absent. */
export function isEquivalent(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEquivalent(item, b[index]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isEquivalent(a[key], b[key]));
}
