import { apiVersionOf, type KindTable } from '../kinds/kind-table.ts';
import { resourceKey, type ServedKind } from '../kinds/served-kind.ts';
import { acceptedTypes } from '../requests/media-types.ts';

const verbsOfBuiltIn = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const verbsOfCustom = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const verbsOf = ({ isCustom }: ServedKind): readonly string[] => (isCustom ? verbsOfCustom : verbsOfBuiltIn);
const statusVerbs = ['get', 'patch', 'update'];

/** A document about kinds, with its media type. */
export interface Document {
  readonly type: string;
  readonly body: object;
}

/**
 * Returns the discovery document at a path.
 *
 * @param kinds The kinds served.
 * @param path The path: `/api`, `/apis`, `/apis/GROUP`, or the path of a version.
 * @param accept The `Accept` header. With the media type of aggregated discovery, `/api` and `/apis` name all kinds.
 * @returns The document; nothing if the path has none.
 */
export function discoveryAt(kinds: KindTable, path: string, accept: string): Document | undefined {
  const [root, group, version, ...more] = path.split('/').filter((segment) => segment !== '');
  const isCore = root === 'api';
  if ((!isCore && root !== 'apis') || more.length > 0) return undefined;
  if (group === undefined) return isAggregated(accept) ? aggregated(kinds, isCore) : plain(roots(kinds, isCore));
  if (isCore) return version === undefined ? plain(resourceList(kinds, '', group)) : undefined;
  return plain(version === undefined ? apiGroup(kinds, group) : resourceList(kinds, group, version));
}

const plain = (body: object | undefined): Document | undefined => body && { type: 'application/json', body };

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const isAggregated = (accept: string): boolean =>
  acceptedTypes(accept).some(
    ({ g, v, as }) => g === 'apidiscovery.k8s.io' && v === 'v2' && as === 'APIGroupDiscoveryList',
  );

function roots(kinds: KindTable, isCore: boolean): object {
  if (isCore) return { kind: 'APIVersions', versions: kinds.groups.get('') ?? [], serverAddressByClientCIDRs: [] };
  const groups = [...kinds.groups.keys()].filter((group) => group !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((group) => groupEntry(kinds, group)) };
}

function apiGroup(kinds: KindTable, group: string): object | undefined {
  return kinds.groups.has(group) ? { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(kinds, group) } : undefined;
}

function groupEntry(kinds: KindTable, name: string): object {
  const versions = (kinds.groups.get(name) ?? []).map((version) => ({
    groupVersion: apiVersionOf(name, version),
    version,
  }));
  return { name, versions, preferredVersion: versions[0] };
}

function kindsOf(kinds: KindTable, group: string, version: string): readonly ServedKind[] {
  const served = kinds.all.filter((kind) => kind.group === group && kind.versions.includes(version));
  return served.sort((kind, other) => (resourceKey(kind) < resourceKey(other) ? -1 : 1));
}

function resourceList(kinds: KindTable, group: string, version: string): object | undefined {
  const served = kindsOf(kinds, group, version);
  if (served.length === 0) return undefined;
  const resources = served.flatMap((each) => {
    const { plural, singular, scope, kind, shortNames, categories, hasStatus } = each;
    const namespaced = scope === 'Namespaced';
    const names = { ...(shortNames.length > 0 && { shortNames }), ...(categories.length > 0 && { categories }) };
    const resource = { name: plural, singularName: singular, namespaced, kind, verbs: verbsOf(each), ...names };
    const status = { name: `${plural}/status`, singularName: '', namespaced, kind, verbs: statusVerbs };
    return hasStatus ? [resource, status] : [resource];
  });
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersionOf(group, version), resources };
}

function aggregated(kinds: KindTable, isCore: boolean): Document {
  const groups = [...kinds.groups].filter(([group]) => (group === '') === isCore);
  const items = groups.map(([group, versions]) => ({
    metadata: isCore ? {} : { name: group },
    versions: versions.map((version) => ({
      version,
      resources: kindsOf(kinds, group, version).map((kind) => discoveryEntry(kind, version)),
      freshness: 'Current',
    })),
  }));
  const body = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
  return { type: aggregatedType, body };
}

function discoveryEntry(served: ServedKind, version: string): object {
  const { group, kind, plural, singular, scope, shortNames, categories, hasStatus } = served;
  const responseKind = { group, version, kind };
  return {
    resource: plural,
    responseKind,
    scope,
    singularResource: singular,
    verbs: verbsOf(served),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(hasStatus && { subresources: [{ subresource: 'status', responseKind, verbs: statusVerbs }] }),
  };
}
