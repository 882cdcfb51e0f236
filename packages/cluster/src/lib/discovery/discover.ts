import { isJsonObject, objectsIn, stringIn } from '@policy-machinery/resource';
import { readStatusError } from '../transport/status-error.ts';
import type { Transport, TransportRequest } from '../transport/transport.ts';
import {
  type AggregatedDiscovery,
  type ApiResource,
  type GroupVersion,
  groupVersionPath,
  isOfVersion,
  readAggregatedDiscovery,
  readResourceList,
} from './api-resource.ts';

/** Asks for all groups in one answer. Servers before Kubernetes 1.30 may return only the names of groups. */
const accept = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/**
 * Finds every kind that an API server serves, in every version.
 *
 * An answer of 404 means that a group or version does not exist. Any other failure is an error, because the group or version may
 * exist.
 *
 * @param transport The connection.
 * @param options A signal that ends the search.
 * @returns The resources, versions in the API server's order of preference.
 * @throws {StatusError} The first answer that is neither a success nor 404, also for a group with an API server that is down.
 * @throws {TransportError} Without an answer.
 */
export async function discover(
  transport: Transport,
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly ApiResource[]> {
  const roots = await Promise.all(['/api', '/apis'].map((path) => get(transport, path, options.signal)));
  const resources = await Promise.all(roots.map((body) => discoverBelow(transport, body, options.signal)));
  return resources.flat();
}

async function discoverBelow(
  transport: Transport,
  body: unknown,
  signal?: AbortSignal,
): Promise<readonly ApiResource[]> {
  if (!isJsonObject(body)) return [];
  const aggregated = readAggregatedDiscovery(body);
  if (aggregated === undefined) return readEach(transport, groupVersions(body), signal);
  const { resources, stale } = aggregated;
  const fresh = resources.filter((each) => !stale.some((it) => isOfVersion(each, it)));
  return [...fresh, ...(await readEach(transport, stale, signal))];
}

/** The kinds below `/api` or `/apis`, in one answer. */
export interface DiscoveryRoot {
  /** The resources; `undefined` if the API server names only groups and versions. */
  readonly aggregated: AggregatedDiscovery | undefined;
  readonly served: readonly GroupVersion[];
}

/**
 * Asks for all kinds below `/api` or `/apis` in one answer. Servers before Kubernetes 1.30 may name only groups.
 *
 * @throws {StatusError} An answer that is not a success.
 * @throws {TransportError} Without an answer.
 */
export async function discoverRoot(
  transport: Transport,
  path: '/api' | '/apis',
  signal: AbortSignal,
): Promise<DiscoveryRoot> {
  const body = await get(transport, path, signal);
  const aggregated = isJsonObject(body) ? readAggregatedDiscovery(body) : undefined;
  return { aggregated, served: isJsonObject(body) ? (aggregated?.served ?? groupVersions(body)) : [] };
}

/** Returns the groups and versions in an `APIVersions` or an `APIGroupList`. */
function groupVersions(body: Readonly<Record<string, unknown>>): readonly GroupVersion[] {
  const core = Array.isArray(body.versions) ? body.versions.filter((each) => typeof each === 'string') : [];
  const groups = objectsIn(body.groups).flatMap((each) => {
    const group = stringIn(each.name) ?? '';
    return objectsIn(each.versions).map(({ version }) => ({ group, version: stringIn(version) ?? '' }));
  });
  return [...core.map((version) => ({ group: '', version })), ...groups];
}

/** The most groups and versions that are asked for one by one. Large clusters have a few hundred. */
const maxVersions = 2000;

/** The most of them that are asked for at the same time. */
const maxReads = 10;

async function readEach(
  transport: Transport,
  versions: readonly GroupVersion[],
  signal?: AbortSignal,
): Promise<readonly ApiResource[]> {
  if (versions.length > maxVersions) {
    throw new Error(`the server names ${versions.length} groups and versions; at most ${maxVersions} are asked for`);
  }
  const lists: (readonly ApiResource[] | undefined)[] = [];
  const remaining = versions.entries();
  const readNext = async () => {
    for (const [index, each] of remaining) lists[index] = await resourcesOf(transport, each, signal);
  };
  await Promise.all(Array.from({ length: maxReads }, readNext));
  return lists.flatMap((list) => list ?? []);
}

/**
 * Finds the kinds of one group and version.
 *
 * @param transport The connection.
 * @param groupVersion The group, `''` for the core group, and the version.
 * @param signal Ends the request.
 * @returns The resources; `undefined` if the API server does not have the group and version.
 * @throws {StatusError} An answer that is neither a success nor 404.
 * @throws {TransportError} Without an answer.
 */
export async function resourcesOf(
  transport: Transport,
  groupVersion: Pick<ApiResource, 'group' | 'version'>,
  signal?: AbortSignal,
): Promise<readonly ApiResource[] | undefined> {
  const body = await get(transport, groupVersionPath(groupVersion), signal);
  return body === undefined ? undefined : readResourceList(body, groupVersion);
}

const documents: ReadonlySet<string> = new Set([
  'APIVersions',
  'APIGroupList',
  'APIResourceList',
  'APIGroupDiscoveryList',
]);

/** Returns a discovery document; `undefined` for a 404 of an API server. Rejects for other answers, which prove nothing. */
async function get(transport: Transport, path: string, signal?: AbortSignal): Promise<unknown> {
  const request: TransportRequest = {
    method: 'GET',
    path,
    headers: { accept },
    ...(signal === undefined ? {} : { signal }),
  };
  const response = await transport.request(request);
  if (response.status === 200) {
    const body = await response.json();
    if (isJsonObject(body) && documents.has(stringIn(body.kind) ?? '')) return body;
    throw new Error(`GET ${path}: the answer is not a discovery document, so it does not show which kinds exist`);
  }
  const error = await readStatusError(response, request);
  if (error.code === 404 && error.isFromApiServer) return undefined;
  throw error;
}
