import { formatPointer } from '@policy-machinery/resource';

/**
 * Returns a JSON Pointer to a change of an input that is not part of the result; `undefined` if there is none. A recipe may move a part of its input into
 * the result and change it there. O(result), if the input was changed at all.
 *
 * @param changed The input after the recipe, which shares all unchanged parts with `input`, and all moved parts with the result.
 */
export function lostChange(input: unknown, changed: unknown, result: unknown): string | undefined {
  if (input === changed) return undefined;
  const path = pathOfLoss(input, changed, partsOf(result));
  return path === undefined ? undefined : formatPointer(path);
}

function pathOfLoss(input: unknown, changed: unknown, kept: ReadonlySet<unknown>): readonly string[] | undefined {
  if (input === changed || kept.has(changed)) return undefined;
  if (!isParent(input) || !isParent(changed)) return [];
  const keys = Object.keys(changed);
  if (keys.length !== Object.keys(input).length) return [];
  for (const key of keys) {
    const path = pathOfLoss(input[key], changed[key], kept);
    if (path !== undefined) return [key, ...path];
  }
  return undefined;
}

function partsOf(value: unknown): ReadonlySet<unknown> {
  const parts = new Set<unknown>();
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isParent(next) || parts.has(next)) continue;
    parts.add(next);
    for (const part of Object.values(next)) if (isParent(part)) pending.push(part);
  }
  return parts;
}

function isParent(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
