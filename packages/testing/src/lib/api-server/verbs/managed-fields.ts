import { isJsonObject, type JsonObject, type JsonValue, objectsIn } from '@policy-machinery/resource';
import { isSameJson, metadataIn } from '../objects.ts';
import { managerOf, type ResourceRequest } from '../requests/request.ts';

/** Records that whoever makes an update owns the fields that it changes. */
export function recordUpdate(
  before: JsonObject,
  after: JsonObject,
  request: ResourceRequest,
  now: string,
): readonly JsonObject[] {
  const known = objectsIn(metadataIn(before).managedFields);
  const changed = changedFields(before, after);
  if (Object.keys(changed).length === 0) return known;
  const { apiVersion, subresource } = request;
  return [
    ...known,
    {
      manager: managerOf(request),
      operation: 'Update',
      apiVersion,
      time: now,
      fieldsType: 'FieldsV1',
      fieldsV1: changed,
      ...(subresource === undefined ? {} : { subresource }),
    },
  ];
}

function changedFields(before: JsonObject, after: JsonObject): JsonObject {
  const fields: Record<string, JsonValue> = {};
  for (const key of ['spec', 'status']) {
    if (isJsonObject(after[key]) && !isSameJson(before[key], after[key])) fields[`f:${key}`] = {};
  }
  return fields;
}
