import { isJsonObject, type JsonObject, objectsIn, stringIn } from '@policy-machinery/resource';
import { isSameJson, metadataIn, without } from '../objects.ts';
import { managerOf, type ResourceRequest } from '../requests/request.ts';
import { type FieldPath, valueAtPath } from './field-path.ts';
import { type FieldSet, fieldSet, formatFields, minus, parseFields, pathsIn } from './field-set.ts';
import type { Shape } from './list-types.ts';

/** The fields of an object that one manager owns. */
export interface Owner {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string | undefined;
  readonly time: string;
  readonly fields: FieldSet;
}

/** The metadata that can be owned. All other metadata belongs to the server. */
const ownedMetadata = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** Returns the part of an object that can be owned. */
export function ownable(object: JsonObject): JsonObject {
  const metadata = Object.entries(metadataIn(object)).filter(([field]) => ownedMetadata.includes(field));
  const content = without(object, 'apiVersion', 'kind', 'metadata');
  return metadata.length === 0 ? content : { metadata: Object.fromEntries(metadata), ...content };
}

export function shapeOf({ kind, apiVersion }: Pick<ResourceRequest, 'kind' | 'apiVersion'>): Shape {
  const schema = kind.schemas[apiVersion.slice(apiVersion.indexOf('/') + 1)];
  // Without properties, the types of lists follow conventions.
  return { field: '', schema: schema !== undefined && isJsonObject(schema.properties) ? schema : undefined };
}

/** Reads the managed fields. */
export function ownersOf(object: JsonObject): readonly Owner[] {
  return objectsIn(metadataIn(object).managedFields).map((entry) => ({
    manager: stringIn(entry.manager) ?? '',
    operation: entry.operation === 'Apply' ? 'Apply' : 'Update',
    apiVersion: stringIn(entry.apiVersion) ?? '',
    subresource: stringIn(entry.subresource),
    time: stringIn(entry.time) ?? '',
    fields: parseFields(isJsonObject(entry.fieldsV1) ? entry.fieldsV1 : {}),
  }));
}

/** Writes the managed fields. Managers without fields are left out. */
export function formatOwners(owners: readonly Owner[]): readonly JsonObject[] {
  return owners
    .filter(({ fields }) => fields.size > 0)
    .map(({ fields, subresource, ...owner }) => ({
      ...owner,
      fieldsType: 'FieldsV1',
      fieldsV1: formatFields(fields),
      ...(subresource === undefined ? {} : { subresource }),
    }));
}

/** Returns whether an owner is the one that a request with an operation comes from. */
export function isOwner(
  owner: Owner,
  { manager, operation, apiVersion, subresource }: Omit<Owner, 'fields' | 'time'>,
): boolean {
  return (
    owner.manager === manager &&
    owner.operation === operation &&
    owner.apiVersion === apiVersion &&
    owner.subresource === subresource
  );
}

/** Records that the manager of an update alone owns the fields that the update changes. */
export function recordUpdate(
  previousObject: JsonObject,
  changedObject: JsonObject,
  request: ResourceRequest,
  time: string,
): readonly JsonObject[] {
  const { apiVersion, subresource } = request;
  const shape = shapeOf(request);
  const [old, renewed] = [ownable(previousObject), ownable(changedObject)];
  const leaves = fieldSet(pathsIn(renewed, shape));
  const present = fieldSet(pathsIn(renewed, shape, true));
  const removedFields = minus(fieldSet(pathsIn(old, shape, true)), present);
  // Objects that contain fields exist or not; only the fields have values that change.
  const isNew = ([key, path]: readonly [string, FieldPath]): boolean => {
    const was = valueAtPath(old, path);
    const isLeaf = leaves.has(key) && !path.at(-1)?.startsWith('k:');
    return was === undefined || (isLeaf && !isSameJson(was, valueAtPath(renewed, path)));
  };
  const changed = new Map([...present].filter(isNew));
  const owners = ownersOf(previousObject);
  if (changed.size === 0 && removedFields.size === 0) return formatOwners(owners);

  const lost = new Map([...removedFields, ...changed]);
  const self = { manager: managerOf(request), operation: 'Update', apiVersion, subresource } as const;
  const existingOwner = owners.find((owner) => isOwner(owner, self));
  const ownedFields = new Map([...minus(existingOwner?.fields ?? new Map(), removedFields), ...changed]);
  const others = owners
    .filter((owner) => owner !== existingOwner)
    .map((owner) => ({ ...owner, fields: minus(owner.fields, lost) }));
  return formatOwners([...others, { ...self, time, fields: ownedFields }]);
}
