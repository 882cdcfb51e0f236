import type { ScriptedRequest, Seen } from './run.ts';
import { widgets } from './widgets.ts';

/** The requests of a part of the script, by the step's name; some depend on earlier answers. */
export type Requests = Readonly<Record<string, ScriptedRequest | ((seen: Seen) => ScriptedRequest)>>;

/** Returns a GET, of one object or of a collection. */
export const get = (path: string, query: Readonly<Record<string, string>> = {}, accept?: string): ScriptedRequest => ({
  method: 'GET',
  path,
  query,
  ...(accept === undefined ? {} : { headers: { accept } }),
});
/** Returns a POST. */
export const post = (path: string, body: object | string, type?: string): ScriptedRequest => ({
  method: 'POST',
  path,
  body,
  ...(type === undefined ? {} : { type }),
});
/** Returns a PUT. */
export const put = (path: string, body: object): ScriptedRequest => ({ method: 'PUT', path, body });
/** Returns a DELETE. */
export const remove = (path: string, body?: object | string): ScriptedRequest => ({
  method: 'DELETE',
  path,
  ...(body === undefined ? {} : { body }),
});
/** Returns a PATCH of a media type. */
export const patch = (path: string, type: string, body: object | string, query = {}): ScriptedRequest => ({
  method: 'PATCH',
  path,
  type: `application/${type}`,
  body,
  query,
});
/** Returns a JSON Patch. */
export const jsonPatch = (path: string, ...operations: readonly object[]) => patch(path, 'json-patch+json', operations);
/** Returns a merge patch. */
export const mergePatch = (path: string, body: object) => patch(path, 'merge-patch+json', body);
/** Returns a server-side apply. */
export const apply = (path: string, manager: string, body: object, query = {}) =>
  patch(path, 'apply-patch+yaml', body, { fieldManager: manager, ...query });
/** Returns the URL of the status of a widget. */
export const status = (name: string) => `${widgets(name)}/status`;
/** Returns a condition. */
export const condition = (type: string, value: string) => ({ type, status: value, reason: 'Tested' });
/** Returns the query of a WATCH that ends after a second. */
export const watchQuery = (more: Readonly<Record<string, string>>) => ({ watch: 'true', timeoutSeconds: '1', ...more });
/** The query of a WATCH that begins with initial events. */
export const watchList = {
  sendInitialEvents: 'true',
  resourceVersionMatch: 'NotOlderThan',
  allowWatchBookmarks: 'true',
};
/** The media type of the metadata of an object. */
export const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
/** The media type of the metadata of a list. */
export const listOfMetadata = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
