import type { TransportRequest } from '../../transport/transport.ts';
import { apiVersionOf, type KindTable } from '../kinds/kind-table.ts';
import { representationOf } from '../requests/media-types.ts';
import { parseResourcePath } from '../requests/path.ts';
import type { ResourceRequest, Verb } from '../requests/request.ts';
import { methodNotAllowed } from '../statuses.ts';
import { isWatch } from '../verbs/list-options.ts';

const verbsOfObjects: Readonly<Record<string, Verb>> = { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
const verbsOfCollections: Readonly<Record<string, Verb>> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' };

export function lowerCased(headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Reads a request for objects. Returns nothing for a path of no kind that is served. */
export function parseRequest(kinds: KindTable, request: TransportRequest): ResourceRequest | undefined {
  const path = parseResourcePath(request.path);
  const kind = path && kinds.served(path.group, path.version, path.plural);
  if (path === undefined || kind === undefined) return undefined;
  if (path.namespace !== undefined && kind.scope === 'Cluster') return undefined;
  const { name, namespace, subresource } = path;
  const { method, query = {}, body = '' } = request;
  const headers = lowerCased(request.headers);
  const verb = (name === undefined ? verbsOfCollections : verbsOfObjects)[method];
  if (verb === undefined) throw methodNotAllowed();
  // Only reading and deleting collections work across namespaces.
  const needsNamespace = kind.scope === 'Namespaced' && verb !== 'list' && verb !== 'deletecollection';
  if (needsNamespace && namespace === undefined) return undefined;
  return {
    verb: verb === 'list' && isWatch(query) ? 'watch' : verb,
    kind,
    apiVersion: apiVersionOf(path.group, path.version),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
    query,
    headers,
    body,
    representation: representationOf(headers.accept),
  };
}
