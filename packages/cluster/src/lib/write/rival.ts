import { isJsonObject, objectsIn, stringIn } from '@policy-machinery/resource';

/**
 * Returns another client that writes to an object: the manager of the newest entry in its managed fields.
 *
 * @param object The object, as the API server has sent it.
 * @param subresource The part that is written to; other parts do not count.
 * @param self The field manager of this process.
 * @returns The name of the manager; `undefined` if there is no other.
 */
export function rivalIn(object: unknown, subresource: 'status' | undefined, self: string): string | undefined {
  const metadata = isJsonObject(object) && isJsonObject(object.metadata) ? object.metadata : {};
  const rivals = objectsIn(metadata.managedFields)
    .filter((entry) => (stringIn(entry.subresource) || undefined) === subresource && entry.manager !== self)
    .sort((one, other) => String(other.time ?? '').localeCompare(String(one.time ?? '')));
  return stringIn(rivals[0]?.manager);
}
