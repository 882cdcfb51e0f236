import { isJsonObject, type JsonObject, type JsonValue, messageOf } from '@policy-machinery/resource';
import { parse } from 'yaml';
import type { Cluster } from '../cluster.ts';
import { type FieldPath, formatFieldPath, isKey, valueAtPath, withValueAt } from '../fields/field-path.ts';
import { type FieldSet, fieldSet, minus, pathsIn } from '../fields/field-set.ts';
import { isShared } from '../fields/list-types.ts';
import { formatOwners, isOwner, type Owner, ownable, ownersOf, shapeOf } from '../fields/managed-fields.ts';
import { resourceKey } from '../kinds/served-kind.ts';
import { isSameJson, metadataIn, type ServerObject, without } from '../objects.ts';
import { keyOf, type ResourceRequest } from '../requests/request.ts';
import { badRequest, conflict, invalidOptions, notFound, requiredValue, StatusError } from '../statuses.ts';
import type { Entry } from '../store.ts';
import { createObject } from './create.ts';
import { replace, type Written } from './update.ts';
import { checkIdentity, checkVersion } from './validate.ts';

/** Carries out a server-side apply: the manager owns the fields of the body, and those that it no longer sets are removed. */
export function apply(cluster: Cluster, request: ResourceRequest): Written {
  const { kind, namespace, name = '', query, subresource } = request;
  const { fieldManager } = query;
  if (!fieldManager) throw invalidOptions('PatchOptions', requiredValue('fieldManager', 'is required for apply patch'));
  const body = parseConfiguration(request);
  checkIdentity(body, request);
  const current = cluster.store.get(resourceKey(kind), keyOf(namespace, name))?.in(request.apiVersion);
  if (current === undefined) {
    if (subresource !== undefined) throw notFound(kind, name);
    return { entry: createApplied(cluster, request, body, fieldManager), isNew: true };
  }
  checkVersion(body, current, request);
  const config = configurationOf(body, request);
  const merged = merge(current, config, { ...request, manager: fieldManager, isForced: query.force === 'true' });
  const { apiVersion } = request;
  const record = (_before: ServerObject, _after: JsonObject, time: string): readonly JsonObject[] =>
    formatOwners([...merged.others, { ...merged.self, apiVersion, time: merged.self.time || time }]);
  return { entry: replace(cluster, request, merged.object, record), isNew: false };
}

/** JSON, or YAML. */
function parseConfiguration({ body }: ResourceRequest): JsonObject {
  const value = parseText(body);
  if (isJsonObject(value)) return value;
  throw badRequest('error decoding YAML: the body is not an object');
}

function parseText(text: string): unknown {
  try {
    return text.startsWith('{') ? JSON.parse(text) : parse(text);
  } catch (error) {
    throw badRequest(`error decoding YAML: ${messageOf(error)}`);
  }
}

/** Returns the part of a body that an apply can set: the status alone, or all but the status. */
function configurationOf(body: JsonObject, { kind, subresource }: ResourceRequest): JsonObject {
  const content = ownable(body);
  if (!kind.hasStatus) return content;
  if (subresource !== 'status') return without(content, 'status');
  return content.status === undefined ? {} : { status: content.status };
}

function createApplied(cluster: Cluster, request: ResourceRequest, body: JsonObject, manager: string): Entry {
  const { kind, name = '', apiVersion, subresource } = request;
  const { uid } = metadataIn(body);
  if (typeof uid === 'string' && uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(kind, name, why);
  }
  const fields = fieldSet(pathsIn(configurationOf(body, request), shapeOf(request)));
  const record = (time: string): readonly JsonObject[] =>
    formatOwners([{ manager, operation: 'Apply', apiVersion, subresource, time, fields }]);
  // The version of a deleted object does not matter.
  return createObject(cluster, request, { ...body, metadata: without(metadataIn(body), 'resourceVersion') }, record);
}

interface Merge {
  readonly object: JsonObject;
  readonly self: Owner;
  readonly others: readonly Owner[];
}

