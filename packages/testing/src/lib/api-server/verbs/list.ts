import type { Cluster } from '../cluster.ts';
import { resourceKey } from '../kinds/served-kind.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { selectorOf } from '../requests/selectors.ts';
import { expired, tooLargeVersion } from '../statuses.ts';
import { formatContinue, parseContinue } from './continue-token.ts';
import { type ListOptions, listOptions } from './list-options.ts';
import { render } from './read.ts';

/** Answers a LIST, in pages if the client asks for them. */
export function list(cluster: Cluster, request: ResourceRequest): string {
  const { kind, namespace, query, apiVersion, representation } = request;
  const options = listOptions(query, cluster.watchLists);
  const isSelected = selectorOf(query);
  const { version, after } = placeOf(cluster, options);
  const prefix = namespace === undefined ? '' : `${namespace}/`;
  const selected = cluster.store
    .list(resourceKey(kind), version)
    .filter(([key, { object }]) => key.startsWith(prefix) && key > after && isSelected(object));
  const page = selected.slice(0, isFromCache(options) ? undefined : options.limit);
  const [last = ''] = page.at(-1) ?? [];
  const remaining = selected.length - page.length;
  const isSelecting = (query.labelSelector ?? '') !== '' || (query.fieldSelector ?? '') !== '';
  const metadata = {
    resourceVersion: String(version),
    ...(remaining === 0 ? {} : { continue: formatContinue({ version, after: last }) }),
    ...(remaining === 0 || isSelecting ? {} : { remainingItemCount: remaining }),
  };
  const items = page.map(([, entry]) => render(entry, apiVersion, representation));
  const names =
    representation === 'object'
      ? { kind: `${kind.kind}List`, apiVersion }
      : { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' };
  return `${JSON.stringify({ ...names, metadata }).slice(0, -1)},"items":[${items.join(',')}]}`;
}

/** Returns whether any version will do, so that the list comes from the cache of the API server as a whole. */
function isFromCache({ version, match, continue: token }: ListOptions): boolean {
  return version === 0 && match !== 'Exact' && token === undefined;
}

interface ListPlace {
  readonly version: number;
  /** The key before the first item. */
  readonly after: string;
}

/** Returns the version of a list, and the object that the list begins after. */
function placeOf({ store }: Cluster, options: ListOptions): ListPlace {
  const { revision, compacted } = store;
  if (options.continue !== undefined) {
    const token = parseContinue(options.continue);
    if (token.version < 0) return { version: revision, after: token.after };
    if (token.version < compacted) throw expired(pageExpired, formatContinue({ ...token, version: -1 }));
    return token;
  }
  const { version = 0, match, limit } = options;
  if (version > revision) throw tooLargeVersion(version, revision);
  const isExact = match === 'Exact' || (match === undefined && version > 0 && limit !== undefined);
  if (!isExact) return { version: revision, after: '' };
  if (version < compacted) throw expired('The resourceVersion for the provided list is too old.');
  return { version, after: '' };
}

const pageExpired =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
