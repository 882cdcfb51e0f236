import { isJsonObject, type JsonObject, objectsIn, stringIn } from '@policy-machinery/resource';

/** A kind as an API server serves it. */
export interface ApiResource {
  /** API group; `''` is the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Its name in paths: `httproutes`. */
  readonly resource: string;
  /** Whether its objects are in namespaces. */
  readonly namespaced: boolean;
  /** `get`, `list`, `watch`, `patch` … */
  readonly verbs: readonly string[];
  /** `status`, `scale` … */
  readonly subresources: readonly string[];
}

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Returns the path of a group and version: `/api/v1`, `/apis/apps/v1`. */
export function groupVersionPath({ group, version }: GroupVersion): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** Returns the `apiVersion` of a group and version: `v1`, `apps/v1`. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/**
 * Returns the path of an object.
 *
 * @returns The path: `/apis/apps/v1/namespaces/shop/deployments/cart`.
 */
export function resourcePath(
  resource: ApiResource,
  object: { readonly namespace?: string; readonly name: string },
): string {
  const { namespace = 'default', name } = object;
  return `${collectionPath(resource, resource.namespaced ? namespace : undefined)}/${encodeURIComponent(name)}`;
}

/** Returns the path of a resource's objects: of those in a namespace, or of all. */
export function collectionPath(
  resource: Omit<ApiResource, 'namespaced' | 'verbs' | 'subresources' | 'kind'>,
  namespace?: string,
): string {
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${groupVersionPath(resource)}${within}/${resource.resource}`;
}

/**
 * Reads an `APIResourceList`, the answer of `/apis/GROUP/VERSION`.
 *
 * @param body The answer.
 * @param groupVersion The group and version of the request.
 * @returns The resources, with their subresources; nothing if the body is something else.
 */
export function readResourceList(body: unknown, { group, version }: GroupVersion): readonly ApiResource[] {
  const entries = isJsonObject(body) ? objectsIn(body.resources) : [];
  const names = entries.map(({ name }) => stringIn(name) ?? '');
  return entries.flatMap(({ name, kind, namespaced, verbs }) => {
    if (typeof name !== 'string' || typeof kind !== 'string' || name.includes('/')) return [];
    const subresources = names.filter((each) => each.startsWith(`${name}/`)).map((each) => each.slice(name.length + 1));
    return [
      { group, version, kind, resource: name, namespaced: namespaced === true, verbs: strings(verbs), subresources },
    ];
  });
}

/** Returns whether two are of the same group and version. */
export function isOfVersion(groupVersion: GroupVersion, other: GroupVersion): boolean {
  return groupVersion.group === other.group && groupVersion.version === other.version;
}

/** The kinds in an `APIGroupDiscoveryList`. */
export interface AggregatedDiscovery {
  readonly resources: readonly ApiResource[];
  readonly served: readonly GroupVersion[];
  /** The groups and versions that the API server itself could not read afresh. */
  readonly stale: readonly GroupVersion[];
}

/**
 * Reads an `APIGroupDiscoveryList`, the aggregated answer of `/api` and `/apis`.
 *
 * @param body The answer.
 * @returns The resources; `undefined` if the answer is something else.
 */
export function readAggregatedDiscovery(body: JsonObject): AggregatedDiscovery | undefined {
  if (body.kind !== 'APIGroupDiscoveryList') return undefined;
  const stale: GroupVersion[] = [];
  const served: GroupVersion[] = [];
  const resources: ApiResource[] = [];
  for (const item of objectsIn(body.items)) {
    const group = isJsonObject(item.metadata) ? (stringIn(item.metadata.name) ?? '') : '';
    for (const each of objectsIn(item.versions)) {
      const version = stringIn(each.version) ?? '';
      served.push({ group, version });
      if (each.freshness === 'Stale') stale.push({ group, version });
      for (const entry of objectsIn(each.resources)) resources.push(...aggregatedResource(entry, { group, version }));
    }
  }
  return { resources, served, stale };
}

function aggregatedResource(entry: JsonObject, { group, version }: GroupVersion): readonly ApiResource[] {
  const { resource, responseKind, scope, verbs } = entry;
  const kind = isJsonObject(responseKind) ? stringIn(responseKind.kind) : undefined;
  if (typeof resource !== 'string' || kind === undefined || kind === '') return [];
  const subresources = objectsIn(entry.subresources).flatMap((each) => stringIn(each.subresource) ?? []);
  const namespaced = scope === 'Namespaced';
  return [{ group, version, kind, resource, namespaced, verbs: strings(verbs), subresources }];
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
