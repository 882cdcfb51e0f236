import type { JsonObject } from '@policy-machinery/resource';
import type { Cluster } from '../cluster.ts';
import { definitions, kindOfDefinition, namespaces, resourceKey, type ServedKind } from '../kinds/served-kind.ts';
import { type ServerObject, timestamp } from '../objects.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { selectorOf } from '../requests/selectors.ts';
import { conflict, type Status } from '../statuses.ts';
import type { Entry } from '../store.ts';
import { preconditionsIn } from './delete-options.ts';
import { entryOf } from './read.ts';

/** Carries out a DELETE of one object. Returns the object if finalizers keep it, otherwise a `Status`. */
export function remove(cluster: Cluster, request: ResourceRequest): Entry | Status {
  const { kind, name = '' } = request;
  const preconditions = preconditionsIn(request);
  const entry = entryOf(cluster, request);
  checkPreconditions(preconditions, entry, request);
  const kept = removeObject(cluster, kind, request.namespace, entry);
  if (kept !== undefined) return kept;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name,
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.plural,
      uid: entry.object.metadata.uid,
    },
  };
}

/** Carries out a DELETE of a collection. Returns its objects. */
export function removeAll(cluster: Cluster, request: ResourceRequest): void {
  const { kind, namespace, query } = request;
  preconditionsIn(request); // A collection does not have preconditions, but invalid ones are refused.
  const isSelected = selectorOf(query);
  for (const [, entry] of cluster.store.list(resourceKey(kind))) {
    const { object } = entry;
    const isIn = namespace === undefined || object.metadata.namespace === namespace;
    if (isIn && isSelected(object)) removeObject(cluster, kind, object.metadata.namespace, entry);
  }
}

/** Deletes an object and its contents. Returns the object if finalizers keep it for now. */
export function removeObject(
  cluster: Cluster,
  kind: ServedKind,
  namespace: string | undefined,
  { object }: Entry,
): Entry | undefined {
  const { store, clock } = cluster;
  const { name, deletionTimestamp, finalizers = [], generation } = object.metadata;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  if (finalizers.length > 0) {
    if (deletionTimestamp !== undefined) return store.get(resourceKey(kind), key);
    return store.put(resourceKey(kind), key, (resourceVersion) => ({
      ...object,
      metadata: {
        ...object.metadata,
        resourceVersion,
        ...(generation === undefined ? {} : { generation: generation + 1 }),
        deletionTimestamp: timestamp(clock.now()),
        deletionGracePeriodSeconds: 0,
      },
    }));
  }
  for (const each of contentsOf(cluster, kind, object)) removeObject(cluster, each.kind, each.namespace, each.entry);
  store.remove(resourceKey(kind), key);
  return undefined;
}

interface Content {
  readonly kind: ServedKind;
  readonly namespace: string | undefined;
  readonly entry: Entry;
}

/** Returns the objects that are deleted with an object: everything in a namespace, all objects of a definition's kind. */
function contentsOf({ store, kinds }: Cluster, kind: ServedKind, object: ServerObject): readonly Content[] {
  const objectsOf = (each: ServedKind): readonly Content[] =>
    store
      .list(resourceKey(each))
      .map(([, entry]) => ({ kind: each, namespace: entry.object.metadata.namespace, entry }));
  if (kind === namespaces) {
    return kinds.all.flatMap(objectsOf).filter(({ namespace }) => namespace === object.metadata.name);
  }
  const defined = kind === definitions ? kindOfDefinition(object) : undefined;
  return defined === undefined ? [] : objectsOf(defined);
}

function checkPreconditions({ uid, resourceVersion }: JsonObject, { object }: Entry, { kind }: ResourceRequest): void {
  const { name, ...metadata } = object.metadata;
  const refuse = (what: string, expected: unknown, actual: string, why: string): never => {
    const message = `the ${what} in the precondition (${expected}) does not match the ${what} in record (${actual}). ${why}`;
    throw conflict({ ...kind, plural: kind.kind }, name, message);
  };
  if (uid !== undefined && uid !== metadata.uid) {
    refuse('UID', uid, metadata.uid, 'The object might have been deleted and then recreated');
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    refuse('ResourceVersion', resourceVersion, metadata.resourceVersion, 'The object might have been modified');
  }
}
