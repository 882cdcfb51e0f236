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
  record: Recording = (before, after, now) => recordUpdate(before, after, request, now),
): Entry {
  const { kind, namespace, apiVersion } = request;
  const current = entryOf(cluster, request);
  const before = current.in(apiVersion);
  checkVersion(body, before, request);
  checkMetadata(body, request);
  checkFinalizers(body, before, request);
  const after = { ...fieldsAfter(before, body, request), apiVersion, kind: kind.kind };
  const managedFields = record(before, after, timestamp(cluster.clock.now()));
  if (isSameJson(unmanaged(before), unmanaged(after)) && hasSameOwners(before.metadata.managedFields, managedFields)) {
    return current;
  }
  const resource = resourceKey(kind);
  const key = keyOf(namespace, before.metadata.name);
  const { generation = 0, deletionTimestamp } = before.metadata;
  const isRenewed = kind.hasGeneration && !isSameJson(contentOf(before, kind), contentOf(after, kind));
  if (deletionTimestamp !== undefined && after.metadata.finalizers === undefined) {
    cluster.store.remove(resource, key);
    return new Entry(after);
  }
  return cluster.store.put(resource, key, (resourceVersion) => ({
    ...after,
    metadata: {
      ...after.metadata,
      resourceVersion,
      ...(isRenewed ? { generation: generation + 1 } : {}),
      managedFields,
    },
  }));
}

/** Returns the fields of an object after a write to it or to its status. */
function fieldsAfter(
  before: ServerObject,
  body: JsonObject,
  { kind, subresource }: ResourceRequest,
): JsonObject & { readonly metadata: ServerMeta } {
  const isStatus = subresource === 'status';
  const sent = isStatus && kind.isCustom ? before : body;
  const metadata = {
    ...metadataAfter(metadataIn(sent), before.metadata),
    ...labelsOfItself(kind, before.metadata.name, sent),
  };
  if (!kind.hasStatus) return { ...body, metadata };
  const [content, status] = isStatus ? [before, body.status] : [body, before.status];
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
function hasSameOwners(before: readonly JsonObject[] = [], after: readonly JsonObject[]): boolean {
  const [one, other] = [before, after].map((entries) => entries.map((entry) => without(entry, 'time')));
  return isSameJson(one, other);
}
