import { isJsonObject, type JsonObject } from '@policy-machinery/resource';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The identity of an object, which objects in lists and partial metadata omit. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadataOnly: boolean;
}

/**
 * Returns an object as the store keeps it: with its kind, which lists leave out, and without managed fields and the last applied
 * configuration, which may be more than half of its bytes.
 *
 * @param object An object that was just parsed. It is changed where that is cheaper than copying.
 * @param identity Its kind.
 * @returns The object to keep.
 */
export function retain(object: JsonObject, { apiVersion, kind, metadataOnly }: Identity): JsonObject {
  const metadata = isJsonObject(object.metadata) ? retainMetadata(object.metadata) : object.metadata;
  if (metadataOnly) return { apiVersion, kind, metadata: metadata ?? null };
  if (object.apiVersion !== undefined && object.kind !== undefined) return object;
  return Object.assign({ apiVersion, kind }, object);
}

/** Sets keys to `undefined`: V8 keeps an object in a larger and slower form once a key of it was deleted. */
function retainMetadata(metadata: JsonObject): JsonObject {
  if (metadata.managedFields !== undefined) Object.assign(metadata, { managedFields: undefined });
  const { annotations } = metadata;
  if (isJsonObject(annotations) && Object.hasOwn(annotations, lastApplied)) {
    const { [lastApplied]: _dropped, ...rest } = annotations;
    Object.assign(metadata, { annotations: rest });
  }
  return metadata;
}
