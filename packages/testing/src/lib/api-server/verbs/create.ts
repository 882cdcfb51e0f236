import { isJsonObject, type JsonObject, stringIn } from '@policy-machinery/resource';
import type { Cluster } from '../cluster.ts';
import { recordUpdate } from '../fields/managed-fields.ts';
import { definitions, namespaces, resourceKey, type ServedKind } from '../kinds/served-kind.ts';
import { metadataIn, type ServerObject, timestamp, without } from '../objects.ts';
import { keyOf, parseBody, type ResourceRequest } from '../requests/request.ts';
import { alreadyExists, notFound, StatusError } from '../statuses.ts';
import type { Entry } from '../store.ts';
import { generateNameIn, textsIn } from './metadata.ts';
import { checkIdentity, checkMetadata } from './validate.ts';

/** Carries out a POST: creates the object of the body. */
export function create(cluster: Cluster, request: ResourceRequest): Entry {
  const body = parseBody(request);
  checkIdentity(body, request);
  return createObject(cluster, request, withGeneratedName(cluster, body));
}

/**
 * Creates an object. A status that is a subresource is dropped.
 *
 * @param record Returns the managed fields of the result. Default: the manager that creates the object owns all fields.
 */
export function createObject(
  cluster: Cluster,
  request: ResourceRequest,
  body: JsonObject,
  record?: (now: string) => readonly JsonObject[],
): Entry {
  const { kind, namespace, apiVersion } = request;
  const { store } = cluster;
  checkMetadata(body, request);
  if (metadataIn(body).resourceVersion) {
    throw new StatusError(500, { message: 'resourceVersion should not be set on objects to be created' });
  }
  const name = String(metadataIn(body).name);
  const isNamespaceMissing = namespace !== undefined && store.get(resourceKey(namespaces), namespace) === undefined;
  if (isNamespaceMissing) throw notFound(namespaces, namespace);
  const key = keyOf(namespace, name);
  if (store.get(resourceKey(kind), key) !== undefined) throw alreadyExists(kind, name);

  const given = { ...metadataIn(body), ...labelsOfItself(kind, name, body) };
  const sent = { ...(kind.hasStatus ? without(body, 'status') : body), metadata: given };
  const time = timestamp(cluster.clock.now());
  const uid = cluster.newUid();
  const managedFields = record?.(time) ?? recordUpdate({}, sent, request, time);
  return store.put(resourceKey(kind), key, (resourceVersion): ServerObject => {
    const metadata = {
      ...generateNameIn(given),
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      ...(kind.hasGeneration ? { generation: 1 } : {}),
      creationTimestamp: time,
      ...textsIn(given),
      managedFields,
    };
    return { ...withDefaults(sent, request, time), apiVersion, kind: kind.kind, metadata };
  });
}

function withGeneratedName({ newUid }: Cluster, body: JsonObject): JsonObject {
  const metadata = metadataIn(body);
  const prefix = stringIn(metadata.generateName);
  if (prefix === undefined || metadata.name) return body;
  return { ...body, metadata: { ...metadata, name: `${prefix}${newUid().slice(-5)}` } };
}

/** Returns the label with its name that each namespace has, so that selectors can name namespaces. */
export function labelsOfItself(kind: ServedKind, name: string, object: JsonObject): JsonObject {
  if (kind !== namespaces) return {};
  const { labels } = textsIn(metadataIn(object));
  return { labels: { 'kubernetes.io/metadata.name': name, ...labels } };
}

/** Returns a new namespace or definition with the fields that the server sets. */
function withDefaults(body: JsonObject, { kind }: ResourceRequest, time: string): JsonObject {
  if (kind === namespaces) return { ...body, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } };
  if (kind !== definitions) return body;
  const names = isJsonObject(body.spec) ? (body.spec.names ?? {}) : {};
  const condition = (type: string, reason: string) => ({
    type,
    status: 'True',
    reason,
    lastTransitionTime: time,
    message: '',
  });
  const conditions = [condition('NamesAccepted', 'NoConflicts'), condition('Established', 'InitialNamesAccepted')];
  return { ...body, status: { acceptedNames: names, conditions, storedVersions: ['v1'] } };
}
