import type { JsonObject, ResourceRef } from '@policy-machinery/resource';
import { isJsonObject, stringIn } from '@policy-machinery/resource';
import { type ApiResource, resourcePath } from '../discovery/api-resource.ts';
import type { TransportRequest } from '../transport/transport.ts';

/** One operation of a JSON Patch (RFC 6902). */
export interface WriteOperation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** A write to one object, such as a `StatusWrite` of `@policy-machinery/policy-status`. */
export interface ObjectWrite {
  /** The object. */
  readonly ref: ResourceRef;
  readonly locator: string;
  /** The subresource to write to: `undefined` for the object itself. */
  readonly subresource: 'status' | undefined;
  /** A JSON Patch. It should set or test `/metadata/resourceVersion` first, so that it fails if the object has changed. */
  readonly patch: readonly WriteOperation[];
  /** The same as the body of a server-side apply, with `apiVersion`. */
  readonly apply: JsonObject;
  /**
   * The kind of write:
   * - `update` (the default): of an object that exists, in the form of the writer.
   * - `apply`: a server-side apply of {@link apply}, which creates the object if there is none. The patch does not count. An object that
   *   the sources do not know, and this manager has not written, belongs to others: the write is refused.
   * - `delete`: of the object with the `uid` and the version in the metadata of {@link apply}; without these, as the sources know it.
   */
  readonly action?: 'update' | 'apply' | 'delete';
}

/** How writes are sent: as JSON Patches, which are small and never create; or as server-side apply, which keeps track of owners. */
export type WriteForm = 'json-patch' | 'apply';

const versionPath = '/metadata/resourceVersion';

/** Returns the version of the object that a write was planned from; `undefined` if the write does not contain it. */
export function plannedVersion({ patch, apply }: ObjectWrite): string | undefined {
  const guard = patch.find(({ path }) => path === versionPath);
  if (guard !== undefined) return stringIn(guard.value);
  return isJsonObject(apply.metadata) ? stringIn(apply.metadata.resourceVersion) : undefined;
}

/** Returns the `uid` and version of the object that a deletion was planned for, as far as the write contains them; `{}` for other writes. */
export function plannedObject(write: ObjectWrite): { readonly uid?: string; readonly resourceVersion?: string } {
  if (write.action !== 'delete' || !isJsonObject(write.apply.metadata)) return {};
  const uid = stringIn(write.apply.metadata.uid);
  const resourceVersion = plannedVersion(write);
  return { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}

/** The form of a request, and the object that it is for. */
export interface RequestParts {
  readonly resource: ApiResource;
  readonly form: WriteForm;
  readonly fieldManager: string;
  /** The `uid` of the object. An apply with a `uid` does not create a deleted object again. */
  readonly uid: string | undefined;
  /** The version of the object, for a deletion. */
  readonly resourceVersion?: string | undefined;
}

export function requestOf(write: ObjectWrite, parts: RequestParts): TransportRequest {
  const { resource, fieldManager, resourceVersion } = parts;
  const { ref, subresource, patch, apply, action = 'update' } = write;
  const form = action === 'apply' ? 'apply' : parts.form;
  const uid = action === 'apply' ? undefined : parts.uid;
  const path = `${resourcePath(resource, ref)}${subresource === undefined ? '' : `/${subresource}`}`;
  if (action === 'delete') {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } };
    return { method: 'DELETE', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
  if (form === 'json-patch') {
    const headers = { 'content-type': 'application/json-patch+json' };
    return { method: 'PATCH', path, query: { fieldManager }, headers, body: JSON.stringify(patch) };
  }
  const metadata = isJsonObject(apply.metadata) ? apply.metadata : {};
  const body = JSON.stringify({ ...apply, metadata: uid === undefined ? metadata : { ...metadata, uid } });
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  return { method: 'PATCH', path, query: { fieldManager, force: 'true' }, headers, body };
}

/**
 * Returns a text that two writes to the same part of an object share if they set the same, whatever the version of the object and the times of
 * transitions in a status.
 *
 * @param uid The `uid` of the object. An apply sets the same on an object that was deleted and created again; any other write does not.
 */
export function contentOf({ action = 'update', apply, subresource }: ObjectWrite, uid: string | undefined): string {
  if (action === 'delete') return action;
  const { resourceVersion: _version, ...metadata } = isJsonObject(apply.metadata) ? apply.metadata : {};
  const isTime = (key: string) => subresource === 'status' && key === 'lastTransitionTime';
  const text = JSON.stringify({ ...apply, metadata }, (key, value: unknown) => (isTime(key) ? undefined : value));
  return `${action} ${action === 'apply' ? '' : uid} ${digestOf(text)}`;
}

/** Returns a number for a text: FNV-1a, 32 bits. */
function digestOf(text: string): number {
  let digest = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) digest = Math.imul(digest ^ text.charCodeAt(index), 0x01000193);
  return digest;
}
