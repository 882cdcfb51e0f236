import type { Cluster } from '../cluster.ts';
import { resourceKey } from '../kinds/served-kind.ts';
import type { ServerObject } from '../objects.ts';
import type { Representation } from '../requests/media-types.ts';
import { keyOf, type ResourceRequest } from '../requests/request.ts';
import { notFound } from '../statuses.ts';
import type { Entry } from '../store.ts';

/** Returns the stored object that a request names. Throws 404 if there is none. */
export function entryOf({ store }: Cluster, { kind, namespace, name = '' }: ResourceRequest): Entry {
  const entry = store.get(resourceKey(kind), keyOf(namespace, name));
  if (entry === undefined) throw notFound(kind, name);
  return entry;
}

/** Returns the JSON of an object in the form that a client asks for. */
export function render(entry: Entry, apiVersion: string, representation: Representation): string {
  if (representation === 'object') return entry.json(apiVersion);
  return JSON.stringify(metadataOnly(entry.object));
}

function metadataOnly({ metadata }: ServerObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

export function get(cluster: Cluster, request: ResourceRequest): string {
  return render(entryOf(cluster, request), request.apiVersion, request.representation);
}
