import type { JsonObject } from '@policy-machinery/resource';
import type { Cluster } from '../cluster.ts';
import { recordUpdate } from '../fields/managed-fields.ts';
import { resourceKey, type ServedKind } from '../kinds/served-kind.ts';
import { isSameJson, metadataIn, type ServerMeta, type ServerObject, timestamp, without } from '../objects.ts';
import { keyOf, parseBody, type ResourceRequest } from '../requests/request.ts';
import { invalid, invalidValue, notFound } from '../statuses.ts';
import { Entry } from '../store.ts';
import { createObject, labelsOfItself } from './create.ts';
import { metadataAfter } from './metadata.ts';
import { entryOf } from './read.ts';
import { checkFinalizers, checkIdentity, checkMetadata, checkVersion } from './validate.ts';

/** An object after a write, and whether the write created it. */
export interface Written {
  readonly entry: Entry;
  readonly isNew: boolean;
}

/** Carries out a PUT: replaces an object, or its status. */
export function update(cluster: Cluster, request: ResourceRequest): Written {
  const { kind, namespace, name = '' } = request;
  const body = parseBody(request);
  checkIdentity(body, request);
  const current = cluster.store.get(resourceKey(kind), keyOf(namespace, name));
  if (current === undefined) {
    if (!kind.isCreatedOnUpdate) throw notFound(kind, name);
    return { entry: createObject(cluster, request, body), isNew: true };
  }
  if (!metadataIn(body).resourceVersion && !kind.isUpdatedBlindly) {
    const cause = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid({ group: kind.group, kind: kind.plural }, name, [cause]);
  }
  return { entry: replace(cluster, request, body), isNew: false };
}

/** Which managed fields an object has after a write. */
export type Recording = (before: ServerObject, after: JsonObject, now: string) => readonly JsonObject[];

/**
 * Replaces an object, or its status alone.
 *
 * @param body The object after the change.
 * @param record Returns the managed fields of the result. Default: the manager that changes a field owns it.
 * @returns The object as stored; the same as before if nothing is different.
 */
export function replace(
  cluster: Cluster,
  request: ResourceRequest,
  body: JsonObject,
  record: Recording = (stored, renewed, time) => recordUpdate(stored, renewed, request, time),
): Entry {
  const { kind, namespace, apiVersion } = request;
  const current = entryOf(cluster, request);
  const stored = current.in(apiVersion);
  checkVersion(body, stored, request);
  checkMetadata(body, request);
  checkFinalizers(body, stored, request);
  const renewed = { ...fieldsAfter(stored, body, request), apiVersion, kind: kind.kind };
  const managedFields = record(stored, renewed, timestamp(cluster.clock.now()));
  if (
    isSameJson(unmanaged(stored), unmanaged(renewed)) &&
    hasSameOwners(stored.metadata.managedFields, managedFields)
  ) {
    return current;
  }
  const resource = resourceKey(kind);
  const key = keyOf(namespace, stored.metadata.name);
  const { generation = 0, deletionTimestamp } = stored.metadata;
  const isRenewed = kind.hasGeneration && !isSameJson(contentOf(stored, kind), contentOf(renewed, kind));
  if (deletionTimestamp !== undefined && renewed.metadata.finalizers === undefined) {
    cluster.store.remove(resource, key);
    return new Entry(renewed);
  }
  return cluster.store.put(resource, key, (resourceVersion) => ({
    ...renewed,
    metadata: {
      ...renewed.metadata,
      resourceVersion,
      ...(isRenewed ? { generation: generation + 1 } : {}),
      managedFields,
    },
  }));
}

/** Returns the fields of an object after a write to it or to its status. */
function fieldsAfter(
  stored: ServerObject,
  body: JsonObject,
  { kind, subresource }: ResourceRequest,
): JsonObject & { readonly metadata: ServerMeta } {
  const isStatus = subresource === 'status';
  const sent = isStatus && kind.isCustom ? stored : body;
  const metadata = {
    ...metadataAfter(metadataIn(sent), stored.metadata),
    ...labelsOfItself(kind, stored.metadata.name, sent),
  };
  if (!kind.hasStatus) return { ...body, metadata };
  const [content, status] = isStatus ? [stored, body.status] : [body, stored.status];
  return { ...without(content, 'status'), metadata, ...(status === undefined ? {} : { status }) };
}

/** Returns the part of an object with changes that the generation counts. */
function contentOf(object: JsonObject, { hasStatus }: ServedKind): JsonObject {
  return without(object, 'metadata', ...(hasStatus ? ['status'] : []));
}

const unmanaged = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: without(metadataIn(object), 'managedFields'),
});

/** Returns whether the same managers own the same fields; the times do not count. */
function hasSameOwners(stored: readonly JsonObject[] = [], renewed: readonly JsonObject[]): boolean {
  const [storedOwners, renewedOwners] = [stored, renewed].map((entries) =>
    entries.map((entry) => without(entry, 'time')),
  );
  return isSameJson(storedOwners, renewedOwners);
}
