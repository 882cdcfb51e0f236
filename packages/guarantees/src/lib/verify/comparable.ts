import { isJsonObject } from '@policy-machinery/resource';

/** Returns a value as JSON with sorted keys: their order does not make a difference. */
export function comparable(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
