import { formatGroupKind, type KubernetesObject } from '@policy-machinery/resource';
import { type ApiResource, collectionPath } from '../discovery/api-resource.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import type { Transport } from '../transport/transport.ts';
import { acceptHeaders, readObject } from './object-reader.ts';
import { readList } from './read-list.ts';
import { selectorQuery, type WatchedKind } from './watched-kind.ts';

/** Which objects of a kind to read. */
export interface ListObjectsOptions extends Pick<WatchedKind, 'metadataOnly' | 'labelSelector' | 'fieldSelector'> {
  /** Only those in this namespace. Default: those in all namespaces. */
  readonly namespace?: string | undefined;
  /** Ends the request when it aborts. Default: nothing does. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
}

/**
 * Reads all objects of a kind once, page by page. To keep them up to date, use `createSources`.
 *
 * @param transport The connection.
 * @param kind The kind, as the API server serves it.
 * @param options Which objects.
 * @returns The objects, without managed fields and the last applied configuration. Rejects with a `StatusError` if the API server
 * refuses, and with a `TransportError` without an answer; never resolves with half a list.
 */
export async function listObjects(
  transport: Transport,
  kind: Pick<ApiResource, 'group' | 'version' | 'kind' | 'resource'>,
  { namespace, signal = new AbortController().signal, clock = systemClock, ...which }: ListObjectsOptions = {},
): Promise<readonly KubernetesObject[]> {
  const path = collectionPath(kind, namespace);
  const watched = { group: kind.group, kind: kind.kind, versions: [kind.version], ...which };
  const [query, headers] = [selectorQuery(watched), acceptHeaders(watched, 'list')];
  const { items } = await readList({ transport, path, query, headers, resourceVersion: '', clock, signal });
  return items.map((item) => {
    const object = readObject(item, watched, kind, {});
    if (object === undefined) throw new Error(`GET ${path}: an item is not a ${formatGroupKind(kind)}`);
    return object;
  });
}
