import { type JsonObject, objectIn, objectsIn, stringIn } from '@policy-machinery/resource';

/**
 * Returns another client that writes to an object: the manager of the newest entry in its managed fields.
 *
 * @param object The object, as the API server has sent it.
 * @param subresource The part that is written to; other parts do not count.
 * @param self The field manager of this process.
 * @returns The name of the manager; `undefined` for none.
 */
export function rivalIn(object: unknown, subresource: 'status' | undefined, self: string): string | undefined {
  const rivals = managersOf(object)
    .filter((entry) => (stringIn(entry.subresource) || undefined) === subresource && entry.manager !== self)
    .sort((entry, other) => String(other.time ?? '').localeCompare(String(entry.time ?? '')));
  return stringIn(rivals[0]?.manager);
}

/** Returns whether a manager has set a field of an object, as the API server has sent it. */
export function isManagedBy(object: unknown, manager: string): boolean {
  return managersOf(object).some((entry) => entry.manager === manager);
}

function managersOf(object: unknown): readonly JsonObject[] {
  return objectsIn(objectIn(objectIn(object).metadata).managedFields);
}