/** Applies a configuration to an object. Throws 409 if others own fields that it would change, unless it is forced. */
function merge(
  current: ServerObject,
  config: JsonObject,
  { isForced, ...request }: ResourceRequest & { readonly manager: string; readonly isForced: boolean },
): Merge {
  const { manager, apiVersion, subresource } = request;
  const identity = { manager, operation: 'Apply', apiVersion, subresource } as const;
  const owners = ownersOf(current);
  const existingOwner = owners.find((owner) => isOwner(owner, identity));
  const shape = shapeOf(request);
  const fields = fieldSet(pathsIn(config, shape));
  const isChanged = (path: FieldPath): boolean => {
    const [oldValue, newValue] = [valueAtPath(current, path), valueAtPath(config, path)];
    return !isSameJson(oldValue, newValue) && !(oldValue !== undefined && isShared(shape, path, newValue));
  };
  const changed = new Map([...fields].filter(([, path]) => isChanged(path)));
  // Items exist or not; only their fields have values that can conflict.
  const disputed = new Map([...changed].filter(([, path]) => !path.at(-1)?.startsWith('k:')));
  const others = owners.filter((owner) => owner !== existingOwner);
  if (!isForced) refuseConflicts(others, disputed);
  const remainingOwners = others.map((owner) => ({ ...owner, fields: minus(owner.fields, disputed) }));

  const dropped = remainingOwners.reduce(
    (unowned, owner) => minus(unowned, owner.fields),
    minus(existingOwner?.fields ?? new Map(), fields),
  );
  let object: JsonObject = current;
  const set = (path: FieldPath, value: JsonValue | undefined): void => {
    const changedObject = withValueAt(object, path, value);
    if (isJsonObject(changedObject)) object = changedObject;
  };
  for (const path of removable(dropped, remainingOwners)) set(path, undefined);
  for (const [, path] of changed) if (!path.at(-1)?.startsWith('k:')) set(path, valueAtPath(config, path));
  const isSame =
    existingOwner !== undefined &&
    fields.size === existingOwner.fields.size &&
    minus(fields, existingOwner.fields).size === 0;
  return {
    object,
    self: { ...identity, time: isSame && changed.size === 0 ? existingOwner.time : '', fields },
    others: remainingOwners,
  };
}

/** Returns the paths without an owner that can be removed, items first: an item where others own fields stays, with its keys. */
function removable(dropped: FieldSet, owners: readonly Owner[]): readonly FieldPath[] {
  const owned = owners.flatMap(({ fields }) => [...fields.values()]);
  const isAbove = (path: FieldPath) => owned.some((other) => path.every((step, index) => other[index] === step));
  return [...dropped.values()]
    .filter((path) => !isAbove(path) && !(isKey(path) && isAbove(path.slice(0, -1))))
    .sort((path, other) => path.length - other.length);
}

function refuseConflicts(owners: readonly Owner[], disputed: FieldSet): void {
  const conflicts = owners.flatMap((owner) => {
    const paths = [...disputed]
      .filter(([key]) => owner.fields.has(key))
      .map(([, path]) => formatFieldPath(path))
      .sort();
    return paths.length === 0 ? [] : [{ owner: describe(owner), paths }];
  });
  const causes = conflicts.flatMap(({ owner, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field })),
  );
  const [only, ...more] = causes;
  if (only === undefined) return;
  const groups = conflicts.map(({ owner, paths }) =>
    [`conflicts with ${owner}:`, ...paths.map((path) => `- ${path}`)].join('\n'),
  );
  const message =
    more.length === 0
      ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
      : `Apply failed with ${causes.length} conflicts: ${groups.join('\n')}`;
  throw new StatusError(409, { message, reason: 'Conflict', details: { causes } });
}

function describe({ manager, subresource, operation, apiVersion }: Owner): string {
  const name = JSON.stringify(manager) + (subresource === undefined ? '' : ` with subresource "${subresource}"`);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
